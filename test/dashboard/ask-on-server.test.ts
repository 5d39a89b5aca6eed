import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { invite } from '../../src/privacy/accounts/accounts.ts';
import { addPerson } from '../../src/privacy/accounts/manage.ts';
import { readAssets } from '../../src/server/assets.ts';
import { serveTeam } from '../../src/server/team/serve-team.ts';
import { openSqliteStore, sqliteFileIn } from '../../src/stores/sqlite/sqlite.ts';
import { touchstone } from '../run-cli.ts';
import { writeSlowProject } from '../slow-project.ts';
import { describeInBrowser, findBarriers, useBrowser } from '../support/browser.ts';

describeInBrowser('questions are asked again on a server for a team', () => {
  const browser = useBrowser();

  test('the page says that no worker is there, shows the plan of one, and goes to the run that it begins', async () => {
    const { folder, readCalls } = await writeSlowProject({ cases: 3, concurrency: 1 });
    expect((await touchstone(['run'], { cwd: folder })).code).toBe(0);
    const home = openSqliteStore(sqliteFileIn(path.join(folder, '.touchstone')));
    const server = await serveTeam({ assets: readAssets(), home, openProject: async () => home, port: 0 });
    onTestFinished(async () => {
      await server.close();
      await home.close();
    });
    const actor = { who: 'test', address: null, project: 'main' };
    await addPerson(home.accounts, actor, { name: 'ann', role: 'editor' });
    const invitation = `${server.origin}/invitations/${await invite(home.accounts, 'ann')}`;
    const { page } = await browser.open(invitation, { isNew: true });
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Account' }).waitFor();
    const [run] = await home.listRuns();
    await page.goto(`${server.origin}/runs/${run?.id}/cases/1`);
    await page.getByRole('button', { name: 'Ask again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask 1 question again' });
    await dialog.getByText('none is there').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    const started = Promise.withResolvers<ChildProcess>();
    const worker = touchstone(['worker', '--wait'], { cwd: folder, onStarted: started.resolve });
    const child = await started.promise;
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await worker;
    });
    await dialog.getByText('1 call').first().waitFor();
    expect(await readCalls()).toHaveLength(3);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Spend at most').fill('1');
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText(/from (?:only )?1 question/).waitFor();
    expect(new URL(page.url()).pathname).not.toContain(String(run?.id));
    expect((await readCalls()).slice(3)).toEqual(['question 1']);
  });
});
