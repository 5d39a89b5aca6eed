import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { writeFile } from '../../src/library/api/write-file.ts';
import { preferenceHtml } from '../../src/look/reporters/preferences/html.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, useBrowser, useDashboard } from '../support/browser.ts';
import { compareByRules, labelPairs } from '../support/compared-pairs.ts';
import { storePairTask } from '../support/pair-task.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';

const answers = (name: string) => Array.from({ length: 8 }, (_, index) => `${name} answer ${index}`);
const address = '/compare?a=run-1&b=run-1&targetA=brief&targetB=long';

/** Prefers the long answer; to the questions 0 and 1 whatever stands first. */
const rules = [
  { part: 'question', when: 'question [01]\\?', reply: { reason: hostile, better: 'first' } },
  { part: 'first answer', when: 'long', reply: { reason: 'It says more.', better: 'first' } },
  { part: 'second answer', when: 'long', reply: { reason: 'It says more.', better: 'second' } },
  { reply: { reason: 'They are alike.', better: 'tie' } },
];

describeInBrowser('preferences on the page of a comparison', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    const targets = { brief: answers('brief'), long: answers('long'), [hostile]: answers('other') };
    await storePairTask(store, { run: 'run-1', answers: targets });
    const run = await store.readRun('run-1');
    if (run === undefined) throw new Error('there is a run');
    await compareByRules(store, [run], rules);
    await labelPairs(store, 'pairs', 'ann', (first, second) => {
      if (first.startsWith('long')) return 'first';
      return second.startsWith('long') ? 'second' : 'tie';
    });
    return store;
  });

  test('judges and people are shown with win rates, flips, places and kappa, and each number leads to its cases', async () => {
    const { page } = await dashboard.open(address);
    const judge = page.getByRole('region', { name: 'Preferences: Judge' }).locator('tbody tr');
    await judge.first().waitFor();
    // 6 losses and 2 ties: 1 of 8; Tango's interval as of winRate, for which src/core/stats has reference values.
    expect(await judge.first().textContent()).toMatch(/^brief against long12\.5 % \[.*\]0260.*2/);
    const people = page.getByRole('region', { name: 'Preferences: People' }).locator('tbody tr');
    expect(await people.first().textContent()).toContain('brief against long');
    // On 8 pairs people say long; the judge says so of 6, and of 2 that they are alike: kappa 0 has no spread.
    const main = (await page.getByRole('main').textContent()) ?? '';
    expect(main).toContain(
      'Judge scripted and people agree on 75.0 % [40.9, 92.9] of the same pairs (6 of 8)',
    );
    const places = page.getByRole('region', { name: 'Ranking: Judge' }).first().locator('tbody tr');
    // Six decided prompts show nothing of three pairs: the sign-flip test has at least 2/64, Holm three times that.
    expect(await places.first().textContent()).toMatch(/^1–3long/);
    expect(await places.nth(1).textContent()).toMatch(/^1–3/);
    expect(await findBarriers(page)).toEqual([]);
    const flips = judge.first().getByRole('link').last();
    expect(await flips.textContent()).toBe('2');
    await flips.press('Enter');
    await page.getByText('brief against long: with another result in the other order, 2 pairs').waitFor();
    const rows = page.getByRole('region', { name: 'Pairs of answers' }).locator('tbody tr');
    expect(await rows.first().textContent()).toMatch(/^q0neither/);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await findBarriers(page)).toEqual([]);
    await rows.first().getByRole('link', { name: 'q0' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Question q0' });
    await dialog.getByText('brief answer 0').first().waitFor();
    await page.reload();
    await dialog.waitFor();
  });

  test.skipIf(!isReleaseTested)(
    'a number of another pair of targets opens the answers of these (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open(address, { viewport: { width: 390, height: 800 } });
      const people = page.getByRole('region', { name: 'Preferences: People' }).locator('tbody tr');
      await people.filter({ hasText: 'brief against <img' }).getByRole('link', { name: '8' }).press('Enter');
      await page
        .getByRole('status')
        .getByText(/tied, 8 pairs/)
        .waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.getByRole('region', { name: 'Pairs of answers' }).getByRole('link').first().press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText(/^other answer \d$/)
        .first()
        .waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
    },
  );

  test.skipIf(!isReleaseTested)(
    'without comparisons the page says which commands make them (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open(address);
      await page.getByText('Whose answers are preferred?').waitFor();
      const { page: empty } = await bare.open(address);
      await empty.getByText('touchstone prefer run-1 --target brief --target long').waitFor();
      await empty
        .getByText('touchstone review create --pairs run-1 --target brief --target long --doubled 20%')
        .waitFor();
      expect(await findBarriers(empty)).toEqual([]);
    },
  );

  const bare = useDashboard(async () => {
    const store = createMemoryStore();
    const { storePairedRun } = await import('../support/paired-run.ts');
    await storePairedRun(store, { answers: { brief: answers('brief'), long: answers('long') } });
    return store;
  });
});

describeInBrowser('preferences in one file', () => {
  const browser = useBrowser();

  test.skipIf(!isReleaseTested)(
    'are those of the page, offline; a number leads to its verdicts, and no text in it runs (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      using folder = mkdtempDisposableSync(path.join(tmpdir(), 'preferences-'));
      const store = createMemoryStore();
      const targets = { brief: answers('brief'), long: answers('long'), [hostile]: answers('other') };
      await storePairTask(store, { run: 'run-1', answers: targets });
      const run = await store.readRun('run-1');
      if (run === undefined) throw new Error('there is a run');
      const report = await compareByRules(store, [run], rules);
      const file = path.join(folder.path, 'pairs.html');
      await writeFile(file, preferenceHtml(report));
      const { page } = await browser.open(pathToFileURL(file).href, { offline: true });
      const rows = page.getByRole('region', { name: 'Preferences: Judge' }).locator('tbody tr');
      expect(await rows.first().textContent()).toMatch(/^brief against long12\.5 % \[.*\]0260.*2/);
      expect(await page.getByRole('main').textContent()).not.toContain('touchstone prefer');
      await rows.first().getByRole('link').last().press('Enter');
      await page.getByText('brief against long: with another result in the other order, 2 pairs').waitFor();
      const verdicts = page.getByRole('region', { name: 'Pairs of answers' }).locator('tbody tr');
      expect(await verdicts.first().textContent()).toMatch(/^q0neither/);
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
