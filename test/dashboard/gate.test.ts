import { expect, test } from 'vitest';
import { makeBaseline } from '../../src/decide/gate/make-baseline.ts';
import type { Gate } from '../../src/core/schema/gate.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { type GatedCase, runScores } from '../support/gated-run.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { baselineKind } from '../../src/stores/kinds/baseline.ts';
import { putDocuments } from '../../src/stores/documents/document-store.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';

/** 50 cases of two categories with two attempts each; of the first `failing` no attempt passes. */
function cases(failing: number): GatedCase[] {
  return Array.from({ length: 50 }, (_, index) => ({
    id: `refund-${index}`,
    category: index % 2 === 0 ? 'refunds' : hostile,
    scores: index < failing ? [0.2, 0.4] : [index % 3 === 0 ? 0.75 : 1, 1],
  }));
}

const rules: NonNullable<Gate['rules']> = {
  'mostly right': { type: 'pass-rate', atLeast: 80, confidence: 0.95, method: 'clopper-pearson' },
  [hostile]: { type: 'pass-rate', atLeast: 50, confidence: 0.95, method: 'clopper-pearson', category: '*' },
  'no worse': { type: 'no-regression', margin: 2, of: 'score', confidence: 0.95 },
  'never broken': { type: 'required-cases', ids: ['refund-0', 'refund-4*'] },
  fast: { type: 'latency', percentile: 'p90', atMostMs: 60_000 },
};

const ids = { failed: '', open: '', passed: '', none: '', missing: '' };

const store: Store = createMemoryStore();

async function buildStore(): Promise<Store> {
  const of = async (failing: number, gate: Partial<Gate>) =>
    (await runScores(cases(failing), { store, gate })).run;
  const before = await of(4, {});
  await putDocuments(store.documents, baselineKind, [await makeBaseline('main', before, store)]);
  ids.none = before.id;
  ids.failed = (await of(12, { failUnder: 85, rules, baseline: 'main' })).id;
  ids.open = (await of(7, { rules: { 'mostly right': rules['mostly right'] as never } })).id;
  ids.passed = (await of(0, { failUnder: 80 })).id;
  ids.missing = (await of(0, { baseline: 'release' })).id;
  return store;
}

describeInBrowser('the gate of a run', () => {
  const dashboard = useDashboard(buildStore);

  test('a failed gate lists every rule, with the failed ones first and the words of the terminal', async () => {
    const { page } = await dashboard.open(`/runs/${ids.failed}/gate`);
    const tabs = page.getByRole('navigation', { name: 'Pages of the run' }).locator('[aria-current]');
    expect(await tabs.allTextContents()).toEqual(['Gate']);
    expect(await page.getByRole('region', { name: 'Decision' }).getByRole('heading').textContent()).toBe(
      'The gate: ✗fail',
    );
    const names = await page.locator('h3').allTextContents();
    expect(names[0]).toContain('fail');
    expect(names.map((name) => name.includes('fail'))).toEqual(
      names.map((name) => name.includes('fail')).toSorted((one, other) => Number(other) - Number(one)),
    );
    const threshold = page.getByRole('listitem').filter({ hasText: 'mean of 50 questions' }).first();
    expect(await threshold.textContent()).toMatch(/failUnder.*80\.0 % is under 85 %.*Neededat least 85\.0 %/);
    const rate = page.getByRole('listitem').filter({ hasText: 'mostly right' }).last();
    expect(await rate.textContent()).toContain('one-sided 95 % bounds 64.');
    expect(await page.getByText('The baseline main').textContent()).toContain(ids.none);
    expect(await page.getByText(`touchstone gate ${ids.failed}`).count()).toBe(1);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('an inconclusive rule says how many cases would decide it', async () => {
    const { page } = await dashboard.open(`/runs/${ids.open}/gate`);
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text).toContain('inconclusive');
    expect(text).toMatch(/About \d+ questions, \d+ more than now, would decide it with 80 % power/);
    expect(text).toMatch(/The run itself \(50 questions, 2 attempts each\) would show \d+\.\d points/);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the difference to plan for is part of the address', async () => {
    const { page } = await dashboard.open(`/runs/${ids.open}/gate`);
    const questions = page.getByRole('region', { name: 'Sizes that suffice' }).locator('tbody td').first();
    const ofFive = await questions.textContent();
    await page.getByRole('group', { name: 'Points' }).getByRole('link', { name: '10', exact: true }).click();
    await page.getByText('a difference of 10.0 points').waitFor();
    expect(page.url()).toContain('difference=10');
    expect(await questions.textContent()).not.toBe(ofFive);
    await page.reload();
    await page.getByText('a difference of 10.0 points').waitFor();
  });

  test('the page of the run has the share of cases of each category of which all attempts pass', async () => {
    const { page } = await dashboard.open(`/runs/${ids.failed}`);
    const table = page.getByRole('region', { name: 'Categories' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toContain('pass^2');
    // Of 25 cases of refunds, the attempts at 6 fail.
    expect(await table.getByRole('row', { name: 'refunds' }).innerText()).toMatch(
      /76\.0 % \[\d+\.\d, \d+\.\d\]/,
    );
  });

  test.skipIf(!isReleaseTested)(
    'a gate that passed, and one without its baseline, say so (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const passed = await dashboard.open(`/runs/${ids.passed}/gate`);
      expect(await passed.page.getByRole('main').textContent()).toMatch(/pass.*is at least 80 %/);
      const missing = await dashboard.open(`/runs/${ids.missing}/gate`);
      const text = await missing.page.getByRole('main').textContent();
      expect(text).toContain('not measured');
      expect(text).toContain('There is no baseline "release"');
      expect(await findBarriers(missing.page)).toEqual([]);
    },
  );

  test('a run without a gate shows how to get one', async () => {
    const { page } = await dashboard.open(`/runs/${ids.none}/gate`);
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text).toContain('This run has no gate');
    expect(text).toContain(`touchstone gate ${ids.none} --fail-under 80`);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a run becomes a baseline by keyboard, after a word on which run it replaces', async () => {
    const { page } = await dashboard.open(`/runs/${ids.passed}/gate`, { mayFail: ['400'] });
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Set as baseline' });
    await dialog.getByText(`It replaces ${ids.none} under this name.`).waitFor();
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('../outside');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('request-invalid').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await name.fill('release-2');
    await dialog.getByText('There is no baseline of this name yet.').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('status').getByText('Saved as release-2').waitFor();
    await page.getByText('This run is the baseline release-2.').waitFor();
    expect((await store.documents.get(baselineKind, ['release-2']))?.run.id).toBe(ids.passed);
    expect((await store.documents.get(baselineKind, ['main']))?.run.id).toBe(ids.none);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('`g g` leads from the run to its gate, `g v` back', async () => {
    const { page } = await dashboard.open(`/runs/${ids.open}/gate`);
    await pressTogether(page, 'g v', (limit) => page.waitForURL(`**/runs/${ids.open}`, limit));
    const heading = page.getByRole('heading', { level: 1, name: 'Gate' });
    await pressTogether(page, 'g g', (limit) => heading.waitFor(limit));
    expect(new URL(page.url()).pathname).toBe(`/runs/${ids.open}/gate`);
  });
});
