import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import { buildItems, buildLabel, buildRubric, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { baselineAt } from './baselines-contract.ts';
import { buildFeedback } from './feedback-contract.ts';
import { collect, fill, judgementAt, plan, run, type StoreTest, trialAt } from './store-records.ts';
import { addReviewRecords, readItems } from '../../../src/stores/reviews/review-records.ts';
import { rubricKind } from '../../../src/stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../../src/stores/kinds/review-task.ts';
import { labelKind } from '../../../src/stores/kinds/label.ts';
import { baselineKind } from '../../../src/stores/kinds/baseline.ts';
import { eraseUserKey, feedbackKind, readUserKey } from '../../../src/stores/kinds/feedback.ts';
import { putDocuments } from '../../../src/stores/documents/document-store.ts';
import { addFeedback } from '../../../src/stores/feedback/feedback-records.ts';

const task = buildTask();

/** Every way to write into a store that holds {@link run}, by name, in an order in which each is possible. */
const writings: Readonly<Record<string, (store: Store, first: Result) => Promise<unknown>>> = {
  createRun: (store) => store.createRun({ ...run, id: 'second' }, undefined),
  updateRun: (store) => store.updateRun({ ...run, status: 'completed' }),
  addCases: (store) => store.addCases('second', [plan(0)]),
  addTrials: (store) => store.addTrials('second', [{ case: plan(0).case, trial: trialAt(0, 'answer') }]),
  addScores: (store, first) => store.addScores(run.id, [{ ...first, scorecard: null }]),
  addJudgements: (store) => store.addJudgements(run.id, [judgementAt(5)]),
  setBaseline: (store) => putDocuments(store.documents, baselineKind, [baselineAt('main', 0.5)]),
  deleteBaseline: (store) =>
    store.documents.change([baselineKind], (change) =>
      change.remove(baselineKind, { where: { name: 'main' } }),
    ),
  'reviews.add': (store) =>
    addReviewRecords(store.documents, { rubrics: [buildRubric()], tasks: [task], items: buildItems(task) }),
  'reviews.updateRubric': (store) =>
    putDocuments(store.documents, rubricKind, [{ ...buildRubric(), criterion: 'other' }]),
  'reviews.updateTask': (store) =>
    putDocuments(store.documents, reviewTaskKind, [{ ...task, status: 'closed' }]),
  'reviews.add labels': (store) => addReviewRecords(store.documents, { labels: [buildLabel('one')] }),
  'feedback.add': (store) => addFeedback(store, [buildFeedback('one')]),
  'feedback.eraseUserKey': async (store) => {
    await readUserKey(store.documents);
    await eraseUserKey(store.documents);
  },
  deleteRun: (store) => store.deleteRun('second'),
};

/** Registers the tests that a dashboard relies on: whatever is written changes the version of a store. */
export function testVersion(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('the version changes with every kind of write', async (store) => {
    await fill(store);
    const [first] = await collect(store.readResults(run.id));
    const unseen: string[] = [];
    for (const [name, write] of Object.entries(writings)) {
      const before = await store.readVersion();
      await write(store, first as Result);
      if ((await store.readVersion()) === before) unseen.push(name);
    }
    expect(unseen).toEqual([]);
  });
}

/**
 * Registers the tests of a store that keeps its records beyond the process.
 * @param reopen - Closes a store and opens another one on the same records.
 */
export function testReopening(
  storeTest: StoreTest,
  expect: TestRunner['expect'],
  reopen: (store: Store) => Promise<Store>,
): void {
  storeTest('everything is there when it is opened again', async (given) => {
    await fill(given);
    const [first] = await collect(given.readResults(run.id));
    for (const [name, write] of Object.entries(writings)) {
      if (!/^delete|erase/.test(name)) await write(given, first as Result);
    }
    const userKey = await readUserKey(given.documents);
    const before = await contentOf(given);
    await using reopened = asDisposable(await reopen(given));
    expect(await contentOf(reopened.store)).toEqual(before);
    expect(await readUserKey(reopened.store.documents)).toEqual(userKey);
    expect(await collect(reopened.store.check())).toEqual([]);
  });
}

/** Reads everything that a store keeps. */
async function contentOf(store: Store) {
  const runs = await store.listRuns();
  return {
    runs: await Promise.all(runs.map(({ id }) => store.readRun(id))),
    results: await Promise.all(runs.map(({ id }) => collect(store.readResults(id)))),
    judgements: await collect(store.readJudgements(run.id)),
    baseline: await store.documents.get(baselineKind, ['main']),
    rubrics: await Array.fromAsync(store.documents.list(rubricKind)),
    tasks: await Array.fromAsync(store.documents.list(reviewTaskKind)),
    items: await readItems(store.documents, task.id),
    labels: await collect(store.documents.list(labelKind)),
    feedback: await collect(store.documents.list(feedbackKind)),
  };
}

function asDisposable(store: Store) {
  return { store, [Symbol.asyncDispose]: () => store.close() };
}
