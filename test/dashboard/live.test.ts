import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { beginWaitingReport } from '../../src/evaluate/run/fleet/waiting-report.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import type { Store } from '../../src/stores/store.ts';
import { writeSlowProject } from '../slow-project.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';

const program = path.resolve(import.meta.dirname, '../../bin/touchstone.js');
const cases = 60;

/** A bot that gives as many answers as a file allows, and then waits. */
const bot = `import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
let calls = 0;
export default async function () {
  const call = (calls += 1);
  while (Number(readFileSync('allowed.txt', 'utf8')) < call) await wait(20);
  if (call === 2) throw new Error('out of order');
  return { answer: call === 3 ? 'no' : 'yes', cost: 0.01 };
}
`;

describeInBrowser('a run under way in another process', () => {
  let folder: string;
  let store: Store;
  const children: ReturnType<typeof spawn>[] = [];
  const dashboard = useDashboard(async () => {
    ({ folder } = await writeSlowProject({ cases, concurrency: 4 }));
    await writeFile(path.join(folder, 'bot.mjs'), bot);
    store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
    return store;
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await store.close();
  });
  const allow = async (calls: number) => {
    await writeFile(path.join(folder, 'allowed.txt'), String(calls));
  };
  const start = (...flags: readonly string[]) => {
    const args = [program, 'run', '--max-cost', '5', '--concurrency', '4', ...flags];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    children.push(child);
    return { child, ended: once(child, 'exit') };
  };
  const latest = async (): Promise<string> => (await store.listRuns({ limit: 1 }))[0]?.id ?? '';

  test('the list and the page move with it, and become the report when it ends', async () => {
    const { page } = await dashboard.open('/');
    await page.getByText('There are no runs yet').waitFor();
    await allow(5);
    const { ended } = start();
    // The row appears by itself, and its bar moves.
    const bar = page.getByRole('progressbar', { name: 'Attempts' });
    await bar.waitFor();
    const done = async () => Number(await bar.getAttribute('aria-valuenow'));
    await expect.poll(done).toBe(5);
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('link', { name: await latest() }).click();
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.waitFor();
    const seen = () => progress.textContent();
    expect(await seen()).toContain('5 of 60 attempts');
    // Nothing is loaded again from here on: a mark on the document stays.
    await page.evaluate('document.documentElement.dataset.mark = "here"');
    await allow(39);
    await expect.poll(done).toBe(39);
    // Scores that come fast are stored with the next one.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    await allow(40);
    await expect.poll(done).toBe(40);
    await expect.poll(seen).toMatch(/\d(\/s|\/min) · \d+ (s|min) left/);
    await expect.poll(seen).toContain('Cost$0.39 of at most $5');
    expect(await seen()).toContain('Errors1 attempt target-threw 1');
    // Of 39 answers, 38 have a total of 1 and one has 0.2; the interval comes from the report, as in the terminal.
    await expect.poll(seen).toContain('so far 97.9 % [87.8, 99.9]');

    expect(await findBarriers(page)).toEqual([]);

    // What its process waits for is said, and no time left with it.
    const refused = {
      account: 'api.groq.com',
      reason: 'rate-limited',
      status: 429,
      inRow: 37,
      nextTryMs: 90_000,
    } as const;
    const report = beginWaitingReport(await latest(), { store, readRefused: () => [refused] });
    report.countJudging(2);
    await expect
      .poll(seen)
      .toMatch(/judging 2 · refused by api\.groq\.com \(429, 37 times\), next try in \d+ (s|min)/);
    expect(await seen()).not.toContain(' left');
    expect(await findBarriers(page)).toEqual([]);
    await report[Symbol.asyncDispose]();
    await expect.poll(seen).not.toContain('refused by');

    await allow(cases);
    await ended;
    await progress.waitFor({ state: 'detached' });
    const main = page.getByRole('main');
    await expect.poll(() => main.textContent()).toContain('from 59 of 60 questions');
    expect(await page.evaluate('document.documentElement.dataset.mark')).toBe('here');
  });

  test.skipIf(!isReleaseTested)(
    'a killed run is interrupted, with the command to continue it, and leads to the run that does (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await allow(5);
      const { child, ended } = start();
      const { page } = await dashboard.open('/');
      await page.getByRole('progressbar').waitFor();
      const id = await latest();
      await page.getByRole('link', { name: id }).click();
      await page.getByRole('region', { name: 'Progress' }).waitFor();
      child.kill('SIGKILL');
      await ended;
      await page.getByText('This run is interrupted.').waitFor();
      expect(await page.getByRole('status').textContent()).toContain(`touchstone run --resume ${id}`);
      expect(await findBarriers(page)).toEqual([]);

      // A run of other cases continues it.
      await allow(cases);
      const rest = start('--resume', id, '--limit', '8');
      await rest.ended;
      const next = await latest();
      expect(next).not.toBe(id);
      await page.getByRole('link', { name: next }).click();
      await expect.poll(() => page.url()).toContain(next);
    },
  );

  test.skipIf(!isReleaseTested)(
    'pages that are open while eight workers write say in the end what the store has, and no request fails (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await allow(0);
      const { ended } = start('--workers', '8');
      const { page } = await dashboard.open('/');
      await page.getByRole('progressbar', { name: 'Attempts' }).waitFor();
      const id = await latest();
      const opened: Page[] = [page];
      for (const at of [`/runs/${id}`, `/runs/${id}/cases`, `/runs/${id}/tools`, `/matrix?columns=${id}`])
        opened.push((await dashboard.open(at)).page);
      const failed: string[] = [];
      for (const each of opened)
        each.on('response', (response) => {
          if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
        });
      await allow(cases);
      await ended;
      const [list, run, questions] = opened;
      await list?.getByRole('progressbar', { name: 'Attempts' }).waitFor({ state: 'detached' });
      await run?.getByRole('region', { name: 'Verdict' }).waitFor();
      await questions?.locator(`[role=grid][aria-rowcount="${cases + 1}"]`).waitFor();
      expect(failed).toEqual([]);
      expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    },
  );

  test.skipIf(!isReleaseTested)(
    'the workers of a run are shown with what they do (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await allow(4);
      const { child, ended } = start('--workers', '1');
      const { page } = await dashboard.open('/');
      await page.getByRole('progressbar', { name: 'Attempts' }).waitFor();
      await page.getByRole('link', { name: await latest() }).click();
      const workers = page.getByRole('table', { name: '1 worker' });
      await workers.waitFor();
      await expect.poll(() => workers.textContent()).toMatch(/ \d+questions \d+-\d+(, \d+-\d+)*\d/);
      expect(await findBarriers(page)).toEqual([]);
      child.kill('SIGKILL');
      await ended;
      await allow(cases);
    },
  );
});
