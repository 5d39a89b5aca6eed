import { expect, test } from 'vitest';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { storeToolRun, type ToolCase } from '../support/tool-records.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';
const [base = { name: 'bot', use: { use: 'module' }, fingerprint: 'b' }] = buildRun().targets;

/** Two models, two prompts, two temperatures; the small model fails every second question, and costs a tenth. */
const targets = ['large', 'small'].flatMap((model) =>
  ['short', hostile].flatMap((prompt) =>
    ['0', '0.7'].map((temperature) => ({
      ...base,
      name: `bot[${model},${prompt},${temperature}]`,
      fingerprint: `${model}${prompt}${temperature}`,
      grid: { of: 'bot', levels: { model, prompt, temperature } },
    })),
  ),
);

const cases = Array.from({ length: 60 }, (_, index): ToolCase => {
  const answer = (isSmall: boolean) => ({
    calls: [],
    passed: !isSmall || index % 2 === 0,
    parts: { cost: (isSmall ? 0.001 : 0.01) * (1 + (index % 3)) },
  });
  const answers = targets.map(({ name }) => [name, answer(name.includes('small'))]);
  return { id: `q${index}`, expected: [], answers: Object.fromEntries(answers) };
});

describeInBrowser('a grid of settings', () => {
  const dashboard = useDashboard(async () => {
    const { run, store } = await storeToolRun(cases, targets, { id: 'with-grid' });
    await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
    await storeToolRun(cases.slice(0, 2), [base], { store, id: 'without' });
    return store;
  });

  test('its cells lead to their answers, its settings are columns and filters, and its effects have intervals', async () => {
    const { page } = await dashboard.open('/runs/with-grid');
    const table = page.getByRole('region', { name: 'Combinations' });
    await pressTogether(page, 'g s', (limit) => table.waitFor(limit));
    expect(await table.locator('tbody tr').count()).toBe(4);
    const link = table.getByRole('link').first();
    const { searchParams } = new URL((await link.getAttribute('href')) ?? '', page.url());
    expect(searchParams.get('where')).toBe('target=bot[large,short,0]');
    expect(await table.locator('tbody td').first().textContent()).toMatch(/^● 100\.0\[.+\] \$0\.02$/);
    await page.getByRole('combobox', { name: 'Columns' }).selectOption('model');
    await page.getByRole('combobox', { name: 'temperature' }).selectOption('0.7');
    await page.waitForURL('**/grid?across=model&where=temperature%3D0.7');
    const heads = table.getByRole('columnheader');
    expect(await heads.allTextContents()).toEqual(['prompt', 'large', 'small']);
    expect(await table.locator('tbody tr').count()).toBe(2);
    const effects = page.getByRole('region', { name: 'Which setting matters?' }).getByRole('listitem');
    expect(await effects.first().textContent()).toMatch(
      /^model small − large: −50\.0 points \[−63\.0, −37\.0\] ▼$/,
    );
    expect(await page.getByText('What does a better score cost?').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Cheaper, and worse by at most' }).selectOption('5');
    await page.waitForURL('**/grid?across=model&where=temperature%3D0.7&within=5');
    await page.getByText('cheaper than another and not worse by over 5.0 points').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  test('a run without a grid has no tab for it', async () => {
    const { page } = await dashboard.open('/runs/without');
    await page.getByRole('link', { name: 'Questions', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Grid', exact: true }).count()).toBe(0);
  });
});
