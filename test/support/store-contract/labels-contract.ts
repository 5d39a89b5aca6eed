import type { Label } from '../../../src/core/schema/review/label.ts';
import { markOf } from '../../../src/core/schema/review/label.ts';
import type { RubricEquivalence } from '../../../src/core/schema/review/rubric.ts';
import { buildItems, buildLabel, buildRubric, buildSubject, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, run, type StoreTest } from './store-records.ts';

const task = buildTask({ items: 3 });
const items = buildItems(task);
const rubric = buildRubric();
const equivalence: RubricEquivalence = {
  id: 'e1',
  rubric: rubric.id,
  versions: [rubric.version, '7'.repeat(32)],
  by: 'ann',
  at: '2026-01-02T03:04:05.678Z',
};

/** One label of every kind, in the order in which they were given. */
const labels: readonly Label[] = [
  buildLabel('l1', {
    item: 2,
    note: 'nul \u0000, high \u{1f642}',
    spans: [{ start: 0, end: 3, text: 'nul' }],
  }),
  buildLabel('l0', { item: 0, person: 'bob', at: '2026-01-03T09:00:01.000Z', value: 4, seconds: null }),
  buildLabel('l2', {
    item: 0,
    at: '2026-01-03T09:00:02.000Z',
    outcome: { status: 'skipped', reason: 'unclear' },
  }),
  buildLabel('l3', { item: 1, at: '2026-01-03T09:00:03.000Z', value: 'warm "quoted"' }),
  buildLabel('l4', {
    item: 1,
    at: '2026-01-03T09:00:04.000Z',
    outcome: { status: 'withdrawn' },
    replaces: 'l3',
  }),
  buildLabel('l5', {
    item: 1,
    person: 'cem',
    kind: 'adjudication',
    purpose: 'dispute',
    at: '2026-01-03T09:00:05.000Z',
    outcome: { status: 'not-applicable' },
    blind: { verdict: 'shown', score: 'hidden', others: 'shown', target: 'hidden' },
  }),
];

/** Registers the tests of storing rubrics, review tasks and labels. */
export function testLabels(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('rubrics, review tasks and items are read as they were written', async ({ reviews }) => {
    const [older, newer] = [
      { ...rubric, version: '1'.repeat(32) },
      { ...task, id: 'task-2', createdAt: '2026-02-01T00:00:00.000Z' },
    ];
    const added = await reviews.add({
      rubrics: [rubric, older],
      equivalences: [equivalence],
      tasks: [task, newer],
      items,
    });
    expect(added).toEqual({ rubrics: 2, equivalences: 1, tasks: 2, items: 3, labels: 0 });
    expect(await reviews.readRubrics()).toEqual([older, rubric]);
    expect(await reviews.readEquivalences()).toEqual([equivalence]);
    expect(await reviews.readTask(task.id)).toEqual(task);
    expect(await reviews.readTask('nothing')).toBeUndefined();
    expect(await reviews.listTasks()).toEqual([newer, task]);
    expect(await reviews.readItems(task.id)).toEqual(items);
    expect(await reviews.readItems(task.id, [2, 0, 9])).toEqual([items[0], items[2]]);
    expect(await reviews.readItemHeads(task.id)).toEqual(
      items.map(({ position, people }) => ({ position, people })),
    );
  });

  storeTest('labels are read as they were written, in the order in which they were given', async (store) => {
    const { reviews } = store;
    const elsewhere = buildLabel('x1', {
      task: null,
      item: null,
      draw: null,
      at: '2026-01-01T00:00:00.000Z',
      subject: buildSubject(0, { run: 'other', answerHash: 'e'.repeat(32) }),
      rubric: { id: 'other', version: '1' },
    });
    await reviews.add({ labels: [...labels.toReversed(), elsewhere] });
    expect(await collect(reviews.readLabels())).toEqual([elsewhere, ...labels]);
    expect(await collect(reviews.readLabels({ task: task.id }))).toEqual(labels);
    expect(await reviews.readMarks(task.id)).toEqual(labels.map(markOf));
    for (const choice of [
      { task: null },
      { rubric: 'other' },
      { run: 'other' },
      { answerHash: 'e'.repeat(32) },
    ]) {
      expect(await collect(reviews.readLabels(choice))).toEqual([elsewhere]);
      expect(await reviews.countLabels(choice)).toBe(1);
    }
    expect(await reviews.countLabels()).toBe(7);
    expect(await collect(reviews.readWholeLabels(() => expect.unreachable()))).toHaveLength(7);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('many labels are read completely, even with the same time', async ({ reviews }) => {
    const many = Array.from({ length: 1201 }, (_, index) =>
      buildLabel(`m${String(index).padStart(5, '0')}`, { item: index }),
    );
    await reviews.add({ labels: many });
    expect(await collect(reviews.readLabels({ task: task.id }))).toEqual(many);
  });

  storeTest('records that are stored already are left out; another content is refused', async (store) => {
    const { reviews } = store;
    await reviews.add({ rubrics: [rubric], tasks: [task], items, labels: labels.slice(0, 2) });
    const again = await reviews.add({ rubrics: [rubric], tasks: [task], items, labels });
    expect(again).toEqual({ rubrics: 0, equivalences: 0, tasks: 0, items: 0, labels: 4 });
    const changed = buildLabel('l1', { item: 2, value: false });
    const fresh = buildLabel('l9', { item: 2, person: 'dee' });
    await expect(reviews.add({ labels: [fresh, changed] })).rejects.toMatchObject({
      code: 'label-conflict',
      message: expect.stringContaining('The label l1 is in the store with another content'),
    });
    await expect(reviews.add({ tasks: [{ ...task, seed: 8 }] })).rejects.toMatchObject({
      code: 'label-conflict',
    });
    expect(await collect(reviews.readLabels())).toEqual(labels);
  });

  storeTest('a rubric and a task can be updated; an unknown task cannot', async ({ reviews }) => {
    await reviews.add({ rubrics: [rubric], tasks: [task] });
    await reviews.updateRubric({ ...rubric, criterion: 'helpfulness' });
    expect(await reviews.readRubrics()).toEqual([{ ...rubric, criterion: 'helpfulness' }]);
    await reviews.updateTask({ ...task, status: 'closed' });
    expect(await reviews.readTask(task.id)).toEqual({ ...task, status: 'closed' });
    await expect(reviews.updateTask({ ...task, id: 'nothing' })).rejects.toMatchObject({
      code: 'review-not-found',
    });
  });

  storeTest('labels and review tasks stay when their run is deleted', async (store) => {
    await fill(store);
    await store.reviews.add({ tasks: [task], items, labels });
    await store.deleteRun(run.id);
    expect(await collect(store.reviews.readLabels({ run: run.id }))).toEqual(labels);
    expect(await store.reviews.readItems(task.id)).toEqual(items);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('changing a label after it was stored does not change the store', async ({ reviews }) => {
    const mine = structuredClone(labels[0] as Label);
    await reviews.add({ labels: [mine] });
    mine.outcome = { status: 'withdrawn' };
    expect(await collect(reviews.readLabels())).toEqual([labels[0]]);
  });

  storeTest('the version of a store changes with every write of labels', async (store) => {
    const versions = [await store.readVersion()];
    const write = async (writing: Promise<unknown>) => {
      await writing;
      versions.push(await store.readVersion());
    };
    await write(store.reviews.add({ rubrics: [rubric], tasks: [task], items }));
    await write(store.reviews.add({ labels }));
    await write(store.reviews.updateTask({ ...task, status: 'closed' }));
    expect(new Set(versions).size).toBe(versions.length);
    await store.reviews.readMarks(task.id);
    expect(await store.readVersion()).toBe(versions.at(-1));
  });
}
