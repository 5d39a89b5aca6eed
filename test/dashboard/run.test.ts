import { expect, test } from 'vitest';
import { headlineParts } from '../../src/report/headline.ts';
import { createMemoryStore } from '../../src/stores/memory.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { addSampleRun, mixedTrials } from '../support/sample-store.ts';

const two = '20260211-093000-twos';
const one = '20260210-093000-ones';

describeInBrowser('the page of a run', () => {
  let store: Store;
  const dashboard = useDashboard(async () => {
    store = createMemoryStore();
    await addSampleRun(store, mixedTrials(30), { id: one, gate: { minCoverage: 1, failUnder: 0.9 } });
    await addSampleRun(store, [...mixedTrials(30, 'v1'), ...mixedTrials(30, 'v2')], { id: two });
    return store;
  });

  test('has the headline that the terminal prints, to the letter', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const run = await store.readRun(one);
    const [score = '', ...parts] = headlineParts(run?.summary?.targets[0] as never, run);
    const verdict = await page.getByRole('region', { name: 'Verdict' }).innerText();
    expect(verdict.replaceAll(/\s+/g, ' ')).toContain(score);
    expect(verdict).toContain(parts.join(' · '));
    expect(await findBarriers(page)).toEqual([]);
  });

  test('numbers lead to the cases behind them', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const whereOf = async (row: string): Promise<string | null> => {
      const link = page.getByRole('table').getByRole('row', { name: row }).getByRole('link').first();
      const href = (await link.getAttribute('href')) ?? '';
      return new URL(href, page.url()).searchParams.get('where');
    };
    expect(await whereOf('Passed')).toBe('target=assistant passed=true');
    expect(await whereOf('Failed')).toBe('target=assistant passed=false');
    expect(await whereOf('fees')).toBe('target=assistant category=fees');
  });

  test('says what to look at first', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const advice = await page.getByRole('region', { name: 'What to look at first' }).innerText();
    expect(advice).toContain('search was expected but not used');
    expect(advice).toContain('Open first: ');
  });

  test('`i` shows n, coverage and method of every interval, and hides them', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const table = page.getByRole('region', { name: 'Intervals of assistant' });
    expect(await table.isVisible()).toBe(false);
    await page.keyboard.press('i');
    await table.waitFor();
    expect(await table.innerText()).toContain('student-t, 95 %');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('i');
    await table.waitFor({ state: 'hidden' });
  });

  test('the target shown in full is in the address', async () => {
    const { page } = await dashboard.open(`/runs/${two}`);
    await page.getByRole('navigation', { name: 'Target' }).getByRole('link', { name: 'v2' }).click();
    await page.waitForURL(/\?target=v2$/);
    await page.reload();
    const chosen = page.getByRole('navigation', { name: 'Target' }).locator('[aria-current]');
    expect(await chosen.textContent()).toBe('v2');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('on a narrow screen only tables scroll sideways', async () => {
    const { page } = await dashboard.open(`/runs/${two}`, { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
