import path from 'node:path';
import { baselineKind } from '../../src/stores/kinds/baseline.ts';
import { findRun } from '../../src/look/queries/runs.ts';
import { runEditKind } from '../../src/stores/kinds/run-edit.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { temporaryFolder } from '../run-cli.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { addSampleRun, mixedTrials } from '../support/sample-store.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const ids = ['20260201-090000-aaaa', '20260202-090000-bbbb', '20260203-090000-cccc', '20260204-090000-dddd'];

async function buildStore(folder: string): Promise<Store> {
  const store = openSqliteStore(path.join(folder, 'touchstone.db'));
  for (const [index, id] of ids.entries()) {
    await addSampleRun(store, mixedTrials(30, index === 3 ? 'other' : 'assistant'), {
      id,
      createdAt: `2026-02-0${index + 1}T09:00:00.000Z`,
      git: { commit: String(index).repeat(40), branch: index === 0 ? 'main' : 'fees', dirty: false },
      gate: { minCoverage: 1, ...(index === 1 && { failUnder: 0.95 }) },
    });
  }
  return store;
}

/** Returns the ids of the listed runs, from the top. */
async function listedIds(page: Page): Promise<string[]> {
  return await page.locator('[data-row]').allTextContents();
}

describeInBrowser('the list of runs', () => {
  let store: Store;
  const dashboard = useDashboard(async () => (store = await buildStore(await temporaryFolder())));

  test('has the newest first, with target, score, interval, n and commit', async () => {
    const { page } = await dashboard.open('/');
    expect(await listedIds(page)).toEqual(ids.toReversed());
    const row = page.getByRole('row', { name: ids[0] ?? '' });
    const usual =
      /20260201-090000-aaaa\s+0000000 main\s+·\s+[\d\w ]+\s+assistant\s+\d+\.\d % \[\d+\.\d, \d+\.\d\].*29\/30.*2026-02-01 09:00\s+golden.jsonl\s*$/s;
    expect(await row.innerText()).toMatch(usual);
    // All of it fits.
    const spare = `(([region]) => region.clientWidth - region.scrollWidth)(document.querySelectorAll('[role=region][aria-label=Runs]'))`;
    expect(await page.evaluate(spare)).toBe(0);
    const top = `document.querySelector('[data-row]').getBoundingClientRect().top`;
    expect(await page.evaluate(top)).toBeLessThan(300);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a target with several runs has a trend', async () => {
    const { page } = await dashboard.open('/');
    const history = page.getByRole('button', { name: /^History/ });
    await history.waitFor();
    expect(await history.innerText()).toMatch(/assistant\s+\d+\.\d %/);
    expect(await page.getByRole('img').count()).toBe(0);
    await page.keyboard.press('h');
    await page.getByRole('img', { name: 'Score of assistant over 3 runs' }).waitFor();
    expect(await page.getByRole('img', { name: /Score of other/ }).count()).toBe(0);
  });

  test.skipIf(!isReleaseTested)(
    'a choice of a branch is in the address, and an address is a choice (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/');
      await page.getByLabel('Branch').selectOption('main');
      await page.waitForURL(/\?branch=main$/);
      await page.getByRole('link', { name: ids[1] ?? '' }).waitFor({ state: 'detached' });
      expect(await listedIds(page)).toEqual(ids.slice(0, 1));
      const { page: other } = await dashboard.open('/');
      await other.goto(`${new URL(other.url()).origin}/?target=other`);
      await other.locator('[data-row]').first().waitFor();
      expect(await listedIds(other)).toEqual(ids.slice(3));
    },
  );

  test('two picked runs lead to their comparison, the older one first, by keyboard alone', async () => {
    const { page } = await dashboard.open('/');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toBe(ids[2]);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 runs picked').waitFor();
    expect(new URL(page.url()).searchParams.get('pick')).toBe(`${ids[2]},${ids[1]}`);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('c');
    await page.waitForURL(`**/compare?a=${ids[1]}&b=${ids[2]}`);
  });

  test('a run gets a name, a note and a tag by keyboard alone, and is found by them', async () => {
    const { page } = await dashboard.open('/');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 run picked').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await page.keyboard.type('prompt v7');
    await page.keyboard.press('Tab');
    await page.keyboard.type('shorter system prompt');
    await page.keyboard.press('Tab');
    await page.keyboard.type('prompt=v7');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'prompt v7' }).waitFor();
    const row = page.getByRole('row', { name: ids[3] ?? '' });
    expect(await row.innerText()).toMatch(
      /prompt v7\s+20260204-090000-dddd\s+prompt=v7\s+3333333 fees.*shorter system prompt/s,
    );
    expect((await findRun(store, 'prompt v7')).id).toBe(ids[3]);
    // As it was for the tests after this one.
    await store.documents.change([runEditKind], async (change) => await change.remove(runEditKind, {}));
  });

  test('a run becomes a baseline under a name', async () => {
    const { page } = await dashboard.open('/');
    await page.getByLabel(`Pick ${ids[0]}`).check();
    await page.getByRole('button', { name: 'Set as baseline…' }).click();
    await page.getByLabel('Name').fill('release-1');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Set as baseline' }).click();
    await page.getByText('baseline release-1').waitFor();
    expect((await store.documents.heads(baselineKind, ['name'])).map(({ name }) => name)).toEqual([
      'release-1',
    ]);
  });

  test('a name that is none is refused with what the command line says', async () => {
    const { page } = await dashboard.open('/', { mayFail: ['400'] });
    await page.getByLabel(`Pick ${ids[0]}`).check();
    await page.getByRole('button', { name: 'Set as baseline…' }).click();
    await page.getByLabel('Name').fill('../outside');
    await page.getByRole('dialog').getByRole('button', { name: 'Set as baseline' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('request-invalid');
  });

  test('a run is deleted only after the end of its id was typed', async () => {
    const { page } = await dashboard.open('/');
    await page.getByLabel(`Pick ${ids[3]}`).check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const confirm = page.getByRole('button', { name: 'Delete permanently' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/the end of its id/).fill('ddd');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/the end of its id/).fill('dddd');
    await confirm.click();
    await page.getByRole('link', { name: ids[3] ?? '' }).waitFor({ state: 'detached' });
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(ids.slice(0, 3).toReversed());
  });
});

describeInBrowser('a long list of runs', () => {
  const many = Array.from(
    { length: 104 },
    (_, index) => `2026010${index < 100 ? 1 : 2}-090000-${String(index).padStart(4, '0')}`,
  );
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    for (const [index, id] of many.entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
      const dataset = {
        sources: [index === 0 ? 'old.jsonl' : 'golden.jsonl'],
        cases: 1,
        hash: '2'.repeat(32),
      };
      await store.createRun(buildRun({ id, status: 'completed', createdAt, dataset }));
    }
    return store;
  });

  test.skipIf(!isReleaseTested)(
    'goes on where it ends, and can be filtered by what only an old run has (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/');
      expect(await listedIds(page)).toEqual(many.slice(4).toReversed());
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
      expect(await listedIds(page)).toEqual(many.toReversed());
      await page.getByLabel('Dataset').selectOption('old.jsonl');
      await page.getByRole('link', { name: many[1] ?? '' }).waitFor({ state: 'detached' });
      expect(await listedIds(page)).toEqual(many.slice(0, 1));
    },
  );
});

describeInBrowser('runs that got worse', () => {
  const days = Array.from({ length: 10 }, (_, index) => String(index + 1).padStart(2, '0'));
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    for (const [index, day] of days.entries()) {
      const trials = mixedTrials(40).map(({ error: _, ...trial }, place) => ({
        ...trial,
        ...(place % 3 !== 0 && index >= 6 && { usedTools: [], found: [], missing: ['fee'] }),
      }));
      await addSampleRun(store, trials, {
        id: `202602${day}-090000-aaaa`,
        createdAt: `2026-02-${day}T09:00:00.000Z`,
        dataset: { sources: [index < 9 ? 'golden.jsonl' : 'other.jsonl'], cases: 40, hash: '2'.repeat(32) },
      });
    }
    return store;
  });

  test.skipIf(!isReleaseTested)(
    'have a mark where the change is, with what changed (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/');
      await page.getByRole('button', { name: /^History/ }).waitFor();
      await page.keyboard.press('h');
      const drawing = page.getByRole('img', { name: /^Score of assistant/ });
      const trend = page.getByRole('article').filter({ has: drawing });
      await drawing.waitFor();
      expect(await trend.locator('svg text:not([aria-hidden] *)').allTextContents()).toEqual(['▼']);
      expect(await trend.innerText()).toMatch(
        /▼ score worse by \d.* since 2026-02-07, between 20260206-.* and 20260207-/,
      );
      await trend.getByText('As table').click();
      const rows = trend.getByRole('row');
      expect(await rows.count()).toBe(11);
      expect(await rows.nth(1).innerText()).toMatch(/20260210-090000-aaaa\s.*\d % \[.*40\/40/s);
      expect(await trend.getByRole('row').filter({ hasText: '▼ worse' }).innerText()).toContain('20260207-');
      expect(await findBarriers(page)).toEqual([]);
      await trend.getByRole('table').getByRole('link', { name: '20260207-090000-aaaa' }).click();
      await page.waitForURL(/\/runs\/20260207-090000-aaaa$/);
    },
  );

  test('the dataset that is chosen narrows the trend, too', async () => {
    const { page } = await dashboard.open('/?dataset=golden.jsonl');
    await page.getByRole('button', { name: /^History/ }).click();
    const trend = page.getByRole('img', { name: 'Score of assistant over 9 runs' });
    await trend.waitFor();
    expect(await trend.count()).toBe(1);
  });

  test('each metric has a chart, with the day on which it fell', async () => {
    const { page } = await dashboard.open('/');
    const history = page.getByRole('button', { name: /^History.*worse since 2026-02-07/s });
    await history.click();
    const card = page.getByRole('article').filter({ hasText: /keywords\s+assistant/ });
    await card.getByRole('img', { name: 'keywords of assistant over 10 runs' }).waitFor();
    expect(await card.innerText()).toMatch(/▼ metric keywords worse by .* since 2026-02-07, between/);
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'are cards on a narrow screen, with whole intervals (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/', { viewport: { width: 390, height: 800 } });
      const cards = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
      expect(await cards.count()).toBe(10);
      expect(await cards.first().innerText()).toMatch(/\d+\.\d % \[\d+\.\d, \d+\.\d\].*n = 40\/40/s);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
