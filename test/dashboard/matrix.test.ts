import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { matrix } from '../../src/library/api/compare.ts';
import { matrixHtml } from '../../src/look/reporters/html-matrix.ts';
import { html } from '../../src/look/reporters/html.ts';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { temporaryFolder } from '../run-cli.ts';
import { describeInBrowser, findBarriers, useBrowser, useDashboard } from '../support/browser.ts';
import { type AskedCase, buildKeptRun } from '../support/build-kept-run.ts';
import { buildWholeStore, wholeStore } from '../support/build-whole-store.ts';
import { sampleInput, sampleView } from '../support/build-sample-run.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import type { SampleTrial } from '../support/judge-sample.ts';
import { countMouseEvents } from '../support/key-walk.ts';

const totals = {
  v1: [1, 0.2, 1, 0, 1, null],
  v2: [1, 0.2, 0.4, 1, 1, 1],
  v3: [1, 0.2, 0.4, 1, 0.9, 0],
} as const;

function asked(values: readonly (number | null)[], version: string): AskedCase[] {
  return values.map((total, index) => ({
    asks: index === 4 ? 'متى يجب دفع الضريبة؟' : `Which fee is due for case ${index}?`,
    id: `fee-${index}`,
    category: index % 2 === 0 ? 'taxes' : 'deeds',
    attempts: [
      {
        total,
        answer:
          index === 4
            ? 'تدفع الضريبة في ٣ مارس.'
            : `The fee of case ${index} is ${version.slice(1)}0 euros.\nPay it by March.\nThen wait.\nYou get a letter.\nKeep it.`,
      },
    ],
  }));
}

async function addRuns(store: Store): Promise<void> {
  for (const [id, values] of Object.entries(totals)) {
    const more =
      id === 'v2' ? [{ asks: 'Only v2 was asked this.', id: 'extra', attempts: [{ total: 1 }] }] : [];
    const { run } = await buildKeptRun([...asked(values, id), ...more], { id, name: `prompt ${id}` }, store);
    await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
  }
  const often: AskedCase[] = [
    {
      asks: 'Which fee is due for case 0?',
      id: 'fee-0',
      attempts: [{ total: 1 }, { total: 0 }, { total: 1 }],
    },
  ];
  await buildKeptRun(often, { id: 'often' }, store);
  await buildKeptRun(
    [{ asks: 'Something else', id: 'else', attempts: [{ total: 1 }] }],
    { id: 'other' },
    store,
  );
}

async function addLongRuns(store: Store): Promise<void> {
  const long = Array.from(
    { length: 400 },
    (_, index): AskedCase => ({
      asks: `Long ${index}`,
      attempts: [{ total: index % 3 === 0 ? 0 : 1, answer: 'word '.repeat(300) }],
    }),
  );
  await buildKeptRun(long, { id: 'long-a' }, store);
  await buildKeptRun(long, { id: 'long-b' }, store);
}

const cells = (page: Page, row: number) =>
  page
    .locator('[role=row]')
    .nth(row + 1)
    .locator('[role=gridcell]');
const questions = (page: Page) => page.locator('[role=rowheader] > div:first-child').allTextContents();
const focusedCell = async (page: Page) => await page.evaluate('document.activeElement.dataset.cell');
const paramOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describeInBrowser('the matrix', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await addRuns(store);
    await addLongRuns(store);
    return store;
  });
  const all = '/matrix?columns=v1,v2,v3';

  test('a cell has the result with its word, the score, the answer and the reason; a head has the headline', async () => {
    const { page } = await dashboard.open(all);
    const texts = await cells(page, 3).allInnerTexts();
    expect(texts[0]).toMatch(/failed\s+0\.0 %\s+The fee of case 3 is 10 euros\.\nPay it by March\./);
    expect(texts[1]).toMatch(/passed\s+100\.0 %/);
    expect(await cells(page, 5).first().innerText()).toContain('not measured');
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads[1]).toMatch(/A\s+bot\s+×\s+Leave out bot\s+prompt v1\s+· .*\s+64\.0 %.*n = 5\/6/s);
    expect(await page.getByRole('status').first().innerText()).toBe('6 questions, 3 columns');
    expect(await page.title()).toBe('Matrix: prompt v1, prompt v2, prompt v3 · Touchstone');
    expect(await page.getByRole('region', { name: 'What is not in every column?' }).innerText()).toContain(
      'B bot, v2: 1 question that not all others were asked: extra',
    );
    expect(await findBarriers(page)).toEqual([]);
  });

  test('one click shows the rows where they differ, where all fail, and where one alone fails', async () => {
    const { page } = await dashboard.open(all);
    const rows = page.getByRole('group', { name: 'Rows' });
    const choose = async (name: RegExp, wanted: readonly number[]): Promise<void> => {
      await rows.getByRole('button', { name }).click();
      await page.getByText(`${wanted.length} of 6 questions, 3 columns`).waitFor();
      await expect
        .poll(() => questions(page))
        .toEqual(wanted.map((fee) => `Which fee is due for case ${fee}?`));
    };
    expect(await rows.getByRole('button').allInnerTexts()).toEqual([
      'All6',
      'They differ3',
      'All fail1',
      'Not all pass4',
      'Only A fails1',
      'Only B fails0',
      'Only C fails0',
    ]);
    await choose(/^They differ/, [2, 3, 5]);
    await choose(/^All fail/, [1]);
    await choose(/^Only A fails/, [3]);
    await rows.getByRole('button', { name: /^Only B/ }).click();
    await page.getByText('No question matches').waitFor();
    await page.getByRole('link', { name: 'Show all questions' }).click();
    await page.getByText('6 questions, 3 columns', { exact: true }).waitFor();
  });

  test('by keyboard alone: rows that differ, from cell to cell, an answer and back to its cell', async () => {
    const { page } = await dashboard.open(all);
    const clicks = await countMouseEvents(page);
    await page.keyboard.press('2');
    await page.getByText('3 of 6 questions, 3 columns').waitFor();
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    await page.keyboard.press('j');
    expect(await focusedCell(page)).toBe('0:0');
    for (const [key, cell] of [
      ['ArrowRight', '0:1'],
      ['ArrowDown', '1:1'],
      ['ArrowRight', '1:2'],
      ['ArrowRight', '1:2'],
      ['Home', '1:-1'],
      ['End', '1:2'],
      ['Control+End', '2:2'],
      ['Control+Home', '0:-1'],
      ['j', '1:-1'],
      ['ArrowRight', '1:0'],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await focusedCell(page)]).toEqual([key, cell]);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Which fee is due for case 3?' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/runs/v1/cases/3');
    await page.keyboard.press('Escape');
    await page.getByText('3 of 6 questions, 3 columns').waitFor();
    await expect.poll(() => focusedCell(page)).toBe('1:0');
    expect([paramOf(page, 'where'), paramOf(page, 'at')]).toEqual(['cells=differ', '3a']);
    await page.keyboard.press('/');
    await page.keyboard.type(' c.passed=true');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 6 questions, 3 columns').waitFor();
    expect(clicks()).toBe(0);
  });

  test('a column is left out by a click or a key', async () => {
    const { page } = await dashboard.open(all);
    await page.getByRole('link', { name: 'Leave out bot' }).nth(1).click();
    await page.getByText('6 questions, 2 columns').waitFor();
    expect(paramOf(page, 'columns')).toBe('v1:bot,v3:bot');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page.getByText('6 questions, 1 column').waitFor();
    expect(paramOf(page, 'columns')).toBe('v1:bot');
  });

  test('answers have one line, four or all, which is remembered, and a row can be opened', async () => {
    const { page } = await dashboard.open(all, { isNew: true });
    const height = async () => (await cells(page, 0).first().boundingBox())?.height ?? 0;
    const four = await height();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect.poll(height).toBeGreaterThan(four);
    await page.reload();
    await cells(page, 0).first().waitFor();
    expect(await page.getByRole('button', { name: 'All', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.keyboard.press('l');
    await expect.poll(height).toBeLessThan(four);
    const one = await height();
    await page.getByRole('button', { name: 'Whole texts' }).first().click();
    await expect.poll(height).toBeGreaterThan(four);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Space');
    await expect.poll(height).toBe(one);
  });

  test('words that differ from those of a chosen column are marked', async () => {
    const { page } = await dashboard.open(`${all}&where=id=fee-3`);
    await page.keyboard.press('d');
    await page.locator('ins').first().waitFor();
    expect(await page.locator('ins').allTextContents()).toEqual(['20', '30']);
    expect(await page.locator('del').count()).toBe(0);
    await page.keyboard.press('d');
    await expect.poll(() => page.locator('ins').allTextContents()).toEqual(['10', '30']);
    expect(paramOf(page, 'diff')).toBe('b');
  });

  test('a text that is written from right to left begins at the right', async () => {
    const { page } = await dashboard.open(`${all}&where=id=fee-4`);
    await cells(page, 0).first().waitFor();
    const gap = `(() => {
      const cell = document.querySelector('[role=gridcell]');
      const range = document.createRange();
      range.selectNodeContents([...cell.querySelectorAll('bdi')].at(-1));
      return cell.getBoundingClientRect().right - range.getBoundingClientRect().right;
    })()`;
    expect(await page.evaluate(gap)).toBeLessThan(20);
  });

  test('rows are sorted by the largest difference', async () => {
    const { page } = await dashboard.open(all);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Largest difference first');
    await expect.poll(async () => (await questions(page))[0]).toBe('Which fee is due for case 3?');
  });

  test('a long list is read as it is scrolled, and few of its rows are drawn', async () => {
    const { page } = await dashboard.open('/matrix?columns=long-a,long-b');
    await page.keyboard.press('j');
    await page.keyboard.press('Control+End');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+End');
        return await focusedCell(page);
      })
      .toBe('399:1');
    await page.getByText('Long 399', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(40);
  });

  test('several attempts are a strip, and runs without a question in common say so', async () => {
    const { page } = await dashboard.open('/matrix?columns=v1,often');
    const cell = cells(page, 0).nth(1);
    expect(await cell.innerText()).toMatch(/failed\s+66\.7 %/);
    await cell.getByRole('img', { name: 'attempts: passed, failed, passed' }).waitFor();
    const { page: apart } = await dashboard.open('/matrix?columns=v1,other');
    await apart.getByText('No question is in all columns').waitFor();
    const { page: none } = await dashboard.open('/matrix');
    await none.getByText('Which answers do you want to see side by side?').waitFor();
    expect(await findBarriers(none)).toEqual([]);
  });

  test('three picked runs lead to the matrix, the older first', async () => {
    const { page } = await dashboard.open('/?pick=v1,v2,v3');
    await page.getByText('3 runs picked').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByRole('grid', { name: 'Answers side by side' }).waitFor();
    expect(paramOf(page, 'columns')?.split(',').toSorted()).toEqual(['v1', 'v2', 'v3']);
  });

  test.each([390, 1280])('it fits a screen of %i pixels, and targets are large enough', async (width) => {
    const { page } = await dashboard.open(`${all}&diff=a`, { viewport: { width, height: 800 } });
    await page.locator('ins').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await findBarriers(page)).toEqual([]);
    const small = await page
      .locator('[role=grid], [role=group], form')
      .locator('a, button, input, select')
      .evaluateAll((every) =>
        every.flatMap((each) => {
          const { width: wide, height: high } = each.getBoundingClientRect();
          return wide > 0 && (wide < 24 || high < 24) ? [`${each.textContent} ${wide}×${high}`] : [];
        }),
      );
    expect(small).toEqual([]);
  });
});

describeInBrowser('the targets of a run', () => {
  const dashboard = useDashboard(async () => (await buildWholeStore()).store);

  test('are seen side by side from the run and from its questions, and compared', async () => {
    const { page } = await dashboard.open(`/runs/${wholeStore.cases}`);
    const compare = page.getByRole('link', { name: 'Compare bot with other' });
    expect(await compare.getAttribute('href')).toBe(
      `/compare?a=${wholeStore.cases}&b=${wholeStore.cases}&targetA=bot&targetB=other`,
    );
    await page.getByRole('link', { name: 'All answers side by side' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('grid', { name: 'Answers side by side' }).waitFor();
    expect(await page.title()).toBe('Matrix: bot, other · Touchstone');
    const { page: list } = await dashboard.open(`/runs/${wholeStore.cases}/cases`);
    await list.getByRole('link', { name: 'Targets side by side' }).waitFor();
    await list.keyboard.press('m');
    await list.getByRole('grid', { name: 'Answers side by side' }).waitFor();
  });
});

describeInBrowser('a matrix in one file', () => {
  const browser = useBrowser();
  const folder = temporaryFolder();

  async function open(name: string, content: AsyncIterable<string>, viewport = { width: 1280, height: 800 }) {
    const file = path.join(await folder, name);
    await writeFile(file, content);
    return await browser.open(pathToFileURL(file).href, { offline: true, viewport });
  }

  test('has the cells, the filters, the orders and the marked words of the page, without a network', async () => {
    const store = createMemoryStore();
    await addRuns(store);
    const read = await matrix(['v1', 'v2', 'v3'], { store });
    const { page } = await open('matrix.html', matrixHtml(read));
    await page.getByText('6 questions, 3 columns', { exact: true }).waitFor();
    expect(await page.title()).toBe('Matrix: prompt v1, prompt v2, prompt v3 · Touchstone');
    expect(await cells(page, 3).first().innerText()).toMatch(
      /failed\s+0\.0 %\s+The fee of case 3 is 10 euros\./,
    );
    await page.keyboard.press('2');
    await page.getByText('3 of 6 questions, 3 columns').waitFor();
    expect(await questions(page)).toEqual([2, 3, 5].map((fee) => `Which fee is due for case ${fee}?`));
    for (const [order, first] of [
      ['Largest difference first', 3],
      ['Lowest mean score first', 5],
      ['Lowest score in B first', 2],
    ] as const) {
      await page.getByRole('combobox', { name: 'Order' }).selectOption(order);
      await expect.poll(async () => (await questions(page))[0]).toBe(`Which fee is due for case ${first}?`);
    }
    await page.keyboard.press('d');
    await page.locator('ins').first().waitFor();
    // No page of the file is about one answer.
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Less' }).waitFor();
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'What is not in every column?' }).innerText()).toContain(
      'B bot, v2: 1 question that not all others were asked: extra',
    );
    expect(await findBarriers(page)).toEqual([]);
  });

  test('has the worst rows of more, and says so; it fits 390 pixels', async () => {
    const store = createMemoryStore();
    await addRuns(store);
    const read = await matrix(['v1', 'v2', 'v3'], { store, limit: 2 });
    expect(read.sort).toBe('mean');
    const { page } = await open('worst.html', matrixHtml(read), { width: 390, height: 800 });
    await page
      .getByText('2 questions, 3 columns; 6 questions in all, of which this file has these')
      .waitFor();
    expect(await questions(page)).toEqual([1, 5].map((fee) => `Which fee is due for case ${fee}?`));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('is in the report on a run with several targets, whose answers it leads to', async () => {
    const trials = [0, 1, 2].flatMap((index): SampleTrial[] => {
      const same = { id: `case-${index}`, question: `Question ${index}?`, expectedTools: ['search'] };
      const right = { ...same, usedTools: ['search'], found: ['a'] };
      const wrong = { ...same, usedTools: [], found: [], missing: ['a'] };
      return [
        { ...(index === 0 ? right : wrong), target: 'one', answer: `One says ${index}.` },
        { ...(index === 2 ? wrong : right), target: 'two', answer: `Two says ${index}.` },
      ];
    });
    const { page } = await open('report.html', html.report(sampleInput(trials), sampleView()));
    await page.getByRole('link', { name: 'Answers side by side' }).click();
    await page.getByText('3 questions, 2 columns', { exact: true }).waitFor();
    // The worst first.
    expect(await questions(page)).toEqual(['Question 1?', 'Question 2?', 'Question 0?']);
    await page.getByRole('button', { name: /^All fail/ }).click();
    await expect.poll(() => questions(page)).toEqual(['Question 2?']);
    await cells(page, 0).nth(1).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Question 2?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 of 3 questions, 2 columns').waitFor();
    // What was narrowed has not the answers of all targets.
    const narrowed = { ...sampleInput(trials), narrowing: 'passed=false' };
    const { page: part } = await open('part.html', html.report(narrowed, sampleView()));
    await part.getByRole('region', { name: 'Which target is better?' }).waitFor();
    expect(await part.getByRole('link', { name: 'Answers side by side' }).count()).toBe(0);
  });

  test('holds hostile texts as texts', async () => {
    const store = createMemoryStore();
    const hostile = (version: string): AskedCase[] =>
      hostileTexts.map((text, index) => ({
        asks: `${text}${index}`,
        attempts: [{ total: 0, answer: `${text}${version}` }],
      }));
    for (const id of ['a', 'b'])
      await buildKeptRun(hostile(id), { id, name: `${hostileTexts[0]}${id}` }, store);
    const { page } = await open('hostile.html', matrixHtml(await matrix(['a', 'b'], { store, limit: 200 })));
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Control+End');
    await page
      .getByText(`${hostileTexts.at(-1)}b`)
      .first()
      .waitFor();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });
});
