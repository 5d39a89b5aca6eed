import type { LabelPurpose } from '../../../src/core/schema/review/label.ts';
import type { ReviewStore } from '../../../src/stores/reviews/review-store.ts';
import { buildItems, buildLabel, buildTask, type LabelParts } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, type StoreTest } from './store-records.ts';

const task = buildTask({ items: 5 });
const now = '2026-01-03T10:00:00.000Z';
const until = '2026-01-03T10:15:00.000Z';
const later = '2026-01-03T10:20:00.000Z';

/** Adds the task, whose items are labelled by the given number of people each. */
async function addTask(reviews: ReviewStore, people = 1): Promise<void> {
  await reviews.add({ tasks: [task], items: buildItems(task, { people }) });
}

/** Reserves items for a person; returns those that were to be had. */
async function reserve(
  reviews: ReviewStore,
  person: string,
  items: readonly number[],
  { purpose = 'new', at = now, count = 5 }: { purpose?: LabelPurpose; at?: string; count?: number } = {},
): Promise<number[]> {
  const wishes = items.map((item) => ({ item, purpose }));
  const end = new Date(Date.parse(at) + 900_000).toISOString();
  const request = { task: task.id, person, wishes, count, now: at, until: end };
  return (await reviews.reserve(request)).map(({ item }) => item);
}

async function submit(reviews: ReviewStore, id: string, parts: LabelParts = {}): Promise<void> {
  const { item = 0, person = 'ann', purpose = 'new' } = parts;
  const labels = [buildLabel(id, { item, person, purpose, ...parts })];
  await reviews.submit({ task: task.id, item: item ?? 0, person, purpose, labels, now });
}

/** Registers the tests of reserving items and submitting labels. */
export function testReviewWork(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const refused = (message: string) => ({
    code: 'label-refused',
    message: expect.stringContaining(message),
  });

  storeTest('an item is reserved by one person at a time, until the time is over', async ({ reviews }) => {
    await addTask(reviews, 2);
    expect(await reserve(reviews, 'ann', [3, 1, 0], { count: 2 })).toEqual([3, 1]);
    expect(await reserve(reviews, 'bob', [3, 1, 0])).toEqual([0]);
    expect(await reserve(reviews, 'ann', [3])).toEqual([3]);
    expect(await reviews.readReservations(task.id)).toEqual(
      [0, 1, 3].map((item) => ({ item, person: item === 0 ? 'bob' : 'ann', purpose: 'new', until })),
    );
    expect(await reserve(reviews, 'bob', [3, 1, 0], { at: later })).toEqual([3, 1, 0]);
    await reviews.release(task.id, 'bob', [3]);
    await reviews.release(task.id, 'ann');
    expect((await reviews.readReservations(task.id)).map(({ item }) => item)).toEqual([0, 1]);
    await reviews.release(task.id, 'bob');
    expect(await reviews.readReservations(task.id)).toEqual([]);
  });

  storeTest('a label ends the reservation, and no item gets more labels than wanted', async ({ reviews }) => {
    await addTask(reviews);
    await reserve(reviews, 'ann', [0, 1]);
    await submit(reviews, 'a0');
    expect((await reviews.readReservations(task.id)).map(({ item }) => item)).toEqual([1]);
    expect(await reserve(reviews, 'bob', [0, 1, 2])).toEqual([2]);
    await expect(submit(reviews, 'b0', { person: 'bob' })).rejects.toMatchObject(refused('all the labels'));
    await expect(submit(reviews, 'b1', { person: 'bob', item: 1 })).rejects.toMatchObject(
      refused('another person is labelling it'),
    );
    await expect(submit(reviews, 'a00')).rejects.toMatchObject(refused('has labelled it already'));
    expect((await collect(reviews.readLabels())).map(({ id }) => id)).toEqual(['a0']);
  });

  storeTest('several people label an item as often as wanted; a skip takes no place', async ({ reviews }) => {
    await addTask(reviews, 2);
    const skipped = { outcome: { status: 'skipped', reason: 'unclear' } } as const;
    await submit(reviews, 'a0', skipped);
    await submit(reviews, 'b0', { person: 'bob' });
    expect(await reserve(reviews, 'ann', [0])).toEqual([]);
    await submit(reviews, 'c0', { person: 'cem' });
    expect(await reserve(reviews, 'dee', [0])).toEqual([]);
    await reviews.add({
      labels: [buildLabel('u0', { person: 'cem', outcome: { status: 'withdrawn' }, replaces: 'c0' })],
    });
    expect(await reserve(reviews, 'dee', [0])).toEqual([0]);
  });

  storeTest('labels that were stored already can be sent again', async ({ reviews }) => {
    await addTask(reviews);
    await submit(reviews, 'a0');
    await submit(reviews, 'a0');
    expect(await reviews.countLabels()).toBe(1);
    await expect(submit(reviews, 'a0', { value: false })).rejects.toMatchObject({ code: 'label-conflict' });
  });

  storeTest('a dispute is decided once, by a person who has not labelled the item', async ({ reviews }) => {
    await addTask(reviews, 2);
    await submit(reviews, 'a0');
    await submit(reviews, 'b0', { person: 'bob', value: false });
    const dispute = { purpose: 'dispute', kind: 'adjudication' } as const;
    expect(await reserve(reviews, 'bob', [0], { purpose: 'dispute' })).toEqual([]);
    expect(await reserve(reviews, 'cem', [0], { purpose: 'dispute' })).toEqual([0]);
    await submit(reviews, 'c0', { person: 'cem', ...dispute });
    expect(await reserve(reviews, 'dee', [0], { purpose: 'dispute' })).toEqual([]);
  });

  storeTest('a second look and a control are possible once, whatever else is wanted', async ({ reviews }) => {
    await addTask(reviews);
    await submit(reviews, 'a0');
    expect(await reserve(reviews, 'ann', [0], { purpose: 'repeat' })).toEqual([0]);
    await submit(reviews, 'a1', { purpose: 'repeat', value: false });
    expect(await reserve(reviews, 'ann', [0], { purpose: 'repeat' })).toEqual([]);
    expect(await reserve(reviews, 'bob', [0], { purpose: 'control' })).toEqual([0]);
    await submit(reviews, 'b0', { person: 'bob', purpose: 'control' });
    expect(await reserve(reviews, 'bob', [0], { purpose: 'control' })).toEqual([]);
  });

  storeTest('many people who ask at once get different items, and none is labelled twice', async (store) => {
    const { reviews } = store;
    await addTask(reviews);
    const people = ['ann', 'bob', 'cem', 'dee', 'eli', 'fay', 'gus'];
    const got = await Promise.all(
      people.map((person) => reserve(reviews, person, [0, 1, 2, 3, 4], { count: 1 })),
    );
    expect(got.flat().toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4]);
    for (const person of people) await reviews.release(task.id, person);
    const given = await Promise.allSettled(people.map((person) => submit(reviews, person, { person })));
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reviews.countLabels()).toBe(1);
  });

  storeTest('an unknown task and an unknown item are refused', async ({ reviews }) => {
    const notFound = { code: 'review-not-found' };
    await expect(reserve(reviews, 'ann', [0])).rejects.toMatchObject(notFound);
    await expect(submit(reviews, 'a0')).rejects.toMatchObject(notFound);
    await addTask(reviews);
    await expect(submit(reviews, 'a9', { item: 9 })).rejects.toMatchObject(notFound);
    expect(await reviews.readReservations('nothing')).toEqual([]);
  });
}
