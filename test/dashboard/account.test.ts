import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/find-free-port.ts';
import { invite } from '../../src/privacy/accounts/accounts.ts';
import { addPerson } from '../../src/privacy/accounts/manage.ts';
import { readAssets } from '../../src/server/assets.ts';
import { connectProvider } from '../../src/server/team/oidc-provider.ts';
import { serveTeam } from '../../src/server/team/serve-team.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, useBrowser } from '../support/browser.ts';
import { client, startProvider } from '../support/oidc-provider.ts';
import { storeReviewTask } from '../support/review-task.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { buildKeptRun } from '../support/build-kept-run.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import type { Role } from '../../src/core/schema/account/rights.ts';
import { labelKind } from '../../src/stores/kinds/label.ts';
import { proposalKind } from '../../src/stores/kinds/proposal.ts';

const password = 'correct horse battery';
const actor = { who: 'test', address: null, project: 'main' };

describeInBrowser('accounts of a team', () => {
  const browser = useBrowser();
  const home = createMemoryStore();
  let server: Awaited<ReturnType<typeof serveTeam>>;
  beforeAll(async () => {
    server = await serveTeam({ assets: readAssets(), home, openProject: async () => home, port: 0 });
    await addPerson(home.accounts, actor, { name: 'boss', role: 'admin' });
  });
  afterAll(async () => await server.close());

  test('an invitation, the dashboard, a token that is shown once, signing out and in again', async () => {
    const secret = await invite(home.accounts, 'boss');
    const mayFail = ['403'];
    const { page } = await browser.open(`${server.origin}/invitations/${secret}`, { isNew: true, mayFail });
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();

    const tokens = page.locator('form[action="/account/tokens"]');
    await tokens.getByLabel('Name').fill('<b>ci</b>');
    await tokens.getByLabel('ingest').check();
    await tokens.getByRole('button', { name: 'Create' }).click();
    expect(await page.getByRole('status').textContent()).toMatch(/ts_[0-9a-f]{12}_[\w-]{43}/);
    expect(await page.getByRole('cell', { name: '<b>ci</b>' }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${server.origin}/account`);
    expect(await page.content()).not.toMatch(/ts_[0-9a-f]{12}_/);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/revoked \d{4}/).waitFor();

    const people = page.locator('form[action="/account/people"]');
    await people.getByLabel('Name').fill('ann');
    await people.getByRole('button', { name: 'Invite' }).click();
    expect(await page.getByRole('status').textContent()).toMatch(/\/invitations\/[\w-]{43}/);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Name').fill('boss');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The name or the password is wrong.');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Name').fill('boss');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Account' }).waitFor();
  });

  test.skipIf(!isReleaseTested)(
    'signing in at a provider by clicking: to it, back to the page that was asked for, out, and refused (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const port = await findFreePort();
      const provider = await startProvider({ redirect: `http://localhost:${port}/sign-in/oidc/callback` });
      provider.people.set('ann', { preferred_username: 'ann', groups: ['team'] });
      provider.people.set('eve', { preferred_username: 'eve' });
      const oidc = await connectProvider({
        issuer: provider.issuer,
        clientId: client.id,
        clientSecret: client.secret,
        name: 'Acme',
        scopes: ['openid', 'profile'],
        groupsClaim: 'groups',
        groups: { team: { main: 'editor' } },
        others: {},
        contact: 'it@example.org',
      });
      const parts = { assets: readAssets(), home: createMemoryStore(), openProject: async () => home };
      const team = await serveTeam({ ...parts, port, oidc });
      const { page } = await browser.open(`${team.origin}/account`, {
        isNew: true,
        mayFail: ['403', provider.issuer],
      });
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page.getByRole('heading', { name: 'Provider' }).waitFor();
      await page.getByLabel('Name').fill('ann');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      expect(page.url()).toBe(`${team.origin}/account`);
      expect(await page.locator('main').textContent()).toContain('ann is editor of the project main');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Signed out' }).waitFor();
      await page.getByRole('link', { name: 'Sign out at Acme' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.goto(`${team.origin}/account`);

      // The provider still knows the browser; another person begins with other cookies.
      await page.context().clearCookies();
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page.getByLabel('Name').fill('eve');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'No access' }).waitFor();
      expect(await page.locator('main').textContent()).toContain('Ask it@example.org');
      expect(await findBarriers(page)).toEqual([]);
      await team.close();
      await provider.close();
    },
  );
  test.skipIf(!isReleaseTested)(
    'two reviewers label the same answers in two browsers, blind to each other, and their agreement is counted (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const overlap = { people: 2, share: 1 };
      await storeReviewTask(home, { answers: { passed: 4, failed: 0 }, overlap });
      const [cleo, dan] = await Promise.all(['cleo', 'dan'].map(openAsReviewer));
      if (cleo === undefined || dan === undefined) throw new Error('Two people are needed.');
      const onScreens = new Set<string>();
      await Promise.all([
        labelAll(cleo, { other: 'dan', keyOf: () => 'y', onScreens }),
        labelAll(dan, { other: 'cleo', keyOf: (answer) => (answer === 'answer 2' ? 'n' : 'y'), onScreens }),
      ]);
      const labels = await Array.fromAsync(home.documents.list(labelKind));
      const people = Object.groupBy(labels, ({ by }) => by.person);
      expect(Object.entries(people).map(([person, own]) => [person, own?.length])).toEqual(
        expect.arrayContaining([
          ['cleo', 4],
          ['dan', 4],
        ]),
      );
      for (const { blind } of labels) expect(Object.values(blind)).not.toContain('shown');
      await cleo.goto(`${server.origin}/reviews`);
      await cleo.getByText('3 of 4 pairs').waitFor();
    },
  );

  test('where the server has no file, an editor proposes a change of a question, a viewer is not offered it, and somebody else approves it', async () => {
    const hostile = hostileTexts[0] ?? '';
    const asked = [{ asks: 'Which fee?', id: 'fee', attempts: [{ total: 0 }] }];
    await buildKeptRun(asked, { id: 'asked' }, home);
    const viewer = await openAs('vic', 'viewer', '/runs/asked/cases/0');
    await viewer.getByRole('button', { name: 'Copy as JSONL row' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Propose a change…' }).count()).toBe(0);
    const editor = await openAs('eve', 'editor', '/runs/asked/cases/0');
    await editor.getByRole('button', { name: 'Propose a change…' }).waitFor();
    await editor.keyboard.press('E');
    const dialog = editor.getByRole('dialog', { name: 'Propose a change of the question' });
    expect(await dialog.getByLabel('Question').inputValue()).toBe('Which fee?');
    await dialog.getByLabel('Question').fill(`Which fee? ${hostile}`);
    const expected = dialog.getByLabel('What is expected, as JSON');
    expect(JSON.parse(await expected.inputValue())).toEqual({});
    await expected.fill('{"keywords": ["12 euros"], "nonsense": 1}');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await dialog.getByText('A question expects no "nonsense".').waitFor();
    expect(await findBarriers(editor)).toEqual([]);
    await expected.fill('{"keywords": ["12 euros"]}');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await editor.getByText('A change of the question fee').waitFor();
    expect(await editor.evaluate('window.pwned')).toBeUndefined();
    const [kept] = await Array.fromAsync(home.documents.list(proposalKind));
    expect(kept?.proposal).toMatchObject({
      change: 'changed',
      replaces: 'fee',
      case: { input: `Which fee? ${hostile}` },
      by: { type: 'person', name: 'eve' },
    });
    const other = await openAs('ed', 'editor', `/proposals?at=${kept?.proposal.id}`);
    await other.getByText('an answer of the run asked').waitFor();
    await other.getByRole('checkbox').first().check();
    await other.keyboard.press('Escape');
    await other.keyboard.press('a');
    await expect
      .poll(async () => (await Array.fromAsync(home.documents.list(proposalKind)))[0]?.decisions.length)
      .toBe(1);
  });

  /** Signs a new reviewer in, in a browser of their own, and opens the task. */
  async function openAsReviewer(name: string): Promise<Page> {
    return await openAs(name, 'reviewer', '/reviews/task-1');
  }

  /** Signs a new person in, in a browser of their own, and opens a page. */
  async function openAs(name: string, role: Role, address: string): Promise<Page> {
    const secret = await addPerson(home.accounts, actor, { name, role });
    const { page } = await browser.open(`${server.origin}/invitations/${secret}`, {
      isNew: true,
      mayFail: ['400', '403', '422'],
    });
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Account' }).waitFor();
    await page.goto(`${server.origin}${address}`);
    return page;
  }
});

interface Labelling {
  /** The other person, whose name nothing may show before the label. */
  readonly other: string;
  readonly keyOf: (answer: string) => string;
  /** The answers that people have on their screens. */
  readonly onScreens: Set<string>;
}

/** Labels answers until all labels are given. The other person may not have the same one on the screen. */
async function labelAll(page: Page, { other, keyOf, onScreens }: Labelling): Promise<void> {
  const revealed = page.getByRole('region', { name: 'After the label' });
  for (;;) {
    // Read at once, since between two looks the page may have moved on.
    const screen = await page.locator('main').innerText();
    if (screen.includes('All labels are given')) return;
    if (screen.includes('Nothing left for you')) await page.keyboard.press('Enter');
    const shown = /^answer \d+$/m.exec(screen)?.[0];
    if (shown === undefined) {
      // The page is loading, or the other person has the rest on the screen.
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    expect([...onScreens]).not.toContain(shown);
    onScreens.add(shown);
    expect(await page.content()).not.toContain(other);
    await page.keyboard.press(keyOf(shown));
    onScreens.delete(shown);
    await page.keyboard.press('Enter');
    await revealed.waitFor();
    await page.keyboard.press('Enter');
    await revealed.waitFor({ state: 'hidden' });
  }
}
