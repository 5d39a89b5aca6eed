import type { LabelPurpose } from '../../../src/core/schema/review/label.ts';
import { buildItems, buildLabel, buildTask, type LabelParts } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, type StoreTest } from './store-records.ts';
import { addReviewRecords } from '../../../src/stores/reviews/review-records.ts';
import {
  readReservations,
  releaseItems,
  reserveItems,
  submitLabels,
} from '../../../src/stores/reviews/reservations.ts';
import { labelKind } from '../../../src/stores/kinds/label.ts';
import { type DocumentStore } from '../../../src/stores/documents/document-store.ts';

const task = buildTask({ items: 5 });
const now = '2026-01-03T10:00:00.000Z';
const until = '2026-01-03T10:15:00.000Z';
const later = '2026-01-03T10:20:00.000Z';

/** Adds the task, whose items are labelled by the given number of people each. */
async function addTask(documents: DocumentStore, people = 1): Promise<void> {
  await addReviewRecords(documents, { tasks: [task], items: buildItems(task, { people }) });
}

/** Reserves items for a person; returns those that were to be had. */
async function reserve(
  documents: DocumentStore,
  person: string,
  items: readonly number[],
  { purpose = 'new', at = now, count = 5 }: { purpose?: LabelPurpose; at?: string; count?: number } = {},
): Promise<number[]> {
  const wishes = items.map((item) => ({ item, purpose }));
  const end = new Date(Date.parse(at) + 900_000).toISOString();
  const request = { task: task.id, person, wishes, count, now: at, until: end };
  return (await reserveItems(documents, request)).map(({ item }) => item);
}

async function submit(documents: DocumentStore, id: string, parts: LabelParts = {}): Promise<void> {
  const { item = 0, person = 'ann', purpose = 'new' } = parts;
  const labels = [buildLabel(id, { item, person, purpose, ...parts })];
  await submitLabels(documents, { task: task.id, item: item ?? 0, person, purpose, labels, now });
}

/** Registers the tests of reserving items and submitting labels. */
export function testReviewWork(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const refused = (message: string) => ({
    code: 'label-refused',
    message: expect.stringContaining(message),
  });

  storeTest('an item is reserved by one person at a time, until the time is over', async ({ documents }) => {
    await addTask(documents, 2);
    expect(await reserve(documents, 'ann', [3, 1, 0], { count: 2 })).toEqual([3, 1]);
    expect(await reserve(documents, 'bob', [3, 1, 0])).toEqual([0]);
    expect(await reserve(documents, 'ann', [3])).toEqual([3]);
    expect(await readReservations(documents, task.id)).toEqual(
      [0, 1, 3].map((item) => ({ item, person: item === 0 ? 'bob' : 'ann', purpose: 'new', until })),
    );
    expect(await reserve(documents, 'bob', [3, 1, 0], { at: later })).toEqual([3, 1, 0]);
    await releaseItems(documents, { task: task.id, person: 'bob', items: [3] });
    await releaseItems(documents, { task: task.id, person: 'ann' });
    expect((await readReservations(documents, task.id)).map(({ item }) => item)).toEqual([0, 1]);
    await releaseItems(documents, { task: task.id, person: 'bob' });
    expect(await readReservations(documents, task.id)).toEqual([]);
  });

  storeTest(
    'a label ends the reservation, and no item gets more labels than wanted',
    async ({ documents }) => {
      await addTask(documents);
      await reserve(documents, 'ann', [0, 1]);
      await submit(documents, 'a0');
      expect((await readReservations(documents, task.id)).map(({ item }) => item)).toEqual([1]);
      expect(await reserve(documents, 'bob', [0, 1, 2])).toEqual([2]);
      await expect(submit(documents, 'b0', { person: 'bob' })).rejects.toMatchObject(
        refused('all the labels'),
      );
      await expect(submit(documents, 'b1', { person: 'bob', item: 1 })).rejects.toMatchObject(
        refused('another person is labelling it'),
      );
      await expect(submit(documents, 'a00')).rejects.toMatchObject(refused('has labelled it already'));
      expect((await collect(documents.list(labelKind))).map(({ id }) => id)).toEqual(['a0']);
    },
  );

  storeTest(
    'several people label an item as often as wanted; a skip takes no place',
    async ({ documents }) => {
      await addTask(documents, 2);
      const skipped = { outcome: { status: 'skipped', reason: 'unclear' } } as const;
      await submit(documents, 'a0', skipped);
      await submit(documents, 'b0', { person: 'bob' });
      expect(await reserve(documents, 'ann', [0])).toEqual([]);
      await submit(documents, 'c0', { person: 'cem' });
      expect(await reserve(documents, 'dee', [0])).toEqual([]);
      await addReviewRecords(documents, {
        labels: [buildLabel('u0', { person: 'cem', outcome: { status: 'withdrawn' }, replaces: 'c0' })],
      });
      expect(await reserve(documents, 'dee', [0])).toEqual([0]);
    },
  );

  storeTest('labels that were stored already can be sent again', async ({ documents }) => {
    await addTask(documents);
    await submit(documents, 'a0');
    await submit(documents, 'a0');
    expect(await documents.count(labelKind)).toBe(1);
    await expect(submit(documents, 'a0', { value: false })).rejects.toMatchObject({ code: 'label-conflict' });
  });

  storeTest('a dispute is decided once, by a person who has not labelled the item', async ({ documents }) => {
    await addTask(documents, 2);
    await submit(documents, 'a0');
    await submit(documents, 'b0', { person: 'bob', value: false });
    const dispute = { purpose: 'dispute', kind: 'adjudication' } as const;
    expect(await reserve(documents, 'bob', [0], { purpose: 'dispute' })).toEqual([]);
    expect(await reserve(documents, 'cem', [0], { purpose: 'dispute' })).toEqual([0]);
    await submit(documents, 'c0', { person: 'cem', ...dispute });
    expect(await reserve(documents, 'dee', [0], { purpose: 'dispute' })).toEqual([]);
  });

  storeTest(
    'a second look and a control are possible once, whatever else is wanted',
    async ({ documents }) => {
      await addTask(documents);
      await submit(documents, 'a0');
      expect(await reserve(documents, 'ann', [0], { purpose: 'repeat' })).toEqual([0]);
      await submit(documents, 'a1', { purpose: 'repeat', value: false });
      expect(await reserve(documents, 'ann', [0], { purpose: 'repeat' })).toEqual([]);
      expect(await reserve(documents, 'bob', [0], { purpose: 'control' })).toEqual([0]);
      await submit(documents, 'b0', { person: 'bob', purpose: 'control' });
      expect(await reserve(documents, 'bob', [0], { purpose: 'control' })).toEqual([]);
    },
  );

  storeTest('many people who ask at once get different items, and none is labelled twice', async (store) => {
    const { documents } = store;
    await addTask(documents);
    const people = ['ann', 'bob', 'cem', 'dee', 'eli', 'fay', 'gus'];
    const got = await Promise.all(
      people.map((person) => reserve(documents, person, [0, 1, 2, 3, 4], { count: 1 })),
    );
    expect(got.flat().toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4]);
    for (const person of people) await releaseItems(documents, { task: task.id, person });
    const given = await Promise.allSettled(people.map((person) => submit(documents, person, { person })));
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await documents.count(labelKind)).toBe(1);
  });

  storeTest('an unknown task and an unknown item are refused', async ({ documents }) => {
    const notFound = { code: 'review-not-found' };
    await expect(reserve(documents, 'ann', [0])).rejects.toMatchObject(notFound);
    await expect(submit(documents, 'a0')).rejects.toMatchObject(notFound);
    await addTask(documents);
    await expect(submit(documents, 'a9', { item: 9 })).rejects.toMatchObject(notFound);
    expect(await readReservations(documents, 'nothing')).toEqual([]);
  });
}
