import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import { buildItems, buildLabel, buildRubric, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { baselineAt } from './baselines-contract.ts';
import { buildFeedback } from './feedback-contract.ts';
import { collect, fill, judgementAt, plan, run, type StoreTest, trialAt } from './store-records.ts';

const task = buildTask();

/** Every way to write into a store that holds {@link run}, by name, in an order in which each is possible. */
const writings: Readonly<Record<string, (store: Store, first: Result) => Promise<unknown>>> = {
  createRun: (store) => store.createRun({ ...run, id: 'second' }, undefined),
  updateRun: (store) => store.updateRun({ ...run, status: 'completed' }),
  addCases: (store) => store.addCases('second', [plan(0)]),
  addTrials: (store) => store.addTrials('second', [{ case: plan(0).case, trial: trialAt(0, 'answer') }]),
  addScores: (store, first) => store.addScores(run.id, [{ ...first, scorecard: null }]),
  addJudgements: (store) => store.addJudgements(run.id, [judgementAt(5)]),
  setBaseline: (store) => store.setBaseline(baselineAt('main', 0.5)),
  deleteBaseline: (store) => store.deleteBaseline('main'),
  'reviews.add': (store) =>
    store.reviews.add({ rubrics: [buildRubric()], tasks: [task], items: buildItems(task) }),
  'reviews.updateRubric': (store) => store.reviews.updateRubric({ ...buildRubric(), criterion: 'other' }),
  'reviews.updateTask': (store) => store.reviews.updateTask({ ...task, status: 'closed' }),
  'reviews.add labels': (store) => store.reviews.add({ labels: [buildLabel('one')] }),
  'feedback.add': (store) => store.feedback.add([buildFeedback('one')]),
  'feedback.eraseUserKey': async (store) => {
    await store.feedback.readUserKey();
    await store.feedback.eraseUserKey();
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
    const userKey = await given.feedback.readUserKey();
    const before = await contentOf(given);
    await using reopened = asDisposable(await reopen(given));
    expect(await contentOf(reopened.store)).toEqual(before);
    expect(await reopened.store.feedback.readUserKey()).toEqual(userKey);
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
    baseline: await store.readBaseline('main'),
    rubrics: await store.reviews.readRubrics(),
    tasks: await store.reviews.listTasks(),
    items: await store.reviews.readItems(task.id),
    labels: await collect(store.reviews.readLabels()),
    feedback: await collect(store.feedback.read()),
  };
}

function asDisposable(store: Store) {
  return { store, [Symbol.asyncDispose]: () => store.close() };
}
