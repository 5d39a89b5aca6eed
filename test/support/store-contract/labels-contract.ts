import type { Label } from '../../../src/core/schema/review/label.ts';
import { markOf } from '../../../src/core/schema/review/label.ts';
import type { RubricEquivalence } from '../../../src/core/schema/review/rubric.ts';
import { buildItems, buildLabel, buildRubric, buildSubject, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, run, type StoreTest } from './store-records.ts';
import { addReviewRecords, readItems, readMarks } from '../../../src/stores/reviews/review-records.ts';
import { equivalenceKind, rubricKind } from '../../../src/stores/kinds/rubric.ts';
import { reviewItemKind, reviewTaskKind } from '../../../src/stores/kinds/review-task.ts';
import { labelKind } from '../../../src/stores/kinds/label.ts';
import { putDocuments } from '../../../src/stores/documents/document-store.ts';

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
  storeTest('rubrics, review tasks and items are read as they were written', async ({ documents }) => {
    const [older, newer] = [
      { ...rubric, version: '1'.repeat(32) },
      { ...task, id: 'task-2', createdAt: '2026-02-01T00:00:00.000Z' },
    ];
    const added = await addReviewRecords(documents, {
      rubrics: [rubric, older],
      equivalences: [equivalence],
      tasks: [task, newer],
      items,
    });
    expect(added).toMatchObject({ rubrics: 2, equivalences: 1, tasks: 2, items: 3, labels: 0 });
    expect(await Array.fromAsync(documents.list(rubricKind))).toEqual([older, rubric]);
    expect(await Array.fromAsync(documents.list(equivalenceKind))).toEqual([equivalence]);
    expect(await documents.get(reviewTaskKind, [task.id])).toEqual(task);
    expect(await documents.get(reviewTaskKind, ['nothing'])).toBeUndefined();
    expect(await Array.fromAsync(documents.list(reviewTaskKind))).toEqual([newer, task]);
    expect(await readItems(documents, task.id)).toEqual(items);
    expect(await readItems(documents, task.id, [2, 0, 9])).toEqual([items[0], items[2]]);
    expect(
      await documents.heads(reviewItemKind, ['position', 'people'], { where: { task: task.id } }),
    ).toEqual(items.map(({ position, people }) => ({ position, people })));
  });

  storeTest('labels are read as they were written, in the order in which they were given', async (store) => {
    const { documents } = store;
    const elsewhere = buildLabel('x1', {
      task: null,
      item: null,
      draw: null,
      at: '2026-01-01T00:00:00.000Z',
      subject: buildSubject(0, { run: 'other', answerHash: 'e'.repeat(32) }),
      rubric: { id: 'other', version: '1' },
    });
    await addReviewRecords(documents, { labels: [...labels.toReversed(), elsewhere] });
    expect(await collect(documents.list(labelKind))).toEqual([elsewhere, ...labels]);
    expect(await collect(documents.list(labelKind, { where: { task: task.id } }))).toEqual(labels);
    expect(await readMarks(documents, task.id)).toEqual(labels.map(markOf));
    for (const choice of [
      { task: '' },
      { rubric: 'other' },
      { run_id: 'other' },
      { answer_hash: 'e'.repeat(32) },
    ]) {
      expect(await collect(documents.list(labelKind, { where: choice }))).toEqual([elsewhere]);
      expect(await documents.count(labelKind, { where: choice })).toBe(1);
    }
    expect(await documents.count(labelKind)).toBe(7);
    expect(await collect(documents.list(labelKind, {}, () => expect.unreachable()))).toHaveLength(7);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('many labels are read completely, even with the same time', async ({ documents }) => {
    const many = Array.from({ length: 1201 }, (_, index) =>
      buildLabel(`m${String(index).padStart(5, '0')}`, { item: index }),
    );
    await addReviewRecords(documents, { labels: many });
    expect(await collect(documents.list(labelKind, { where: { task: task.id } }))).toEqual(many);
  });

  storeTest('records that are stored already are left out; another content is refused', async (store) => {
    const { documents } = store;
    await addReviewRecords(documents, {
      rubrics: [rubric],
      tasks: [task],
      items,
      labels: labels.slice(0, 2),
    });
    const again = await addReviewRecords(documents, { rubrics: [rubric], tasks: [task], items, labels });
    expect(again).toMatchObject({ rubrics: 0, equivalences: 0, tasks: 0, items: 0, labels: 4 });
    const changed = buildLabel('l1', { item: 2, value: false });
    const fresh = buildLabel('l9', { item: 2, person: 'dee' });
    await expect(addReviewRecords(documents, { labels: [fresh, changed] })).rejects.toMatchObject({
      code: 'label-conflict',
      message: expect.stringContaining('The label l1 is in the store with another content'),
    });
    await expect(addReviewRecords(documents, { tasks: [{ ...task, seed: 8 }] })).rejects.toMatchObject({
      code: 'label-conflict',
    });
    expect(await collect(documents.list(labelKind))).toEqual(labels);
  });

  storeTest('a rubric and a task can be replaced', async ({ documents }) => {
    await addReviewRecords(documents, { rubrics: [rubric], tasks: [task] });
    await putDocuments(documents, rubricKind, [{ ...rubric, criterion: 'helpfulness' }]);
    expect(await Array.fromAsync(documents.list(rubricKind))).toEqual([
      { ...rubric, criterion: 'helpfulness' },
    ]);
    await putDocuments(documents, reviewTaskKind, [{ ...task, status: 'closed' }]);
    expect(await documents.get(reviewTaskKind, [task.id])).toEqual({ ...task, status: 'closed' });
  });

  storeTest('labels and review tasks stay when their run is deleted', async (store) => {
    await fill(store);
    await addReviewRecords(store.documents, { tasks: [task], items, labels });
    await store.deleteRun(run.id);
    expect(await collect(store.documents.list(labelKind, { where: { run_id: run.id } }))).toEqual(labels);
    expect(await readItems(store.documents, task.id)).toEqual(items);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('changing a label after it was stored does not change the store', async ({ documents }) => {
    const mine = structuredClone(labels[0] as Label);
    await addReviewRecords(documents, { labels: [mine] });
    mine.outcome = { status: 'withdrawn' };
    expect(await collect(documents.list(labelKind))).toEqual([labels[0]]);
  });

  storeTest('the version of a store changes with every write of labels', async (store) => {
    const versions = [await store.readVersion()];
    const write = async (writing: Promise<unknown>) => {
      await writing;
      versions.push(await store.readVersion());
    };
    await write(addReviewRecords(store.documents, { rubrics: [rubric], tasks: [task], items }));
    await write(addReviewRecords(store.documents, { labels }));
    await write(putDocuments(store.documents, reviewTaskKind, [{ ...task, status: 'closed' }]));
    expect(new Set(versions).size).toBe(versions.length);
    await readMarks(store.documents, task.id);
    expect(await store.readVersion()).toBe(versions.at(-1));
  });
}
