import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../../../test/support/reviewed-run.ts';
import { type Label, labelsInForce } from '../../../core/schema/review/label.ts';
import type { Rubric } from '../../../core/schema/review/rubric.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { addLabels, skip } from '../give-labels.ts';
import { createReview, planReview } from '../plan-review.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import { fromArgilla, toArgilla } from './argilla.ts';
import { fromLabelStudio, toLabelStudio } from './label-studio.ts';
import { exportLabels, importLabels, type LabelsRow } from './labels-file.ts';
import { importForeign, readLabelledTask } from './other-tools.ts';
import { reviewTaskKind } from '../../../stores/kinds/review-task.ts';
import { labelKind } from '../../../stores/kinds/label.ts';

const base = { examples: [], maySeeContext: true, maySeeExpected: false, criterion: 'politeness' };
const tone = makeRubric({
  id: 'tone',
  question: 'Is the answer polite?',
  scale: { type: 'yes-no' },
  notApplicable: 'The answer is empty.',
  passing: [true],
  settle: 'agreement',
  ...base,
});
const warmth = makeRubric({
  id: 'warmth',
  question: 'How warm is it?',
  scale: { type: 'ordinal', anchors: ['cold', 'neutral', 'warm'] },
  settle: 'majority',
  ...base,
});

async function createTask(rubrics: readonly [Rubric, ...Rubric[]] = [tone, warmth]): Promise<Store> {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 3, failed: 3 });
  const head = { id: 'task-1', createdAt: '2026-01-03T00:00:00.000Z', seed: 7, labels: 6 };
  await createReview(store, await planReview(store, run, { rubrics, ...head }));
  return store;
}

const ann = { person: 'ann@example.org', now: new Date('2026-01-03T09:00:00.000Z') };

async function label(store: Store): Promise<void> {
  const of = (item: number, polite: boolean | null, warm: number, note?: string) => ({
    item,
    seconds: 12.5,
    labels: [
      { rubric: 'tone', value: polite, ...(note !== undefined && { note }) },
      { rubric: 'warmth', value: warm },
    ],
  });
  await addLabels(store, 'task-1', ann, of(0, true, 3, 'short, but polite'));
  await addLabels(store, 'task-1', ann, of(1, false, 1));
  await addLabels(store, 'task-1', ann, of(2, null, 2));
  await skip(store, 'task-1', ann, { item: 3, reason: 'unclear' });
}

async function* rowsOf(values: readonly unknown[]): AsyncGenerator<LabelsRow> {
  for (const [index, value] of values.entries())
    yield { value, place: { file: 'labels.jsonl', line: index + 1 } };
}

async function exported(store: Store, task?: string): Promise<string[]> {
  return await Array.fromAsync(exportLabels(store.documents, { task }));
}

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));

test('a file of labels gives the same store, and that the same file, byte for byte; a second import adds nothing', async () => {
  const store = await createTask();
  await label(store);
  const lines = await exported(store);
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    'labels',
    'rubric',
    'rubric',
    'task',
    ...Array.from({ length: 6 }, () => 'item'),
    ...Array.from({ length: 8 }, () => 'label'),
  ]);
  const other = createMemoryStore();
  const added = await importLabels(rowsOf(parsed(lines)), other.documents);
  expect(added).toMatchObject({ rubrics: 2, equivalences: 0, tasks: 1, items: 6, labels: 8 });
  expect(await exported(other)).toEqual(lines);
  expect(await importLabels(rowsOf(parsed(lines)), other.documents)).toMatchObject({ tasks: 0, labels: 0 });
  expect(await exported(other, 'task-1')).toEqual(lines);
});

test('a record that was changed is refused with the reason, and nothing is added', async () => {
  const store = await createTask();
  await label(store);
  const lines = parsed(await exported(store));
  const changed = (type: string, change: (line: Record<string, Record<string, unknown>>) => void) => {
    const copy = structuredClone(lines);
    change(copy.find((line) => line.type === type));
    return copy;
  };
  const refused = async (values: readonly unknown[], message: RegExp) => {
    const empty = createMemoryStore();
    const importing = importLabels(rowsOf(values), empty.documents);
    await expect(importing).rejects.toMatchObject({
      code: 'import-invalid',
      message: expect.stringMatching(message),
    });
    expect(await exported(empty)).toHaveLength(1);
  };
  await refused(lines.slice(1), /does not begin with/);
  await refused(
    changed('rubric', ({ rubric }) => ((rubric as Record<string, unknown>)['question'] = 'Is it rude?')),
    /labels\.jsonl:2: the words of the rubric tone differ from its version/,
  );
  await refused(
    changed('label', ({ label: each }) => {
      (each as Record<string, unknown>)['outcome'] = { status: 'answered', value: 'maybe' };
    }),
    /labels\.jsonl:11: the label \w+ has the value "maybe", and the rubric \w+ asks for/,
  );
  await refused(
    changed('label', ({ label: each }) => ((each as Record<string, unknown>)['item'] = 6)),
    /of an item of the review task task-1 that is unknown/,
  );
  await refused(
    changed('label', ({ label: each }) => ((each as Record<string, unknown>)['replaces'] = 'nothing')),
    /replaces a label that is unknown or of another person/,
  );
  await refused(
    lines.filter(({ type, item }) => type !== 'item' || item.position !== 2),
    /has 5 of the 6 items/,
  );
  await refused(
    changed(
      'label',
      ({ label: each }) => ((each as Record<string, unknown>)['by'] = { person: 'a\u001b[2J' }),
    ),
    /labels\.jsonl:11 is no line of a file of labels: label\.by/,
  );
  await refused([...lines, { type: 'label' }], /labels\.jsonl:19 is no line/);
});

test('a label that the store has with another content is refused; a task that was closed elsewhere is closed', async () => {
  const store = await createTask();
  await label(store);
  const lines = parsed(await exported(store));
  const copy = structuredClone(lines);
  copy.at(-1).label.note = 'changed';
  await expect(importLabels(rowsOf(copy), store.documents)).rejects.toMatchObject({ code: 'label-conflict' });
  const closed = structuredClone(lines);
  closed.find(({ type }) => type === 'task').task.status = 'closed';
  await importLabels(rowsOf(closed), store.documents);
  expect((await store.documents.get(reviewTaskKind, ['task-1']))?.status).toBe('closed');
  await importLabels(rowsOf(lines), store.documents);
  expect((await store.documents.get(reviewTaskKind, ['task-1']))?.status).toBe('closed');
});

/** Returns what the labels of a store say, without ids and times. */
async function saidIn({ documents }: Store): Promise<object[]> {
  const labels: Label[] = await Array.fromAsync(documents.list(labelKind));
  return labels
    .map(({ item, rubric, outcome, by, note }) => ({
      item,
      rubric: rubric.id,
      outcome,
      person: by.person,
      note,
    }))
    .toSorted((one, other) => `${one.item} ${one.rubric}`.localeCompare(`${other.item} ${other.rubric}`));
}

test('tasks of Label Studio have the labels as annotations, and give the same labels when read', async () => {
  const store = await createTask();
  await label(store);
  const tasks = toLabelStudio(await readLabelledTask(store, 'task-1'));
  expect(tasks[0]).toMatchObject({
    id: 1,
    data: {
      touchstone_item: 0,
      question: expect.stringMatching(/^question \d$/),
      answer: expect.stringMatching(/^answer \d$/),
    },
    annotations: [
      {
        completed_by: { email: 'ann@example.org' },
        was_cancelled: false,
        lead_time: 12.5,
        created_at: '2026-01-03T09:00:00.000Z',
        result: [
          { from_name: 'tone', to_name: 'conversation', type: 'choices', value: { choices: ['yes'] } },
          { from_name: 'tone_note', type: 'textarea', value: { text: ['short, but polite'] } },
          { from_name: 'warmth', type: 'rating', value: { rating: 3 } },
        ],
      },
    ],
  });
  expect(tasks[3]).toMatchObject({ annotations: [{ was_cancelled: true, result: [] }] });
  const foreign = await fromLabelStudio(rowsOf(tasks), ['tone', 'warmth']);
  expect(await importForeign(store, 'task-1', foreign)).toEqual({ added: 0, known: 8 });
  const other = await createTask();
  expect(await importForeign(other, 'task-1', foreign)).toEqual({ added: 8, known: 0 });
  expect(await saidIn(other)).toEqual(await saidIn(store));
  expect(await importForeign(other, 'task-1', foreign)).toEqual({ added: 0, known: 8 });
  const imported = await Array.fromAsync(other.documents.list(labelKind));
  expect(imported.find(({ item }) => item === 0)).toMatchObject({
    blind: { verdict: 'unknown' },
    draw: { probability: 1 },
    origin: { tool: 'label-studio' },
    seconds: 12.5,
  });
  // Somebody states it: the same labels once more, as blind ones.
  const stated = { blindSaidBy: 'Ann' };
  expect(await importForeign(other, 'task-1', foreign, stated)).toEqual({ added: 8, known: 0 });
  expect(await importForeign(other, 'task-1', foreign, stated)).toEqual({ added: 0, known: 8 });
  expect(await importForeign(other, 'task-1', foreign)).toEqual({ added: 0, known: 8 });
  const inForce = labelsInForce(await Array.fromAsync(other.documents.list(labelKind)));
  expect(inForce).toHaveLength(8);
  for (const { blind, origin } of inForce) {
    expect(blind).toMatchObject({ verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'unknown' });
    expect(origin?.blindSaidBy).toBe('Ann');
  }
});

test('an annotation of Label Studio that was changed replaces the label; one that contradicts a label here is refused', async () => {
  const store = await createTask([tone]);
  const annotation = (value: string, id = 7) => ({
    id: 3,
    data: { case_id: 'case 1' },
    annotations: [
      {
        id,
        completed_by: 4,
        created_at: '2026-01-05T10:00:00.1234Z',
        updated_at: `2026-01-05T10:00:0${value === 'yes' ? 1 : 2}Z`,
        lead_time: 3.25,
        result: [{ from_name: 'tone', to_name: 'text', type: 'choices', value: { choices: [value] } }],
      },
    ],
  });
  const give = async (value: string, id?: number) =>
    await importForeign(store, 'task-1', await fromLabelStudio(rowsOf([annotation(value, id)]), ['tone']));
  await give('yes');
  await give('no');
  expect(
    (await Array.fromAsync(store.documents.list(labelKind))).map(({ outcome, replaces }) => [
      outcome,
      replaces,
    ]),
  ).toEqual([
    [{ status: 'answered', value: true }, undefined],
    [{ status: 'answered', value: false }, expect.any(String)],
  ]);
  await expect(give('yes', 8)).rejects.toMatchObject({
    code: 'import-invalid',
    message: expect.stringContaining('4 has answered tone differently here already'),
  });
  await expect(give('maybe', 7)).rejects.toMatchObject({
    message: expect.stringContaining('"maybe" is no answer to tone, which asks for yes or no'),
  });
});

test('records of Argilla have the labels as responses, and give the same labels when read', async () => {
  const store = await createTask();
  await label(store);
  const records = toArgilla(await readLabelledTask(store, 'task-1'));
  expect(records[0]).toMatchObject({
    id: 'task-1-0',
    fields: { question: expect.stringMatching(/^question \d$/) },
    metadata: { touchstone_item: 0 },
    responses: {
      tone: [{ value: 'yes', user_id: 'ann@example.org' }],
      warmth: [{ value: 3, user_id: 'ann@example.org' }],
    },
  });
  expect(records[3]).toMatchObject({ responses: {} });
  const other = await createTask();
  const foreign = await fromArgilla(rowsOf(records), ['tone', 'warmth']);
  expect(await importForeign(other, 'task-1', foreign)).toEqual({ added: 6, known: 0 });
  const withoutNotes = (said: readonly object[]) => said.map((each) => ({ ...each, note: undefined }));
  const answered = (await saidIn(store)).filter((each) => !JSON.stringify(each).includes('skipped'));
  expect(withoutNotes(await saidIn(other))).toEqual(withoutNotes(answered));
});

test('records of Argilla 1, with the values of a user together, and discarded ones are read', async () => {
  const store = await createTask([tone]);
  const records = [
    {
      metadata: { case_id: 'case 0' },
      responses: [{ user_id: 'u1', status: 'submitted', values: { tone: { value: 'no' } } }],
    },
    { metadata: { case_id: 'case 1' }, responses: [{ user_id: 'u1', status: 'discarded', values: null }] },
    {
      metadata: { case_id: 'case 2' },
      responses: { tone: [{ user_id: 'u1', status: 'draft', value: 'no' }] },
    },
    { metadata: { case_id: 'case 2' }, responses: null },
  ];
  const foreign = await fromArgilla(rowsOf(records), ['tone']);
  expect(foreign.map(({ item, value }) => [item.caseId, value])).toEqual([
    ['case 0', 'no'],
    ['case 1', null],
  ]);
  expect(await importForeign(store, 'task-1', foreign)).toEqual({ added: 2, known: 0 });
  const unknown = await fromArgilla(
    rowsOf([{ metadata: { case_id: 'x' }, responses: { tone: [{ value: 'no', user_id: 'u' }] } }]),
    ['tone'],
  );
  await expect(importForeign(store, 'task-1', unknown)).rejects.toMatchObject({
    message: expect.stringContaining('the task has no question "x"'),
  });
});
