import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../../../test/support/reviewed-run.ts';
import type { Run } from '../../../core/schema/run.ts';
import { csv } from '../../../evaluate/datasets/csv.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { editMode } from '../edit-mode.ts';
import { markModes } from '../mark-modes.ts';
import { modeTable } from '../mode-table.ts';
import { exportDefinitions, exportNotes } from './export-modes.ts';
import { importModes } from './import-modes.ts';

const by = { by: { person: 'ann' } };

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

function rowsOf(text: string, name = 'notes.csv') {
  return csv.read({
    name,
    read: async function* () {
      yield text;
    },
  });
}

async function bring(store: Store, notes: string, definitions = '') {
  return await importModes(store, {
    notes: rowsOf(notes),
    definitions: rowsOf(definitions, 'modes.csv'),
    person: 'ann',
  });
}

/** Stores a run with eight answers, of which people have read six: four of its failed and two of its passed ones. */
async function prepare(): Promise<{ store: Store; run: Run }> {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 4, failed: 4 });
  const ids = (await Array.fromAsync(store.readResults(run.id))).map(({ case: { id } }) => id);
  const rows = ids.map((id, place) => {
    const isFailed = place < 4;
    const isRead = isFailed || place < 6;
    const cells = [id, 'bot', 1, run.id, isFailed ? 'failed' : 'passed', isFailed ? 0.5 : 0.4];
    const note = isFailed ? `"=HYPERLINK(""x""), said ""no"", ${place}"` : '';
    return [
      ...cells,
      ...(isRead ? ['ann', '2026-01-03T10:00:00.000Z', isFailed ? 'yes' : 'no', note] : ['', '', '', '']),
    ].join(',');
  });
  const head = 'case,target,attempt,run,stratum,probability,reviewer,at,anything_wrong,note';
  expect(await bring(store, [head, ...rows].join('\r\n'))).toEqual({
    modes: 0,
    notes: 6,
    marks: 0,
    byHand: 0,
  });
  for (const id of ['late', 'rude'])
    await editMode(
      store.documents,
      { type: 'add', id, definition: `It is ${id}; "so".`, includes: ['a', 'b'] },
      by,
    );
  for (const [place, id] of ids.slice(0, 6).entries()) {
    const modes = { late: place < 2, rude: place === 2 };
    await markModes(store, { answer: { run: run.id, case: id }, modes }, by);
  }
  return { store, run };
}

/** The table without the names of the draws, which an import makes itself. */
async function numbersOf(store: Store) {
  const { tasks: _tasks, seeds: _seeds, rows, ...table } = await modeTable(store);
  const plain = rows.map(({ examples, ...row }) => ({
    ...row,
    examples: examples.map(({ note: _note, ...example }) => example),
  }));
  return JSON.parse(JSON.stringify({ ...table, rows: plain }));
}

test('tables that are written and read into another store give the same numbers, and written again the same bytes', async () => {
  const { store, run } = await prepare();
  await editMode(store.documents, { type: 'add', id: 'slow', definition: 'Takes long.' }, by);
  await editMode(store.documents, { type: 'merge', id: 'slow', into: 'late' }, by);
  const [notes, definitions] = [await textOf(exportNotes(store)), await textOf(exportDefinitions(store))];
  expect(notes).toContain('"\'=HYPERLINK');
  const other = createMemoryStore();
  await storeReviewedRun(other, { passed: 4, failed: 4 });
  expect(await bring(other, notes, definitions)).toMatchObject({ modes: 3, notes: 6, marks: 8, byHand: 0 });
  expect(await numbersOf(other)).toEqual(await numbersOf(store));
  expect([await textOf(exportNotes(other)), await textOf(exportDefinitions(other))]).toEqual([
    notes,
    definitions,
  ]);
  // Read a second time, they add nothing.
  expect(await bring(other, notes, definitions)).toEqual({ modes: 0, notes: 0, marks: 0, byHand: 0 });
  const { rows, strata } = await modeTable(other, { run: run.id });
  expect(strata).toEqual([
    { name: 'failed', size: 8, read: 4 },
    { name: 'passed', size: 10, read: 2 },
  ]);
  expect(rows[1]?.ofFailed?.estimate).toBe(0.25);
});

test('a changed cell changes one mark, and the one before stays in the store', async () => {
  const { store } = await prepare();
  const text = await textOf(exportNotes(store));
  const [head = '', first = '', ...rest] = text.split('\r\n');
  const changed = [head, first.replace(/yes,no$/, 'no,no').replace(/,late,/, ',,'), ...rest].join('\r\n');
  expect(await bring(store, changed)).toMatchObject({ notes: 0, marks: 1 });
  const { rows } = await modeTable(store);
  expect(rows.map(({ id, yes, no }) => [id, yes, no])).toEqual([
    ['late', 1, 5],
    ['rude', 1, 5],
  ]);
});

test('a spreadsheet without probabilities is taken, and gives no shares', async () => {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 2, failed: 2 });
  const [result] = await Array.fromAsync(store.readResults(run.id));
  const notes = `case,run,reviewer,mode:late\n${result?.case.id},${run.id},bob,yes`;
  const definitions = 'id,definition\nlate,Later than promised.';
  expect(await bring(store, notes, definitions)).toEqual({ modes: 1, notes: 1, marks: 1, byHand: 1 });
  expect((await modeTable(store)).rows[0]?.ofAll.reason).toBe('not-drawn');
});

test.each([
  ['no definition', 'case,reviewer,mode:late\nq,ann,yes', /notes\.csv:2.*the mode late has no definition/],
  ['an unknown question', 'case,reviewer\nnosuch,ann', /notes\.csv:2.*nosuch/],
  ['another word', 'case,reviewer,anything_wrong\nq,ann,perhaps', /"perhaps", and it takes yes, no/],
  ['a probability above 1', 'case,reviewer,probability\nq,ann,2', /the probability 2 is not/],
])('a table with %s is refused with its line, and nothing is added', async (_, notes, message) => {
  const store = createMemoryStore();
  await storeReviewedRun(store, { passed: 1, failed: 1 });
  await expect(bring(store, notes)).rejects.toMatchObject({
    code: 'import-invalid',
    message: expect.stringMatching(message),
  });
  expect(await Array.fromAsync(exportDefinitions(store))).toHaveLength(1);
});
