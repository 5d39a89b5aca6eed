import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { makeRubric } from '../../src/decide/certificates/rubric.ts';
import { makeLabel, outcomeOf } from '../../src/people/reviews/make-label.ts';
import { notesRubric } from '../../src/people/reviews/notes-rubric.ts';
import { readView } from '../../src/people/reviews/read-view.ts';
import { editMode } from '../../src/people/modes/edit-mode.ts';
import { markModes } from '../../src/people/modes/mark-modes.ts';
import { modeTable } from '../../src/people/modes/mode-table.ts';
import { openModes, readModes } from '../../src/people/modes/read-modes.ts';
import { addReviewRecords, readItems } from '../../src/stores/reviews/review-records.ts';
import { addNotes } from '../support/add-notes.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { storeReviewTask } from '../support/review-task.ts';

/** The number of planted conversations: of ten, two state a wrong date, one is rude, and seven are fine. */
const size = 80;
const dated = (index: number) => index % 10 < 2;
const rude = (index: number) => index % 10 === 2;

const answerOf = (index: number) =>
  dated(index)
    ? `It ends on 30 February, ${index}.`
    : rude(index)
      ? `Read it yourself, ${index}.`
      : `It ends soon, ${index}.`;

async function storeWithNotes() {
  const store = createMemoryStore();
  const answers = { passed: size, failed: 0, answerOf };
  const rubric = makeRubric(notesRubric);
  const task = await storeReviewTask(store, { id: 'notes', answers, rubrics: [rubric], labels: size });
  const view = await readView(store.documents, task.id);
  const labels = (await readItems(store.documents, task.id)).map((item) => {
    const index = item.subject.ordinal ?? 0;
    const note = dated(index)
      ? `states 30 February (${index})`
      : rude(index)
        ? `is rude (${index})`
        : undefined;
    const given = { rubric: rubric.id, value: note !== undefined, ...(note !== undefined && { note }) };
    const part = { rubric, given, outcome: outcomeOf(rubric, given.value) };
    return makeLabel(view, item, {
      reviewer: { person: 'Ann' },
      answer: { item: item.position, labels: [given] },
      part,
    });
  });
  await addReviewRecords(store.documents, { labels });
  return store;
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Marks each conversation, in the order of the queue: its mode by a digit, and none of the others. */
async function markQueue(page: Page): Promise<void> {
  const pane = page.getByRole('region', { name: 'Conversation', exact: true });
  const left = async () =>
    Number(/(\d+) to look at again/.exec((await page.textContent('main')) ?? '')?.[1] ?? 0);
  await press(page, 'q');
  for (let open = await left(); open > 0; open = await left()) {
    const text = (await pane.locator('p').first().textContent()) ?? '';
    const digit = text.startsWith('states') ? '1' : text.startsWith('is rude') ? '2' : undefined;
    const pressed = digit === undefined ? undefined : pane.getByRole('button', { pressed: true });
    if (digit !== undefined && (await pressed?.count()) === 0) {
      await press(page, digit);
      await pressed?.first().waitFor();
    }
    await press(page, '0');
    await expect.poll(left).toBeLessThan(open);
  }
}

describeInBrowser('failure modes', () => {
  const store = storeWithNotes();
  const dashboard = useDashboard(async () => await store);

  test('by keys alone, 80 conversations become a table of modes that is the truth', async () => {
    const { page } = await dashboard.open('/modes');
    await page.getByRole('textbox', { name: 'Who marks?' }).fill('Ann');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Without a mode (24)' }).waitFor();
    const fine = page.getByRole('list', { name: 'Nothing wrong' }).getByRole('button');
    expect(new Set(await fine.allTextContents()).size).toBe(56);
    // Before anything is named, nothing is said of what has not been seen.
    expect(await page.getByText('of failures are of').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    // Two modes, each made of the first note of its kind.
    for (const [kind, name, definition] of [
      ['states', 'Wrong date', 'States a date that no user message gives.'],
      ['is rude', 'Rude', 'Is rude to the user.'],
    ] as const) {
      const notes = page.getByRole('list', { name: 'Notes without a mode' });
      const current = notes.locator('[aria-current=true]');
      // After a note was given a mode, the next one without is chosen.
      const at = await current.textContent();
      const texts = await notes.getByRole('button').allTextContents();
      const steps = texts.findIndex((text) => text.startsWith(kind)) - texts.indexOf(at ?? '');
      for (let step = 0; step < Math.abs(steps); step += 1)
        await press(page, steps > 0 ? 'ArrowDown' : 'ArrowUp');
      await current.filter({ hasText: kind }).waitFor();
      await press(page, 'n');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
      if (kind === 'states') expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.type(name);
      await press(page, 'Tab');
      await page.keyboard.type(definition);
      await press(page, 'Enter');
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('list', { name: `Notes of ${name}` })
        .getByRole('button')
        .waitFor();
    }
    expect(await findBarriers(page)).toEqual([]);
    await markQueue(page);
    const { rows } = await modeTable(await store);
    expect(rows.map(({ id, yes, no, unmarked }) => ({ id, yes, no, unmarked }))).toEqual([
      { id: 'wrong-date', yes: 16, no: 64, unmarked: 0 },
      { id: 'rude', yes: 8, no: 72, unmarked: 0 },
    ]);
    for (const [row, truth] of [
      [rows[0], 0.2],
      [rows[1], 0.1],
    ] as const) {
      expect(row?.ofAll.lower).toBeLessThanOrEqual(truth);
      expect(row?.ofAll.upper).toBeGreaterThanOrEqual(truth);
    }
  });

  test('modes are defined again, split, merged and taken back by keys, and a note is dragged into one', async () => {
    const { page } = await dashboard.open('/modes');
    await page.getByRole('textbox', { name: 'Who marks?' }).fill('Ann');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Modes (2)' }).waitFor();
    const ids = async () => openModes(await readModes((await store).documents)).map(({ id }) => id);
    await press(page, 'e');
    const dialog = page.getByRole('dialog');
    // While a dialog is open, the page behind it takes no keys.
    const closed = async () => await dialog.waitFor({ state: 'detached' });
    await dialog.getByRole('textbox', { name: 'Definition' }).waitFor();
    await page.keyboard.type('States a day that does not exist.');
    await press(page, 'Tab');
    await page.keyboard.type('A day in a month without it.');
    await dialog.getByRole('checkbox').press('Space');
    await page.keyboard.press('Tab');
    await press(page, 'Enter');
    await page.getByText('States a day that does not exist.').waitFor();
    expect(await page.getByText('Includes: A day in a month without it.').count()).toBe(1);
    await closed();
    await press(page, 'ArrowRight', 'm');
    await dialog.getByRole('button', { name: 'Wrong date' }).press('Enter');
    await page.getByRole('heading', { name: 'Modes (1)' }).waitFor();
    expect(await ids()).toEqual(['wrong-date']);
    await closed();
    await press(page, 'x');
    await dialog.getByRole('textbox', { name: 'Name 1' }).waitFor();
    for (const [index, text] of ['Past day', 'A past day.', 'No day', 'No such day.'].entries()) {
      await page.keyboard.type(text);
      if (index < 3) await press(page, 'Tab');
    }
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Modes (2)' }).waitFor();
    expect(await ids()).toEqual(['past-day', 'no-day']);
    await closed();
    const note = page.getByRole('list', { name: 'Notes without a mode' }).getByRole('button').first();
    const text = (await note.textContent()) ?? '';
    await note.dragTo(page.getByRole('heading', { name: 'No day' }));
    await page.getByRole('list', { name: 'Notes of No day' }).getByRole('button', { name: text }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findBarriers(page)).toEqual([]);
  });
});

async function storeOfTwoTargets() {
  const store = createMemoryStore();
  const strata = [{ name: 'all', size: 80, read: 8, targets: { old: 40, new: 40 } }];
  await addNotes(store, { strata, draw: { type: 'random' } });
  const ann = { by: { person: 'ann' } };
  const definition = 'States a date that no user message gives.';
  await editMode(store.documents, { type: 'add', id: 'wrong-date', definition }, ann);
  for (let item = 0; item < 8; item += 1)
    await markModes(
      store,
      { answer: { note: `notes-1-${item}-ann` }, modes: { 'wrong-date': item % 2 === 0 } },
      ann,
    );
  return store;
}

describeInBrowser('failure modes of two targets', () => {
  const dashboard = useDashboard(storeOfTwoTargets);

  test('the shares of one target are chosen, and are those of the command line', async () => {
    // Only what was said of the run is stored: the conversation itself is not there.
    const { page } = await dashboard.open('/modes', { mayFail: ['404'] });
    await page.getByRole('textbox', { name: 'Who marks?' }).fill('ann');
    await press(page, 'Enter');
    const modes = page.getByRole('region', { name: 'Modes' });
    await modes.getByText('50.0 %').first().waitFor();
    await page.getByRole('group', { name: 'Shares of' }).getByRole('link', { name: 'old' }).click();
    await modes.getByText('100.0 %').first().waitFor();
    expect(new URL(page.url()).searchParams.get('target')).toBe('old');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('group', { name: 'Shares of' }).getByRole('link', { name: 'All targets' }).click();
    await modes.getByText('50.0 %').first().waitFor();
  });
});
