import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, useDashboard } from '../support/browser.ts';
import { buildWholeStore, wholeStore } from '../support/build-whole-store.ts';
import { at, by, countMouseEvents, doByKeys, type KeyAction, listKeys } from '../support/key-walk.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** A page with everything that can be done on it. */
interface KeyPage {
  readonly path: string;
  /** The keys that its help lists in addition to the keys of every page, including the keys of actions here. */
  readonly keys: readonly string[];
  readonly actions: readonly KeyAction[];
}

const { cases, before, tools } = wholeStore;
/** The title of the run: its dataset and its targets. */
const runTitle = 'golden.jsonl · bot, other';
const everywhere = ['?', 'g r', 'g d', 'g f', 'g j'];
const tabs = ['g v', 'g c', 'g t', 'g g'];

const title = (name: string) => (page: Page) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const asked = (number: number) => title(`Which tax applies to property number ${number}?`);
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name });
const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name });
const field = (name: string) => (page: Page) => page.getByLabel(name);
const summary = (hasText: string) => (page: Page) => page.locator('summary', { hasText });
const dialog = (name: string) => async (page: Page) => {
  await page.getByRole('dialog', { name }).waitFor();
  await page.locator('[role=dialog][aria-busy=true]').waitFor({ state: 'detached' });
};
const hidden = { state: 'hidden' } as const;
const text = (part: string | RegExp) => (page: Page) => page.getByText(part).first().waitFor();
const address = (part: string) => async (page: Page) => {
  await expect.poll(() => decodeURIComponent(page.url()).replaceAll('+', ' ')).toContain(part);
};
const focused = (part: string | RegExp) => (page: Page) =>
  page.locator(':focus').filter({ hasText: part }).waitFor();
const cell = (place: string) => (page: Page) => page.locator(`[data-cell="${place}"]:focus`).waitFor();
const sorted = (order: string) => (page: Page) =>
  page.locator(`[role=columnheader][aria-sort=${order}] button:focus`, { hasText: 'Score' }).waitFor();
const within =
  (role: string) =>
  (page: Page, hasText = '') =>
    page.locator(`[role=${role}] :focus`, { hasText }).waitFor();
const copied = (part: string) => async (page: Page) => {
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(part);
};
const answers = (count: number) => (page: Page) =>
  page.locator(`[role=grid][aria-rowcount="${count + 1}"]`).waitFor();

/** The actions by keys, page by page; each action begins where the one before it ended. */
const pages: readonly KeyPage[] = [
  {
    path: '/',
    keys: ['D', 'h', 'j', 'k', 'x'],
    actions: [
      by('go to the next run', 'j j', focused('with-tools')),
      by('go to the previous run', 'k', focused(/^20/)),
      by('show the history', 'h', text('run by run')),
      by('hide the history', 'h', (page) => page.getByText('run by run').first().waitFor(hidden)),
      by('pick a run', 'x', text('1 run picked')),
      by('name the run', 'n', (page) => page.getByRole('dialog', { name: 'Name the run' }).waitFor()),
      by('leave it as it is', 'Escape', focused(/^20/)),
      at('begin to name a baseline', button('Set as baseline…'), 'Enter', text('Later runs')),
      by('close a dialog', 'Escape', focused('Set as baseline…')),
      by('name a baseline', 'Enter Tab Control+a "release" Enter', text('baseline release')),
      at('begin to delete a run', button('Delete…'), 'Enter', text('This cannot be undone')),
      by('delete no run', 'Tab "no" Enter Escape', focused('Delete…')),
      by('pick another run', 'j j x', text('2 runs picked')),
      at('pick none', button('Clear'), 'Enter', text('Pick a run to name it')),
      by('go to the datasets', 'g d', title('Datasets')),
      by('go to the judges', 'g j', title('Judges')),
      by('go to the feedback', 'g f', title('Feedback')),
      by('go to the runs', 'g r', title('Runs')),
      by('open a run', 'j Enter', address('/runs/20')),
    ],
  },
  {
    path: `/?pick=${cases},${before}`,
    keys: ['D', 'b', 'c', 'h', 'j', 'k', 'm', 'x'],
    actions: [by('compare the picked runs', 'c', title('Compare'))],
  },
  {
    path: `/?pick=${cases},${tools}`,
    keys: ['D', 'b', 'c', 'h', 'j', 'k', 'm', 'x'],
    actions: [by('see the picked runs side by side', 'm', text('What is not in every column?'))],
  },
  {
    path: `/matrix?columns=${cases}`,
    keys: ['1', '2', '3', '4', '5', '6', '/', 'D', 'd', 'j', 'k', 'l', 'x'],
    actions: [
      by('show the rows that differ', '2', address('where=cells=differ')),
      by('show all rows', '1', text('120 questions, 2 columns')),
      by('mark the words that differ', 'd', address('diff=a')),
      by('show all lines of each answer', 'l', (page) =>
        page.locator('button[aria-pressed=true]', { hasText: /^All$/ }).waitFor(),
      ),
      by('filter', '/ "id=case-4" Enter', text('1 of 120 questions')),
      { ...by('leave the filter', 'Escape', text('1 of 120 questions')), leaves: true },
      by('go to the first cell', 'j', cell('0:0')),
      by('go to the cell beside it', 'ArrowRight', cell('0:1')),
      by('open the answer', 'Enter', asked(4)),
      by('come back to its cell', 'Escape', cell('0:1')),
    ],
  },
  {
    path: `/runs/${cases}`,
    keys: [...tabs, 'D', 'i', 'm', 'n', 't', 'y'],
    actions: [
      by('copy the command', 'y', copied(`touchstone show ${cases}`)),
      by('show the method', 'i', (page) => page.getByRole('region', { name: 'Intervals of bot' }).waitFor()),
      by('hide the method', 'i', (page) =>
        page.getByRole('region', { name: 'Intervals of bot' }).waitFor(hidden),
      ),
      by('show the next target', 't', address('target=other')),
      by('show the first target again', 't', address('target=bot')),
      by('go to the tools', 'g t', title('Tools')),
      by('go to the gate', 'g g', title('Gate')),
      by('go back to the verdict', 'g v', title(runTitle)),
      by('go to the questions', 'g c', title('Questions')),
    ],
  },
  {
    path: `/runs/${cases}/cases`,
    keys: [...tabs, '/', 'D', 'X', 'f', 'Escape', 'j', 'k', 'm', 'x'],
    actions: [
      by('search', '/ "case" Enter', text('contain the text')),
      { ...by('end the search', 'Escape Escape', answers(240)), leaves: true },
      by('filter', 'f "passed=false" Enter', answers(216)),
      at('clear the filter', button('Clear'), 'Enter', answers(240)),
      by('filter by another one', '"category=taxes" Enter', answers(60)),
      { ...by('leave the filter', 'Escape', answers(60)), leaves: true },
      at('add a value to the filter', button(/^bot/), 'Enter', answers(30)),
      by('remove it again', 'Space', answers(60)),
      at('sort by a head', button('Score'), 'Enter', sorted('ascending')),
      by('sort the other way', 'Enter', sorted('descending')),
      by('sort as before', 'Enter', sorted('none')),
      at('open the choice of columns', summary('Columns'), 'Enter', (page) =>
        page.getByLabel('Grade').waitFor(),
      ),
      at('add a column', field('Grade'), 'Space', address('grade')),
      by('leave the choice', 'Escape', (page) => page.getByLabel('Grade').waitFor(hidden)),
      by('open it again', 'Enter', (page) => page.getByLabel('Grade').waitFor()),
      at('close the choice', summary('Columns'), 'Enter', (page) => page.getByLabel('Grade').waitFor(hidden)),
      by('go to the first row', 'j', focused('case-0')),
      by('go to the last row', 'End', focused('case-116')),
      by('go to the first one again', 'Home ArrowDown ArrowDown', focused('case-4')),
      by('select rows', 'x j x', text('1 question selected')),
      at(
        'clear the selection',
        (page) => page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear' }),
        'Enter',
        focused('case-4'),
      ),
      by('select the row again', 'x', text('1 question selected')),
      at(
        'copy the command',
        button('Copy the command to ask again'),
        'Enter',
        copied('touchstone run --target other --filter id=case-4'),
      ),
      by('go to the next and the previous row', 'j k', focused('case-4')),
      by('open a question', 'Enter', asked(4)),
      by('come back to its row', 'Escape', focused('case-4')),
      by('go back to the run', 'Escape', title(runTitle)),
    ],
  },
  {
    path: `/runs/${cases}/cases/0?where=target%3Dbot`,
    keys: ['j', 'k', 'n', 'N', '[', ']', 't', 'd', 'm', 'e', 'E', 'y', 'Y', 'Escape'],
    actions: [
      by('go to the next question', 'j', text('2 of 120')),
      by('go to the previous question', 'k', asked(0)),
      by('go to a question that did not pass', 'n', text('attempt 2 of 2')),
      by('go back to the one before', 'N', asked(0)),
      by('show the next attempt', ']', text('attempt 2 of 2')),
      by('show the previous attempt', '[', text('attempt 1 of 2')),
      by('show the next target', 't', text('not in the list')),
      by('show the first target again', 't', text('1 of 120')),
      by('show the differing words', 'd', (page) => page.locator('ins').first().waitFor()),
      by('show the plain text', 'm', (page) =>
        page.locator('label', { hasText: 'Markdown' }).locator(':not(:checked)').waitFor(),
      ),
      by('show Markdown again', 'm', (page) =>
        page.locator('label', { hasText: 'Markdown' }).locator(':checked').waitFor(),
      ),
      by('open what the judge said', 'e', text('Raw reply of the judge')),
      by('close it again', 'e', (page) => page.getByText('Raw reply of the judge').waitFor(hidden)),
      at('open one judgement', summary('careful-judge'), 'Enter', text('Raw reply of the judge')),
      by('close them from within', 'e e', focused('careful-judge')),
      at('mark evidence in the answer', button('words'), 'Enter', (page) => page.locator('mark').waitFor()),
      by('copy the command', 'y', copied('--case case-0')),
      by('copy the row', 'Y', copied('{"id":"case-0"')),
      at('step to the next question', link('Next question'), 'Enter', asked(1)),
      by('step on from there', 'Enter', asked(2)),
      at('open another attempt', link('attempt 2'), 'Enter', text('attempt 2 of 2')),
      at('open the question in another run', link(/2026-01-01/), 'Enter', address(before)),
      by('go to the questions', 'Escape', title('Questions')),
    ],
  },
  {
    path: `/compare?a=${before}&b=${cases}`,
    keys: ['s', '/', 'j', 'k'],
    actions: [
      by('swap the runs', 's', address(`a=${cases}`)),
      at('choose a target', field('Target of run B'), '"o"', address('targetB=other')),
      by('filter', 'Tab / "category=taxes" Enter', text('30 questions match')),
      at('filter by a common one', button('Lower score'), 'Enter', address('where=change<0')),
      at('show all', button('All'), 'Enter', text('120 questions')),
      at('sort', field('Order of the questions'), '"Order"', address('sort=ordinal')),
      { ...by('go to a question', 'Escape Tab j j', focused('number 1?')), leaves: true },
    ],
  },
  {
    path: `/compare?a=${before}&b=${cases}&sort=ordinal`,
    keys: ['s', '/', 'j', 'k'],
    actions: [
      at('show more', button('Show more'), 'Enter', (page) => page.locator('[data-row]').nth(99).waitFor()),
      by('show the rest', 'Enter', focused('All 120 questions are shown.')),
      by('go to a question', 'j j k', focused('number 0?')),
      by('open it', 'Enter', dialog('Question case-0')),
      by('go on to the next ones', 'j j', dialog('Question case-2')),
      by('go back by one', 'k', dialog('Question case-1')),
      by('go round to the end of the question', 'Shift+Tab', within('dialog')),
      by('go round to its beginning', 'Tab', (page) => within('dialog')(page, 'Previous')),
      by('show the answers without marks', 'd', (page) => button('Diff off')(page).waitFor()),
      at(
        'show another attempt',
        (page) => page.getByRole('group', { name: 'Attempts of A' }).getByRole('button').last(),
        'Enter',
        (page) =>
          page
            .getByRole('group', { name: 'Attempts of A' })
            .getByRole('button')
            .last()
            .and(page.locator('[aria-pressed=true]'))
            .waitFor(),
      ),
      by('close it', 'Escape', focused('number 1?')),
    ],
  },
  {
    path: `/runs/${tools}/tools`,
    keys: [...tabs, 't'],
    actions: [
      by('show the next target', 't', address('target=other')),
      by('show the first one again', 't', address('target=bot')),
      at(
        'choose a target',
        (page) => page.getByRole('group', { name: 'Target' }).getByRole('link', { name: 'other' }),
        'Enter',
        focused('other'),
      ),
      at('show a chart as a table', summary('As table'), 'Enter', (page) =>
        page.getByRole('region', { name: 'Time, as table' }).waitFor(),
      ),
      at(
        'show the cases behind a number',
        (page) => page.getByRole('region', { name: 'Tools', exact: true }).getByRole('link'),
        'Enter',
        title('Questions'),
      ),
    ],
  },
  {
    path: '/runs/latest/gate',
    keys: [...tabs, 'b'],
    actions: [
      by('begin to set a baseline', 'b', text('Later runs can be compared')),
      { ...by('set it', 'Tab Control+a "kept" Enter', text('Saved as')), leaves: true },
      at(
        'plan for another difference',
        (page) => page.getByRole('group', { name: 'Points' }).getByRole('link', { name: '10' }),
        'Enter',
        address('difference=10'),
      ),
      at('copy a command', button('Copy'), 'Enter', copied('touchstone')),
      at(
        'show the questions that did not pass',
        link('Questions that did not pass'),
        'Enter',
        title('Questions'),
      ),
    ],
  },
  {
    path: '/datasets',
    keys: ['j', 'k'],
    actions: [by('open a dataset', 'j j k j Enter', title('golden.jsonl'))],
  },
  {
    path: '/datasets/golden.jsonl',
    keys: ['j', 'k'],
    actions: [
      by('open a question', 'j Enter', text('What were its results?')),
      by('open a run of it', 'j Enter', address('/runs/')),
    ],
  },
  {
    path: '/judges',
    keys: ['j', 'k'],
    actions: [by('open a judge', 'j Enter', address('/judges/'))],
  },
  {
    path: '/judges/strict',
    keys: [],
    actions: [
      at(
        'list what judges differ on',
        (page) => page.locator('summary').first(),
        'Enter',
        (page) => page.locator('details[open]').first().waitFor(),
      ),
      at(
        'open a question of them',
        (page) => page.locator('details[open] a').first(),
        'Enter',
        address('/cases/'),
      ),
    ],
  },
];

describeInBrowser('everything is done by keys', () => {
  const store = buildWholeStore();
  const dashboard = useDashboard(async () => (await store).store);

  test.skipIf(!isReleaseTested)(
    'on every page, and its help lists them (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      // A pointer that rests on the page would count: the page moves below it.
      const { page } = await dashboard.open('/', { isNew: true });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const mouseEvents = await countMouseEvents(page);
      const failures: string[] = [];
      for (const { path, keys, actions } of pages) {
        await page.goto(new URL(path, page.url()).href);
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        expect
          .soft([path, (await listKeys(page)).toSorted()])
          .toEqual([path, [...everywhere, ...keys].toSorted()]);
        // What begins where a failed action ended cannot be judged.
        for (const action of actions) {
          const failure = await doByKeys(page, action);
          if (failure === undefined) continue;
          failures.push(failure);
          break;
        }
      }
      expect(failures).toEqual([]);
      expect(mouseEvents()).toBe(0);
    },
  );
});
