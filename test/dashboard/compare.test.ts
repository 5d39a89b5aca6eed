import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Run } from '../../src/core/schema/run.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { type AskedCase, buildKeptRun } from '../support/build-kept-run.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const totalsOfA = [1, 1, 0.9, 0.8, 0.7, 0.2, 0.1, 0, 1, 1, null];
const totalsOfB = [0.1, 0.2, 0.9, 0.5, 0.7, 1, 0.4, 0, 1, 1, 1];

function asked(totals: readonly (number | null)[], answer: (index: number) => string): AskedCase[] {
  return totals.map((total, index) => ({
    asks: `What is fee ${index}?`,
    id: `fee-${index}`,
    category: index % 2 === 0 ? 'taxes' : 'deeds',
    attempts: [{ total, answer: answer(index), latencyMs: 10 * index + totals.length }],
  }));
}

async function addRuns(store: Store): Promise<void> {
  const addRun = async (id: string, cases: readonly AskedCase[], parts: Partial<Run> = {}) => {
    await buildKeptRun(cases, { id, ...parts }, store);
  };
  const git = { commit: 'a1b2c3d4'.repeat(5), branch: 'main', dirty: false };
  await addRun(
    'run-a',
    asked(totalsOfA, (index) => `The fee is ${index} euros.`),
    {
      createdAt: '2026-01-01T00:00:00.000Z',
      description: 'before',
      git,
    },
  );
  await addRun(
    'run-b',
    asked(totalsOfB, (index) => `The fee is\n${index + 10} euros.`),
    {
      createdAt: '2026-01-02T00:00:00.000Z',
      description: 'after',
      targets: [
        { name: 'bot', use: { use: 'module', with: { model: 'large' } }, fingerprint: '5'.repeat(32) },
      ],
    },
  );
  await addRun('run-other', [{ asks: 'Another question', attempts: [{ total: 1 }] }], {
    createdAt: '2026-01-03T00:00:00.000Z',
  });
}

/** Returns the text of the section of the page under a heading. */
async function textOf(page: Page, title: string): Promise<string> {
  const section = page.getByRole('region', { name: title, exact: true });
  await section.waitFor();
  return (await section.textContent()) ?? '';
}

const rowNames = (page: Page) => page.locator('[data-row]').allTextContents();

describeInBrowser('the comparison of two runs', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await addRuns(store);
    return store;
  });
  const openPair = async (more = '') => (await dashboard.open(`/compare?a=run-a&b=run-b${more}`)).page;

  test('it says in words and numbers whether B is better, and what else changed', async () => {
    const page = await openPair();
    const verdict = await textOf(page, 'Is B better than A?');
    expect(verdict).toContain('No visible difference');
    expect(verdict).toContain('On the score, B − A is −9.0 points, [');
    expect(verdict).toContain('n = 10 questions');
    expect(verdict).toContain(
      "1 pair of 11 not measured (1 not in A). A and B are compared over the rest; a run's own score is over all of its answers and can differ.",
    );
    expect(await textOf(page, 'What else changed between the runs?')).toContain('with.modelnot set"large"');
    const measures = page.getByRole('region', { name: 'Differences' });
    expect(await measures.getByRole('row', { name: /^score/ }).textContent()).toContain('67.0 %58.0 %−9.0');
    expect(await measures.getByRole('row', { name: /^taxes/ }).textContent()).toContain('1 / 1 / 3');
    expect(await textOf(page, 'What is not compared?')).toContain(
      '1 question not measured in A alone: fee-10',
    );
    expect(await page.getByText('commit a1b2c3d of main').count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the table of passes leads to the cases behind each number', async () => {
    const page = await openPair();
    const table = page.getByRole('table', { name: 'Passes in A against passes in B' });
    expect(await table.getByRole('cell').allTextContents()).toEqual(['', '4', '3', '1', '2']);
    await table.getByRole('link', { name: '3 questions: passed in A only' }).click();
    await page.getByText('3 questions match the filter').waitFor();
    expect(new URL(page.url()).searchParams.get('where')).toBe('a.passed=true b.passed=false');
    expect(await rowNames(page)).toEqual([0, 1, 3].map((fee) => `What is fee ${fee}?`));
    await page.goBack();
    await page.getByText('11 questions', { exact: true }).last().waitFor();
    expect(await textOf(page, 'Which questions flipped?')).toContain('What is fee 5?+80.0');
  });

  test('the paired differences are those of the chosen measure', async () => {
    const page = await openPair();
    const plot = (name: RegExp) => page.getByRole('img', { name }).waitFor();
    await plot(/on the score: 3 worse, 2 better, 5 equal/);
    await page.getByRole('combobox', { name: 'Measure' }).selectOption('pass rate');
    await plot(/on the pass rate: 3 worse, 1 better, 6 equal/);
    expect(new URL(page.url()).searchParams.get('measure')).toBe('passed');
    await page.reload();
    await plot(/on the pass rate/);
  });

  test('a filter, the cases and their answers are reached by keyboard', async () => {
    const page = await openPair();
    await page.keyboard.press('/');
    await page.keyboard.type('flip=worse');
    await page.keyboard.press('Enter');
    await page.getByText('3 questions match the filter').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Question fee-1', exact: true });
    await panel.getByText('2 of 3').waitFor();
    const [removed, added] = [panel.locator('del'), panel.locator('ins')];
    await removed.waitFor();
    expect([await removed.allTextContents(), await added.allTextContents()]).toEqual([['1'], ['11']]);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('d');
    await removed.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.getByRole('dialog', { name: 'Question fee-3', exact: true }).getByText('3 of 3').waitFor();
    await page.keyboard.press('k');
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.row')).toBe('fee-1');
    expect(new URL(page.url()).searchParams.get('case')).toBeNull();
  });

  test('an open case has both verdicts and leads to the case in each run', async () => {
    const page = await openPair('&case=fee-5&where=flip=better');
    const panel = page.getByRole('dialog', { name: 'Question fee-5' });
    const verdicts = panel.getByRole('region', { name: 'Verdicts' });
    expect(await verdicts.getByRole('row', { name: /keywords/ }).textContent()).toBe(
      'keywordsdiffers20.0 %100.0 %',
    );
    const links = panel.getByRole('link', { name: /Open the question in run/ });
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      '/runs/run-a/cases/5',
      '/runs/run-b/cases/5',
    ]);
    const open = panel.getByRole('region', { name: 'Answer of A' });
    expect(await open.textContent()).toContain('✗failed');
  });

  test('A and B are swapped, and other runs are picked', async () => {
    const page = await openPair();
    await page.keyboard.press('s');
    await page.getByText('B − A is +9.0 points').waitFor();
    expect(page.url()).toContain('a=run-b&b=run-a');
    await page.getByRole('combobox', { name: 'Run B' }).selectOption({ value: 'run-other' });
    await page.getByText('The runs share no question').waitFor();
    expect(await textOf(page, 'What is not compared?')).toContain('1 question only in B: Another question');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('an invalid filter is explained, and the rest of the page stays', async () => {
    const { page } = await dashboard.open('/compare?a=run-a&b=run-b&where=colour=red', { mayFail: ['400'] });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('unknown field');
    expect(await textOf(page, 'Is B better than A?')).toContain('No visible difference');
    await page.getByRole('button', { name: 'Worse', exact: true }).click();
    await page.getByText('3 questions match the filter').waitFor();
  });

  test.skipIf(!isReleaseTested)(
    'an unknown run is explained, and another one can be picked (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/compare?a=none&b=run-b', { mayFail: ['404'] });
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('run-not-found');
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('combobox', { name: 'Run A' }).selectOption({ value: 'run-a' });
      await textOf(page, 'Is B better than A?');
    },
  );

  test.skipIf(!isReleaseTested)(
    'on a narrow screen, nothing is wider than the page (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/compare?a=run-a&b=run-b', {
        viewport: { width: 390, height: 800 },
      });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
      await page.getByRole('link', { name: 'What is fee 0?' }).first().click();
      await page.getByRole('dialog', { name: 'Question fee-0' }).locator('del').waitFor();
      expect(await page.evaluate(overflow)).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});

describeInBrowser('the comparison of a single run', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await buildKeptRun(asked(totalsOfA, String), { id: 'only' }, store);
    return store;
  });

  test('it says that a comparison takes two', async () => {
    const { page } = await dashboard.open('/compare', { mayFail: ['404'] });
    await page.getByText('A comparison takes two runs').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});

const hostile = [
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
  '[link](javascript:window.pwned=1) ![image](https://evil.example/x.png)',
  '\u202Eexe.evil\u202C pay\u200Bpal\u0007 "quoted" a=b|c*',
  'unbroken'.repeat(400),
  '日本語 👩‍👩‍👧 é half \uD83D'.toWellFormed(),
  `zalgo${'\u0301'.repeat(200)}`,
];

describeInBrowser('the comparison of runs with hostile texts', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    for (const [index, id] of ['run-a', 'run-b'].entries()) {
      const cases = hostile.map(
        (text, place): AskedCase => ({
          asks: `${text} ${place}`,
          id: text,
          category: text,
          attempts: [{ total: (place + index) % 2, answer: `${text} ${index}` }],
        }),
      );
      await buildKeptRun(
        cases,
        {
          id,
          createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
          description: hostile.join(' '),
          metrics: hostile.map((name) => ({ name, use: { use: name }, version: 1, fingerprint: `${index}` })),
          targets: [
            {
              name: hostile[2] ?? '',
              use: {
                use: 'module',
                with: Object.fromEntries(hostile.map((text) => [text, `${text} ${index}`])),
              },
              fingerprint: `${index}`,
            },
          ],
        },
        store,
      );
    }
    return store;
  });

  test.skipIf(!isReleaseTested)(
    'they are shown as they are, everywhere (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/compare?a=run-a&b=run-b');
      await page.getByText('6 questions', { exact: true }).last().waitFor();
      for (let place = 0; place < hostile.length; place += 1) {
        await page.locator('[data-row]').nth(place).click();
        await page.locator('[role=dialog] ins').waitFor();
        await page.keyboard.press('Escape');
        await page.locator('[role=dialog]').waitFor({ state: 'detached' });
      }
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
