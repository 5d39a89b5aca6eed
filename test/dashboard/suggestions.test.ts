import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { storeToolRun, type ToolCase } from '../support/tool-records.ts';

/** Answers of which every second one forgets to book, and whose other tools have hostile names. */
async function buildStore(): Promise<Store> {
  const store = createMemoryStore();
  const cases = hostileTexts.map((name, index): ToolCase => {
    const calls = index % 2 === 0 ? ['search orders', name] : ['book'];
    const late = { status: 'failed', code: index % 2 === 0 ? 'judge-timeout' : name, reason: name } as const;
    return {
      id: `case-${index}`,
      expected: ['book'],
      answers: { bot: { calls, passed: index % 2 !== 0, verdicts: { arguments: late } } },
    };
  });
  await storeToolRun(cases, buildRun().targets, { store, id: 'with-tools' });
  return store;
}

describeInBrowser('suggestions in the filter', () => {
  const dashboard = useDashboard(buildStore);
  const options = async (page: Page) => await page.getByRole('option').allTextContents();
  const half = Math.ceil(hostileTexts.length / 2);

  test('a field and its value are found by keyboard alone: which answers missed a tool', async () => {
    const { page } = await dashboard.open('/runs/with-tools/cases');
    await page.locator('[role=row][data-index="0"]').waitFor();
    await page.keyboard.press('f');
    const filter = page.getByRole('combobox', { name: 'Filter' });
    await page.keyboard.type('mis');
    await page.getByRole('option', { name: 'missingTool' }).waitFor();
    expect(await filter.getAttribute('aria-expanded')).toBe('true');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = await filter.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    while ((await filter.inputValue()) === 'mis') {
      const marked = await page.locator('[role=option][aria-selected=true]').textContent();
      await page.keyboard.press(marked === 'missingTool' ? 'Enter' : 'ArrowDown');
    }
    expect(await filter.inputValue()).toBe('missingTool=');
    await page.getByRole('option', { name: `book ${half}` }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/cases?where=missingTool%3Dbook');
    await page.locator(`[role=grid][aria-rowcount="${half + 1}"]`).waitFor();
    expect(await options(page)).toEqual([]);
  });

  test('Escape closes the list and leaves what is typed, and a value with a space is put in quotation marks', async () => {
    const { page } = await dashboard.open('/runs/with-tools/cases', {
      viewport: { width: 390, height: 800 },
    });
    const filter = page.getByRole('combobox', { name: 'Filter' });
    await filter.click();
    await page.keyboard.type('tool=ORD');
    await page.getByRole('option', { name: `search orders ${half}` }).waitFor();
    await page.keyboard.press('Escape');
    expect([await filter.inputValue(), await options(page)]).toEqual(['tool=ORD', []]);
    expect(await page.evaluate('document.activeElement?.role')).toBe('combobox');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: `search orders ${half}` }).click();
    await page.waitForURL('**/cases?where=tool%3D%22search+orders%22');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('a slip in the name of a field is named', async () => {
    const { page } = await dashboard.open('/runs/with-tools/cases');
    await page.getByRole('combobox', { name: 'Filter' }).fill('misingTool=book');
    await page.getByText('Did you mean "missingTool"?').waitFor();
    expect(new URL(page.url()).searchParams.get('where')).toBeNull();
  });

  test('hostile names of tools and codes are text only, and each finds its own answers', async () => {
    const { page, faults } = await dashboard.open('/runs/with-tools/tools');
    await page.getByRole('region', { name: 'Tools', exact: true }).waitFor();
    await page.goto(new URL('/runs/with-tools/cases?where=gap.arguments%3D*', page.url()).href);
    const filter = page.getByRole('combobox', { name: 'Filter' });
    for (const typed of ['tool=', 'gap.arguments=', 'tool=<', "tool='", 'calls=']) {
      await filter.fill(typed);
      await page.getByRole('option').first().waitFor();
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('a metric has a column of its own, by which the list is sorted', async () => {
    const { page } = await dashboard.open('/runs/with-tools/cases?columns=id,metric.arguments');
    await page.getByRole('row').nth(1).getByText('not measured').waitFor();
    await page.getByRole('button', { name: 'arguments' }).click();
    await page.waitForURL('**/cases?*sort=metric.arguments*');
    expect(await findBarriers(page)).toEqual([]);
  });
});
