import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { buildCaseStore } from '../support/build-case-store.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** Returns the texts of the visible rows of the list. */
async function rowsOf(page: Page): Promise<string[]> {
  return await page.locator('[role=row][data-index]').allInnerTexts();
}

/** Waits until the list has a number of rows, for a screen reader. */
async function expectRows(page: Page, count: number): Promise<void> {
  await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
}

describeInBrowser('the cases of a run', () => {
  const dashboard = useDashboard(() => buildCaseStore());

  test('has a row for each case and target, with its attempts, and nothing that axe objects to', async () => {
    const { page } = await dashboard.open('/runs/latest/cases');
    await expectRows(page, 240);
    const first = page.getByRole('row').nth(1);
    expect(await first.textContent()).toContain('case-0');
    expect(await first.getByRole('img', { name: 'attempts: passed, failed' }).count()).toBe(1);
    expect(await page.getByRole('main').textContent()).toContain('240 answers, 480 attempts');
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'draws at most 60 rows however many there are, and reads on when it is scrolled (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases');
      await expectRows(page, 240);
      const grid = page.getByRole('grid');
      for (let count = 0; count < 30; count += 1) {
        expect((await rowsOf(page)).length).toBeLessThanOrEqual(60);
        if ((await rowsOf(page)).some((text) => text.includes('case-119'))) break;
        await grid.evaluate((element) => element.scrollBy(0, 2_000));
        await page.waitForTimeout(50);
      }
      expect((await rowsOf(page)).some((text) => text.includes('case-119'))).toBe(true);
    },
  );

  test('a value with its count is added to the filter by a click, and removed by another', async () => {
    const { page } = await dashboard.open('/runs/latest/cases');
    const taxes = page.getByRole('button', { name: 'taxes 120' });
    await taxes.click();
    await expectRows(page, 60);
    expect(new URL(page.url()).searchParams.get('where')).toBe('category=taxes');
    expect(await taxes.getAttribute('aria-pressed')).toBe('true');
    // The other values of the field keep their counts.
    await page.getByRole('button', { name: 'deeds 360' }).waitFor();
    await taxes.click();
    await expectRows(page, 240);
  });

  test.skipIf(!isReleaseTested)(
    'a bar of the scores narrows the list to them, by keyboard, and a second time widens it again (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases?where=target%3Dbot');
      const chart = page.getByRole('figure', { name: 'How are the scores spread?' });
      await chart.getByText('12 answers without a score are in no bar.').waitFor();
      // Every third case has a first attempt with a score of 1; in the last bar are also scores from 95 to 100 %.
      const last = chart.getByRole('link', { name: '95 % to 100 %: 40 answers' });
      await last.focus();
      await page.keyboard.press('Enter');
      await expectRows(page, 40);
      expect(new URL(page.url()).searchParams.get('where')).toBe('target=bot total>=0.95');
      expect(await last.getAttribute('aria-current')).toBe('true');
      await chart.getByText('As table').click();
      expect(await findBarriers(page)).toEqual([]);
      await chart.getByRole('row', { name: '95 % to 100 %' }).getByRole('link').click();
      await expectRows(page, 120);
    },
  );

  test('a column is sorted by its head: the least first, then the greatest', async () => {
    const { page } = await dashboard.open('/runs/latest/cases?where=target%3Dbot');
    await page.getByRole('button', { name: 'Score' }).click();
    await page
      .getByRole('columnheader', { name: 'Score', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('row').nth(1).getByText('0.0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Score' }).click();
    await page.getByRole('row').nth(1).getByText('100.0').waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-total');
  });

  test.skipIf(!isReleaseTested)(
    'the rows that are there stay when the server no longer answers, and the rest follows when it does (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases', { mayFail: ['net::ERR_FAILED'] });
      await expectRows(page, 240);
      await page.route(/\/trials\?after=/, async (route) => await route.abort());
      const grid = page.getByRole('grid');
      await grid.evaluate((element) => element.scrollBy(0, 2_500));
      const alert = page.getByRole('alert');
      await alert.getByText('The server of this page does not answer.').waitFor();
      expect((await rowsOf(page)).length).toBeGreaterThan(10);
      await page.unrouteAll();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor({ state: 'detached' });
      // The list is as long as the rows that have arrived: how far it can be scrolled grows with them.
      const row = page.getByRole('row', { name: 'case-55' });
      const scrollToRow = async () => {
        await grid.evaluate((element) => element.scrollTo(0, 3_500));
        return await row.count();
      };
      await expect.poll(scrollToRow).toBeGreaterThan(0);
    },
  );

  test('an invalid filter is explained as on the command line', async () => {
    const { page } = await dashboard.open('/runs/latest/cases?where=categry%3Dtaxes');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain(
      'The filter "categry=taxes" names an unknown field. Did you mean "category"?',
    );
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('an empty result says which term leaves nothing', async () => {
    const { page } = await dashboard.open('/runs/latest/cases?where=category%3Dtaxes+total>2');
    await page.getByText('Nothing matches the filter').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Without total>2: 120 answers' }).click();
    await expectRows(page, 60);
  });

  test('the columns are chosen in the address, and the browser remembers the last choice', async () => {
    const { page } = await dashboard.open('/runs/latest/cases?columns=id,cost');
    const heads = async () => await page.getByRole('columnheader').allInnerTexts();
    await expectRows(page, 240);
    expect((await heads()).map((head) => head.trim())).toEqual(['', 'Id', 'Cost']);
    await page.getByText('Columns').first().click();
    await page.getByRole('checkbox', { name: 'Question' }).check();
    expect(new URL(page.url()).searchParams.get('columns')).toBe('id,question,cost');
    await page.goto(dashboard.server().addressOf('/runs/latest/cases'));
    await page.getByRole('columnheader', { name: 'Question' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Answer' }).count()).toBe(0);
  });

  test('everything is done by keyboard: filter, move, select, open, come back', async () => {
    const { page } = await dashboard.open('/runs/latest/cases');
    await expectRows(page, 240);
    await page.keyboard.press('f');
    await page.keyboard.type('category=taxes target=bot');
    await page.keyboard.press('Enter');
    await expectRows(page, 30);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.waitFor();
    expect(await selection.textContent()).toContain('1 question selected');
    expect(await selection.textContent()).toContain('touchstone run --target bot --filter id=case-4');
    await page.keyboard.press('Enter');
    // Its second attempt is the one that did not pass.
    await page.waitForURL(/\/cases\/17\?/);
    await page.locator('main .font-mono').getByText('case-4', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/cases\?/);
    await page.locator('[role=row]:focus').waitFor();
    expect(await page.locator('[role=row]:focus').textContent()).toContain('case-4');
  });

  test('selected answers become a review task, which asks a new question, by keyboard alone', async () => {
    const { page } = await dashboard.open('/runs/latest/cases?where=target%3Dbot');
    await expectRows(page, 120);
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByRole('button', { name: 'Ask people…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Ask people about 2 answers' });
    await dialog.getByRole('textbox', { name: 'Question' }).focus();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.type('Is it kind?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reviews\/is-it-kind-/);
    await page.goto(dashboard.server().addressOf('/reviews'));
    await page.getByText(/^2 items of/).waitFor();
  });

  test.skipIf(!isReleaseTested)(
    'a text is found in the answers, marked, opened and come back to, by keyboard alone (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases?where=target%3Dbot');
      await expectRows(page, 120);
      await page.keyboard.press('j');
      await page.keyboard.press('Control+f');
      await page.keyboard.type('PROPERTY number 1');
      const results = page.getByRole('region', { name: 'Search results' });
      // 1, 10 to 19 and 100 to 119: 31 cases with two attempts each.
      await results.getByText('50 answers contain the text').waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('PROPERTY number 1');
      expect(await results.getByRole('listitem').first().innerText()).toMatch(
        /case-1 .*attempt 1\s+question\s*Which tax applies to property number 1\?/,
      );
      expect(await results.locator('mark').first().textContent()).toBe('property number 1');
      expect(await results.getByRole('status').textContent()).toMatch(/· 2\d\d of 240 answers searched/);
      expect(await findBarriers(page)).toEqual([]);
      await results.getByRole('button', { name: 'Continue the search' }).click();
      await results.getByText('62 answers contain the text · All 240 answers searched').waitFor();

      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.locator('main .font-mono').getByText('case-1', { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');
      await results.getByText('62 answers').waitFor();
      await page.locator('[data-row="5"]:focus').waitFor();

      await page.keyboard.press('/');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('nowhere');
      await page.getByText('No answer contains the text').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expectRows(page, 120);
    },
  );

  test('rows are cards on a narrow screen, and the page does not scroll sideways', async () => {
    const { page } = await dashboard.open('/runs/latest/cases', { viewport: { width: 390, height: 844 } });
    await expectRows(page, 240);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(390);
  });
});

describeInBrowser('hostile texts in every field', () => {
  const dashboard = useDashboard(() => buildCaseStore(hostileTexts));

  test.skipIf(!isReleaseTested)(
    'are shown as texts, with marks for what cannot be seen (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open(
        '/runs/latest/cases?columns=result,id,category,question,answer,tags',
      );
      const grid = page.getByRole('grid');
      await grid.waitFor();
      for (let count = 0; count < 10; count += 1) {
        await grid.evaluate((element) => element.scrollBy(0, 400));
        await page.waitForTimeout(20);
      }
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
      await page.getByRole('textbox', { name: 'Search' }).fill('<');
      await page.getByRole('region', { name: 'Search results' }).locator('mark').first().waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
