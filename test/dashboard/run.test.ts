import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/library/api/runs/run.ts';
import { missingParts } from '../../src/look/report/headline.ts';
import { sayScore } from '../../src/look/report/score-in-words.ts';
import type { TargetSummary } from '../../src/core/schema/summary.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { addSampleRun, mixedTrials } from '../support/sample-store.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const two = '20260211-093000-twos';
const one = '20260210-093000-ones';

describeInBrowser('the page of a run', () => {
  let store: Store;
  let exampleRun: Run;
  const dashboard = useDashboard(async () => {
    store = createMemoryStore();
    await addSampleRun(store, mixedTrials(30), { id: one, gate: { minCoverage: 1, failUnder: 0.9 } });
    await addSampleRun(store, [...mixedTrials(30, 'v1'), ...mixedTrials(30, 'v2')], { id: two });
    const example = path.resolve(import.meta.dirname, '../../examples/property-assistant');
    ({ run: exampleRun } = await run(example, { store, targetNames: ['v1'] }));
    return store;
  });

  test('has the headline that the terminal prints, to the letter', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const kept = await store.readRun(one);
    const target = kept?.summary?.targets[0] as TargetSummary;
    const { score, sure, basis } = sayScore(target, kept);
    const verdict = await page.getByRole('region', { name: 'Verdict' }).innerText();
    expect(verdict.replaceAll(/\s+/g, ' ')).toContain(`${score} ${sure}, ${basis}`);
    expect(verdict).toContain(missingParts(target, kept).join(' · '));
    expect(await findBarriers(page)).toEqual([]);
  });

  test('without a gate nothing was decided; what did not pass stands beside the score', async () => {
    const { page } = await dashboard.open(`/runs/${two}`);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    const text = await verdict.innerText();
    expect(text).toContain('No gate: nothing was decided');
    expect(text).toContain('An answer passes with a score of at least 70.0 %.');
    const kept = await store.readRun(two);
    const { count = 0 } = kept?.summary?.targets[0]?.selection.questions ?? {};
    const all = verdict.getByRole('link', { name: `${count} questions did not pass` }).first();
    const where = new URL((await all.getAttribute('href')) ?? '', page.url()).searchParams.get('where');
    expect(where).toBe('target=v1 result=failed|error|not-measured');
    await all.click();
    await page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();
  });

  test('numbers lead to the cases behind them', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const whereOf = async (row: string): Promise<string | null> => {
      const link = page.getByRole('table').getByRole('row', { name: row }).getByRole('link').first();
      const href = (await link.getAttribute('href')) ?? '';
      return new URL(href, page.url()).searchParams.get('where');
    };
    expect(await whereOf('Passed')).toBe('target=assistant result=passed');
    expect(await whereOf('Failed')).toBe('target=assistant result=failed');
    expect(await whereOf('fees')).toBe('target=assistant category=fees');
  });

  test('each number of the tables leads to a list of exactly as many answers, and missing verdicts to theirs', async () => {
    const seen = new Set<string>();
    for (const run of [one, two, exampleRun.id]) {
      const { page } = await dashboard.open(`/runs/${run}`);
      await page.getByRole('region', { name: 'How did the answers turn out?' }).waitFor();
      for (const link of await page.getByRole('main').locator('a[href*="where="]').all()) {
        // `12`, or `12 errors`.
        const [, digits = ''] =
          /^([\d,]+)(?: (?:error|not measured)\b.*)?$/.exec((await link.textContent()) ?? '') ?? [];
        const text = digits.replaceAll(',', '');
        const where = new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('where');
        if (text === '' || where === null) continue;
        const asked = new URL(`/api/runs/${run}/facets`, page.url());
        asked.searchParams.set('where', where);
        const { trials } = (await (await page.request.get(asked.href)).json()) as { trials: number };
        expect([where, trials]).toEqual([where, Number(text)]);
        seen.add(where.replace(/^target=(?:"[^"]*"|\S+) /, '').replace(/[=><].*$/, ''));
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'result',
        'category',
        'grade',
        'keywords',
        'latency',
        'errorReport',
        'contradiction',
      ]),
    );
  });

  test('says what to look at first', async () => {
    const { page } = await dashboard.open(`/runs/${one}`);
    const advice = await page.getByRole('region', { name: 'What to look at first' }).innerText();
    expect(advice).toContain('search was expected but not used');
    expect(advice).toContain('Open first: ');
  });

  test("two clicks lead from the run of the first example to its judge's raw reply", async () => {
    const { page } = await dashboard.open('/runs/latest');
    const roof = 'What did the inspection report say about the roof?';
    const region = page.getByRole('region', { name: 'What to look at first' });
    const tab = page.getByRole('navigation', { name: 'Pages of the run' }).locator('[aria-current=page]');
    expect(await tab.innerText()).toBe('Run');
    await region.getByRole('link', { name: roof, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: roof, exact: true }).waitFor();
    await page.getByText('Judge scripted').click();
    const reply = page.getByText('"verdict":"no"');
    await reply.waitFor();
    expect(await reply.textContent()).toContain('"reason":"The user learns nothing about the question."');
    await page.goBack();
    await region.waitFor();
  });

  test('the name of a metric leads to the answers that it found short, the lowest first', async () => {
    const { page } = await dashboard.open(`/runs/${exampleRun.id}`);
    await page.getByRole('link', { name: 'helps the user' }).click();
    await page.getByText('4 of 71 questions').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('where')).toBe('target=v1 "helps the user"<1');
    expect(searchParams.get('sort')).toBe('helps the user');
  });

  test('the address of the first case of an empty list says that there is none', async () => {
    const { page } = await dashboard.open(`/runs/${exampleRun.id}/cases/first?where=id%3Dnone`);
    await page.getByText('No question of this run matches.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
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

  test.skipIf(!isReleaseTested)(
    'the target shown in full is in the address (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open(`/runs/${two}`);
      await page.getByRole('navigation', { name: 'Target' }).getByRole('link', { name: 'v2' }).click();
      await page.waitForURL(/\?target=v2$/);
      await page.reload();
      const chosen = page.getByRole('navigation', { name: 'Target' }).locator('[aria-current]');
      expect(await chosen.textContent()).toBe('v2');
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.skipIf(!isReleaseTested)(
    'on a narrow screen only tables scroll sideways (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open(`/runs/${two}`, { viewport: { width: 390, height: 800 } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      // Nine categories do not fit beside each other: their row scrolls, the page does not.
      await page.goto(new URL(`/runs/${exampleRun.id}/cases`, page.url()).href);
      await page.getByRole('group', { name: 'Category' }).getByText('formation').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    },
  );
});
