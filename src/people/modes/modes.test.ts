import { expect, test } from 'vitest';
import { addNotes } from '../../../test/support/add-notes.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { compareModes } from './compare-modes.ts';
import { editMode, type ModeEdit } from './edit-mode.ts';
import { type GivenMarks, markModes } from './mark-modes.ts';
import { modeTable } from './mode-table.ts';
import { readConversations } from './read-conversations.ts';
import { readModes } from './read-modes.ts';

const ann = { by: { person: 'ann' } };

const define = (id: string, store: Store, more: Partial<Extract<ModeEdit, { type: 'add' }>> = {}) =>
  editMode(store.documents, { type: 'add', id, definition: `It is ${id}.`, ...more }, ann);

/** Marks the answers of a task: the ones in `yes` have the mode, all others of the first `count` have not. */
async function markAll(
  store: Store,
  mode: string,
  yes: readonly number[],
  { count = 80, task = 'notes-1', person = 'ann' } = {},
) {
  for (let item = 0; item < count; item += 1) {
    const given: GivenMarks = {
      answer: { note: `${task}-${item}-${person}` },
      modes: { [mode]: yes.includes(item) },
    };
    await markModes(store, given, { by: { person } });
  }
}

const first = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const halves = [
  { name: 'failed', size: 80, read: 40 },
  { name: 'passed', size: 320, read: 40 },
];
const six = (value: number | null | undefined) => Number((value ?? Number.NaN).toFixed(6));

test('of one target, shares are by its own numbers of failed and passed answers', async () => {
  const store = createMemoryStore();
  const [failed, passed] = [
    { name: 'failed', size: 80, read: 40, targets: { old: 50, new: 30 } },
    { name: 'passed', size: 320, read: 40, targets: { old: 160, new: 160 } },
  ];
  await addNotes(store, { strata: [failed, passed], draw: { type: 'outcome' } as never });
  await define('wrong-date', store);
  await markAll(store, 'wrong-date', [0, 2, 4, 5]);
  const [old, young] = [await modeTable(store, { target: 'old' }), await modeTable(store, { target: 'new' })];
  expect(old).toMatchObject({ target: 'old', targets: ['new', 'old'], answers: 210, read: 40 });
  expect(old.rows[0]?.ofFailed?.estimate).toBeCloseTo(3 / 20, 12);
  expect(old.rows[0]?.ofAll.estimate).toBeCloseTo((50 * (3 / 20)) / 210, 12);
  expect(young.rows[0]?.ofAll.estimate).toBeCloseTo((30 * (1 / 20)) / 190, 12);
  await expect(modeTable(store, { target: 'ne' })).rejects.toThrow('"ne" was drawn to be read. Did you mean');
  const other = createMemoryStore();
  await addNotes(other, { strata: halves, draw: { type: 'outcome' } as never });
  await expect(modeTable(other, { target: 'bot' })).rejects.toThrow('an earlier version made it');
});

test('what was read of failed and passed answers gives the shares of both, of all, and of what was not seen', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: halves, draw: { type: 'outcome' } as never });
  await define('wrong-date', store);
  await markAll(store, 'wrong-date', [...first(9), 40]);
  const { rows, read, strata, unseen, unnamed, again } = await modeTable(store);
  const [row] = rows;
  expect([row?.ofAll.estimate, row?.ofAll.lower, row?.ofAll.upper].map(six)).toEqual([
    0.065, 0.041951, 0.1457,
  ]);
  expect([row?.ofFailed?.estimate, row?.ofFailed?.lower, row?.ofFailed?.upper].map(six)).toEqual([
    0.225, 0.15, 0.3375,
  ]);
  expect({ read, strata, unnamed, again: again.answers }).toEqual({
    read: 80,
    strata: halves,
    unnamed: 70,
    again: 0,
  });
  // Of 40 failures, 9 are of the one kind and 31 of none that has a name.
  expect(unseen).toMatchObject({ failures: 40, once: 31, twice: 0, upper: expect.any(Number) });
  expect(row).toMatchObject({ yes: 10, no: 70, unmarked: 0, beyond: null });
  expect(row?.examples[0]).toMatchObject({ case: 'case 0', text: 'fault 0', isFirst: true });
});

test('an answer that nobody has marked is never without the mode: its share has a worst and a best case', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 100, read: 40 }] });
  await define('late', store);
  await markAll(store, 'late', first(5), { count: 30 });
  const { rows, again } = await modeTable(store);
  expect(rows[0]).toMatchObject({
    yes: 5,
    no: 25,
    unmarked: 10,
    ofAll: { estimate: null, least: 5 / 40, most: 15 / 40, reason: 'to-be-marked' },
  });
  expect(again).toEqual({ answers: 10, modes: ['late'], minutes: 7 });
  const { lower, upper } = rows[0]?.ofAll ?? {};
  expect([lower, upper]).toEqual([0.06, 0.5]);
});

test('answers that were picked by hand give no shares', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'by hand', size: 100, read: 10 }], draw: { type: 'by-hand' } });
  await define('late', store);
  await markAll(store, 'late', first(5), { count: 10 });
  const { rows, unseen } = await modeTable(store);
  expect(rows[0]).toMatchObject({ yes: 5, ofAll: { estimate: null, lower: null, reason: 'not-drawn' } });
  expect(unseen).toBeNull();
});

test('two draws from the same answers count as one', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 180, read: 30 }] });
  await addNotes(store, { id: 'notes-2', strata: [{ name: 'all', size: 180, read: 60 }] });
  await define('late', store);
  await markAll(store, 'late', first(7), { count: 60, task: 'notes-2' });
  const { rows, read, tasks } = await modeTable(store);
  expect({ read, tasks: tasks.toSorted() }).toEqual({ read: 60, tasks: ['notes-1', 'notes-2'] });
  expect([rows[0]?.ofAll.lower, rows[0]?.ofAll.upper].map(six)).toEqual([0.061111, 0.205556]);
  expect([rows[0]?.beyond?.lower, rows[0]?.beyond?.upper].map(six)).toEqual([0.048215, 0.225716]);
});

test('a merge keeps the marks: yes of any is yes, no of all is no; undone, all is as before', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 10, read: 10 }] });
  await define('late', store);
  await define('wrong-date', store);
  await markAll(store, 'wrong-date', [0, 1], { count: 8 });
  await markAll(store, 'late', [1, 2], { count: 6 });
  await editMode(store.documents, { type: 'merge', id: 'late', into: 'wrong-date' }, ann);
  const counts = async () =>
    (await modeTable(store)).rows.map(({ id, yes, no, unmarked }) => [id, yes, no, unmarked]);
  // Yes of 0, 1 and 2; no of 3, 4 and 5; 6 and 7 were looked at for one of the two, 8 and 9 for none.
  expect(await counts()).toEqual([['wrong-date', 3, 3, 4]]);
  // After the merge, one mark speaks for both.
  await markModes(store, { answer: { note: 'notes-1-7-ann' }, modes: { 'wrong-date': false } }, ann);
  await markModes(store, { answer: { note: 'notes-1-2-ann' }, modes: { 'wrong-date': true } }, ann);
  await editMode(store.documents, { type: 'undo', id: 'late' }, ann);
  expect(await counts()).toEqual([
    ['late', 2, 4, 4],
    ['wrong-date', 3, 5, 2],
  ]);
});

test('other words, and a split, end the marks unless a person states the same meaning; both can be undone', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 10, read: 10 }] });
  await define('late', store);
  await markAll(store, 'late', [0, 1, 2], { count: 10 });
  const { documents } = store;
  const yes = async () =>
    (await modeTable(store)).rows.map(({ id, yes: count, unmarked }) => [id, count, unmarked]);
  await editMode(documents, { type: 'redefine', id: 'late', definition: 'Later than promised.' }, ann);
  expect(await yes()).toEqual([['late', 0, 10]]);
  await editMode(documents, { type: 'same-meaning', id: 'late', as: 'late' }, ann);
  expect(await yes()).toEqual([['late', 3, 0]]);
  const into = ['a', 'b'].map((id) => ({ id, definition: `It is ${id}.` }));
  await editMode(documents, { type: 'split', id: 'late', into, sameMeaning: ['b'] }, ann);
  expect(await yes()).toEqual([
    ['a', 0, 10],
    ['b', 3, 0],
  ]);
  await editMode(documents, { type: 'undo', id: 'late' }, ann);
  expect(await yes()).toEqual([['late', 3, 0]]);
  const { current } = await readModes(documents);
  expect([...current.values()].map(({ id, state }) => [id, state.status])).toEqual([
    ['late', 'open'],
    ['a', 'retired'],
    ['b', 'retired'],
  ]);
});

test.each<[string, ModeEdit, RegExp]>([
  ['an id in use', { type: 'add', id: 'late', definition: 'x' }, /id late is in use/],
  [
    'a name in use',
    { type: 'rename', id: 'wrong', name: 'LATE' },
    /name LATE is in use: late has it, and wrong/,
  ],
  [
    'a mode into itself',
    { type: 'merge', id: 'late', into: 'late' },
    /late cannot be merged into itself, late/,
  ],
  ['a circle', { type: 'merge', id: 'late', into: 'gone' }, /gone is merged into late/],
  ['an unknown mode', { type: 'retire', id: 'lat' }, /no mode "lat".*late/],
  ['a mode that is not open', { type: 'rename', id: 'gone', name: 'x' }, /gone is merged into late/],
])('%s is refused, and nothing is stored', async (_, edit, message) => {
  const store = createMemoryStore();
  for (const id of ['late', 'wrong', 'gone']) await define(id, store);
  await editMode(store.documents, { type: 'merge', id: 'gone', into: 'late' }, ann);
  const before = (await readModes(store.documents)).records.size;
  await expect(editMode(store.documents, edit, ann)).rejects.toMatchObject({
    code: 'mode-conflict',
    message: expect.stringMatching(message),
  });
  expect((await readModes(store.documents)).records.size).toBe(before);
});

test('two readers agree or differ by mode, and what they differ about is not measured', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 40, read: 40 }], people: ['ann', 'bob'] });
  await define('late', store);
  await markAll(store, 'late', first(7), { count: 40 });
  await markAll(store, 'late', [...first(5), 39], { count: 40, person: 'bob' });
  const { rows, doubled, readers } = await modeTable(store);
  expect({ doubled, readers }).toEqual({ doubled: 40, readers: ['ann', 'bob'] });
  expect(rows[0]).toMatchObject({ yes: 5, no: 32, disputed: 3, ofAll: { least: 5 / 40, most: 8 / 40 } });
  const { table, ac1, positive, kappa, isUnclear } = rows[0]?.agreement ?? {};
  expect(table).toEqual({ both: 5, onlyFirst: 2, onlySecond: 1, neither: 32 });
  expect([kappa, ac1, positive].map(six)).toEqual([0.724771, 0.896951, 0.769231]);
  expect(isUnclear).toBe(false);
});

test('what readers dispute is shown to those who marked it, counts as neither, and is settled by the mark that one changes', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 40, read: 10 }], people: ['ann', 'bob'] });
  await define('late', store);
  const disputesOf = async (person: string) =>
    (await readConversations(store, { person })).conversations.flatMap(({ item, disputed }) =>
      disputed.map((mode) => `${item} ${mode}`),
    );
  await markAll(store, 'late', [0, 1], { count: 10 });
  await markAll(store, 'late', [], { count: 1, person: 'bob' });
  expect([await disputesOf('ann'), await disputesOf('bob')]).toEqual([['0 late'], ['0 late']]);
  expect((await modeTable(store)).rows[0]).toMatchObject({
    yes: 1,
    no: 8,
    disputed: 1,
    ofAll: { estimate: null },
  });
  await markAll(store, 'late', [0], { count: 1, person: 'bob' });
  expect(await disputesOf('ann')).toEqual([]);
  expect((await modeTable(store)).rows[0]).toMatchObject({
    yes: 2,
    no: 8,
    disputed: 0,
    ofAll: { estimate: 0.2 },
  });
});

test('what is marked again with the same words adds nothing, and only one mode is what went wrong first', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 4, read: 4 }] });
  await define('late', store);
  await define('rude', store);
  const answer = { note: 'notes-1-0-ann' };
  const given: GivenMarks = { answer, modes: { late: true }, others: false };
  expect(
    (await markModes(store, given, ann)).map(({ mode, present, first: is }) => [mode.id, present, is]),
  ).toEqual([
    ['late', true, true],
    ['rude', false, false],
  ]);
  expect(await markModes(store, given, ann)).toEqual([]);
  const changed = await markModes(store, { answer, modes: { rude: true }, first: 'rude' }, ann);
  expect(changed.map(({ mode, present, first: is }) => [mode.id, present, is])).toEqual([
    ['rude', true, true],
    ['late', true, false],
  ]);
  await markModes(store, { answer, modes: { late: null } }, ann);
  const { rows } = await modeTable(store);
  expect(rows.map(({ id, yes, unmarked }) => [id, yes, unmarked])).toEqual([
    ['late', 0, 4],
    ['rude', 1, 3],
  ]);
  await expect(markModes(store, { answer, modes: { rude: true }, first: 'late' }, ann)).rejects.toMatchObject(
    {
      code: 'usage-invalid',
    },
  );
});

test('a mode that is frequent in one category is shown with its p-value, over all cells by Holm', async () => {
  const store = createMemoryStore();
  await addNotes(store, { strata: [{ name: 'all', size: 400, read: 80 }] });
  await define('late', store);
  // Every fourth answer is about billing: 9 of 20 against 6 of 60.
  await markAll(store, 'late', [
    ...first(9).map((each) => each * 4),
    ...first(6).map((each) => each * 4 + 1),
  ]);
  const { where } = await modeTable(store);
  expect(where[0]).toMatchObject({
    mode: 'late',
    by: 'category',
    successes: 9,
    trials: 20,
    otherSuccesses: 6,
    otherTrials: 60,
  });
  expect(six(where[0]?.pValue)).toBe(0.001432);
  expect(where[0]?.adjusted).toBeCloseTo(0.002864, 5);
});

test('two runs over the same questions are compared by pairs, over others by their shares', async () => {
  const store = createMemoryStore();
  const all = (size: number) => [{ name: 'all', size, read: 100 }];
  await addNotes(store, { strata: all(100) });
  await addNotes(store, { id: 'notes-2', run: 'run-2', answers: 'c', strata: all(100) });
  await define('late', store);
  await markAll(store, 'late', first(12), { count: 100 });
  await markAll(store, 'late', first(4, 50), { count: 100, task: 'notes-2' });
  const { method, rows } = await compareModes(store, { a: 'run-1', b: 'run-2' });
  expect(method).toBe('pairs');
  const [row] = rows;
  expect([row?.estimate, row?.lower, row?.upper, row?.pValue].map(six)).toEqual([
    -0.08, -0.165588, -0.001783, 0.049042,
  ]);
  expect(row).toMatchObject({ pairs: { n: 100, aOnly: 12, bOnly: 4 }, change: 'better' });
  const later = await modeTable(store, { run: 'run-2' });
  expect(later.rows[0]?.runs.map(({ run, share }) => [run, share.estimate])).toEqual([
    ['run-1', 0.12],
    ['run-2', 0.04],
  ]);
});
