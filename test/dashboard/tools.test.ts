import { expect, test } from 'vitest';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { storeToolRun, type ToolCase } from '../support/tool-records.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil tool';
const [bot = { name: 'bot', use: { use: 'module' }, fingerprint: 'b' }] = buildRun().targets;
const timeout: Run['targets'][number] = {
  name: 'bot + timeout',
  use: { use: 'module' },
  fingerprint: 't',
  condition: { type: 'fault', kind: 'timeout', of: 'bot' },
};

/** 12 cases that expect a search and a booking; every third answer forgets to book. */
const cases = Array.from({ length: 12 }, (_, index): ToolCase => {
  const books = index % 3 !== 0;
  const way = index % 4 === 0 ? 'made-up' : 'recovered';
  return {
    id: `trip ${index}`,
    expected: ['search', 'book'],
    answers: {
      bot: {
        calls: books ? ['search', 'book'] : ['search', 'search', hostile],
        passed: books,
        latencyMs: 200 + 40 * index,
        parts: {
          conversation: { turns: [{ from: 0 }], ended: index === 5 ? 'spoilt' : 'goal-met' },
          ...(index === 5 && { spoilt: { kind: 'leaked', reason: hostile } }),
        },
      },
      'bot + timeout': {
        calls: [{ name: 'search', fault: 'timeout', error: 'timed out' }],
        passed: books,
        verdicts: { handling: { status: 'scored', value: 1, label: way } },
      },
    },
  };
});

const silent = cases.slice(0, 3).map(({ id }) => ({ id, expected: [], answers: { bot: { calls: [] } } }));

async function buildStore(): Promise<Store> {
  const store = createMemoryStore();
  const { run } = await storeToolRun(cases, [bot, timeout], { store, id: 'with-tools' });
  await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
  await storeToolRun(silent, [bot, { ...bot, name: 'other bot' }], { store, id: 'without-tools' });
  return store;
}

describeInBrowser('the tools of a run', () => {
  const dashboard = useDashboard(buildStore);

  test('each tool has its numbers, which lead to their cases', async () => {
    const { page } = await dashboard.open('/runs/with-tools/tools');
    const rows = page.getByRole('region', { name: 'Tools', exact: true }).locator('tbody tr');
    expect(await rows.first().locator('th, td').allTextContents()).toEqual([
      'book',
      '12',
      '8',
      '4',
      '8',
      '0',
      '–',
    ]);
    const link = rows.first().getByRole('link', { name: '4', exact: true });
    const { searchParams, pathname } = new URL((await link.getAttribute('href')) ?? '', 'http://x');
    expect(pathname).toBe('/runs/with-tools/cases');
    expect(searchParams.get('where')).toBe('target=bot missingTool=book');
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('each number leads to a list of exactly as many answers', async () => {
    const { page } = await dashboard.open('/runs/with-tools/tools');
    const links = await page.getByRole('main').locator('tbody a[href*="where="], p a[href*="where="]').all();
    const seen: string[] = [];
    for (const link of links) {
      const [text, href] = [await link.textContent(), await link.getAttribute('href')];
      const where = new URL(href ?? '', page.url()).searchParams.get('where') ?? '';
      const asked = new URL('/api/runs/with-tools/facets', page.url());
      asked.searchParams.set('where', where);
      const { trials } = (await (await page.request.get(asked.href)).json()) as { trials: number };
      expect([where, String(trials)]).toEqual([where, text]);
      seen.push(where.replace(/^target=(?:"[^"]*"|\S+) /, '').replace(/[=><].*$/, ''));
    }
    expect(new Set(seen)).toEqual(
      new Set([
        'expectedTool',
        'tool',
        'missingTool',
        'calls',
        'handling',
        'ending',
        'invalid',
        'status',
        'turns',
      ]),
    );
  });

  test('sequences, faults, times and endings are counted', async () => {
    const { page } = await dashboard.open('/runs/with-tools/tools', {
      viewport: { width: 390, height: 800 },
    });
    const sequences = page.getByRole('region', { name: 'Sequences of calls' }).locator('tbody tr');
    expect(await sequences.first().textContent()).toBe('search→thenbook8100.0 % 8 of 8');
    expect(await sequences.last().textContent()).toContain('search ×2→then');
    const faults = page.getByRole('region', { name: 'Faults in tools' }).locator('tbody tr');
    expect(await faults.allTextContents()).toEqual(['timeout1290003', 'in search1290003']);
    const endings = page.getByRole('region', { name: 'Endings' }).locator('tbody tr');
    expect(await endings.last().textContent()).toBe('the simulated user was at faultuser1');
    await page.getByText('As table').first().press('Enter');
    expect(await page.getByText('Every answer takes 1 step').count()).toBe(1);
    const times = page.getByRole('region', { name: 'Time, as table' }).getByRole('link');
    const counts = (await times.allTextContents()).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
    expect(await times.first().getAttribute('href')).toContain('latencyMs%3E%3D200+latencyMs%3C');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a run without tool calls says what to record, for each of its targets', async () => {
    const { page } = await dashboard.open('/runs/without-tools/tools');
    expect(await page.getByRole('main').textContent()).toContain('No answer of this target has a tool call');
    await page.getByRole('group', { name: 'Target' }).getByRole('link', { name: 'other bot' }).click();
    await page.waitForURL('**/tools?target=other+bot');
    expect(await page.getByRole('main').textContent()).toContain('0 answers of 0 attempts');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('`g t` leads from the run to its tools', async () => {
    const { page } = await dashboard.open('/runs/with-tools');
    const heading = page.getByRole('heading', { level: 1, name: 'Tools' });
    await pressTogether(page, 'g t', (limit) => heading.waitFor(limit));
    expect(new URL(page.url()).pathname).toBe('/runs/with-tools/tools');
  });
});
