import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { storeFeedback } from '../support/feedback-store.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';

describeInBrowser('feedback', () => {
  const dashboard = useDashboard(
    async () =>
      await storeFeedback({
        categories: ['deeds', 'taxes', hostile],
        targets: ['bot', 'other'],
        comment: hostile,
      }),
  );

  test('`g f` leads to the page, on which each number leads to its answers, and an answer to its case', async () => {
    const { page } = await dashboard.open('/');
    const heading = page.getByRole('heading', { level: 1, name: 'Feedback' });
    await pressTogether(page, 'g f', (limit) => heading.waitFor(limit));
    const byCategory = page.getByRole('region', { name: 'Feedback by category' }).locator('tbody tr');
    await byCategory.first().waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text).toContain(
      '410 records: 409 about an answer in the store, 0 waiting for theirs, 1 without one · 1 came in more than a day late · 1 opinion replaced',
    );
    // 2, 5, 8, 11, 14 and 17 of 32 are disliked, twice: 114 of 384; proportion_confint(114, 384, method='wilson')
    expect(await byCategory.first().textContent()).toBe(
      'all384384 100.0 %29.7 % [25.3, 34.4]29.7 to 29.7 %1212',
    );
    expect(await findBarriers(page)).toEqual([]);
    const negative = byCategory.filter({ hasText: 'taxes' }).getByRole('link', { name: '%' });
    await negative.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('38 answers').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      said: 'negative',
      category: 'taxes',
    });
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/runs/run-1/cases/*');
  });

  test.skipIf(!isReleaseTested)(
    'scores are held against opinions, with a table beside each chart (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/feedback?target=bot&period=2020-W01');
      const scores = page.getByRole('region', { name: 'Scores against opinions' }).locator('tbody tr');
      expect(await scores.first().textContent()).toContain('not measured: 6 of 8 units');
      await page.getByRole('link', { name: 'all', exact: true }).press('Enter');
      await scores.first().getByText('1.000').waitFor();
      expect(await scores.nth(2).textContent()).toMatch(/^AUC of score0\.\d{3} \[/);
      for (const name of ['Score and users, unit by unit', 'Negative opinions by week']) {
        const figure = page.getByRole('figure', { name });
        await figure.getByText('As table').press('Enter');
        expect(await figure.locator('tbody tr').count()).toBe(name.startsWith('Score') ? 12 : 2);
      }
      await page
        .getByRole('figure', { name: 'Score and users' })
        .locator('tbody tr')
        .filter({ hasText: 'deeds' })
        .first()
        .getByRole('link')
        .press('Enter');
      await page.getByText('Only of 2026-W01, deeds, bot.').waitFor();
      expect(await page.getByRole('status').textContent()).toBe('32 answers');
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.skipIf(!isReleaseTested)(
    'texts of users stay texts, and a narrow screen scrolls within tables (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/feedback', { viewport: { width: 390, height: 800 } });
      await page.getByRole('link', { name: 'liked', exact: true }).press('Enter');
      await page.getByRole('link', { name: 'disliked', exact: true }).press('Enter');
      const rows = page.getByRole('region', { name: 'Answers with feedback' });
      await rows.waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});

describeInBrowser('a store without feedback', () => {
  const dashboard = useDashboard(() => Promise.resolve(createMemoryStore()));

  test('the page says how feedback comes in, and the bar does not name it', async () => {
    const { page } = await dashboard.open('/feedback');
    await page.getByText('Users have said nothing yet').waitFor();
    expect(await page.getByText('touchstone feedback import FILE.jsonl').count()).toBe(1);
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByText('Feedback').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  });
});
