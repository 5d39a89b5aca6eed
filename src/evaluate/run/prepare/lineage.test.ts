import { expect, test, vi } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { Metric, MetricContext } from '../../metrics/metric.ts';
import type { Run } from '../../../core/schema/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../../test/support/build-evaluation.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import type { Evaluation } from '../evaluation.ts';
import { rescore } from '../rescore.ts';
import { neverStopped } from '../run-needs.ts';
import { run } from '../run.ts';
import { findLineage, reuseAnswers } from './lineage.ts';
import { planRun } from './plan.ts';

async function storeOf(continued: Readonly<Record<string, string | undefined>>) {
  const store = createMemoryStore();
  for (const [index, [id, continues]] of Object.entries(continued).entries()) {
    const createdAt = `2026-01-0${index + 1}T00:00:00.000Z`;
    await store.createRun(buildRun({ id, createdAt, ...(continues !== undefined && { continues }) }));
  }
  const familyOf = async (id: string) => {
    const { first, others, later } = await findLineage((await store.readRun(id)) as Run, store);
    return { first: first.id, others: others.map((run) => run.id), later: later.map((run) => run.id) };
  };
  return { store, familyOf };
}

test('runs that continue each other form one lineage, with all branches', async () => {
  const { familyOf } = await storeOf({ a: undefined, b: 'a', other: undefined, c: 'b', d: 'a' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: ['d', 'c', 'b'], later: ['d', 'c', 'b'] });
  expect(await familyOf('b')).toEqual({ first: 'a', others: ['d', 'c', 'a'], later: ['c'] });
  expect(await familyOf('c')).toEqual({ first: 'a', others: ['d', 'b', 'a'], later: [] });
  expect(await familyOf('other')).toEqual({ first: 'other', others: [], later: [] });
});

test('a run with an incomplete plan belongs to no lineage, and a deleted run separates the runs around it', async () => {
  const { store, familyOf } = await storeOf({ a: undefined, b: 'a', c: 'b' });
  await store.updateRun({ ...((await store.readRun('c')) as Run), status: 'planning' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: ['b'], later: ['b'] });
  await store.deleteRun('a');
  expect(await familyOf('b')).toEqual({ first: 'b', others: [], later: [] });
});

test('the search ends for records that continue themselves in a circle, as an archive may contain them', async () => {
  const { familyOf } = await storeOf({ a: 'a', b: 'c', c: 'b' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: [], later: [] });
  expect((await familyOf('b')).first).toBe('c');
});

const drafts = Array.from({ length: 6 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
const changed = [...drafts.slice(1), { id: 'new', input: 'added' }];

/** Creates a finished run, and the evaluation of a dataset that has changed since. */
async function finishedRun() {
  const notices: string[] = [];
  const needs = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: { onNotice: ({ message }: { message: string }) => notices.push(message) },
    signals: neverStopped,
  };
  const bot = buildTarget(() => `answer ${bot.calls.length}`);
  const evaluate = (rows: readonly Record<string, unknown>[]) =>
    buildEvaluation(rows, [resolvedTarget('bot', bot)]);
  const finished = await run(evaluate(drafts), needs);
  const answersOf = async ({ id }: Run) =>
    (await Array.fromAsync(needs.store.readResults(id))).map(({ trial }) => trial.answer);
  return { needs, notices, bot, finished, evaluate, answersOf };
}

/** Leaves behind what a process does that is killed after planning the rest of a run. */
async function planFurther(evaluation: Evaluation, store: Store, { id }: Run): Promise<Run> {
  await using claims = new AsyncDisposableStack();
  return await planRun(evaluation, store, {
    onNotice: () => {},
    continues: id,
    claims,
    stop: neverStopped.stop,
  });
}

test('reusing answers after an interruption starts again and asks nothing twice', async () => {
  const { needs, bot, finished, evaluate, answersOf } = await finishedRun();
  const { store } = needs;
  const begun = await planFurther(evaluate(changed), store, finished);
  await reuseAnswers(begun, { ...store, addScores: async () => {} });
  const other = await planFurther(evaluate([...changed, { id: 'other', input: 'other' }]), store, finished);
  for (const half of [begun, other]) {
    const before = bot.calls.length;
    const rows = half.id === begun.id ? changed : [...changed, { id: 'other', input: 'other' }];
    const whole = await run(evaluate(rows), needs, half);
    expect(whole).toMatchObject({ id: half.id, status: 'completed' });
    expect(bot.calls.length - before).toBe(1);
    expect((await answersOf(whole)).slice(0, 5)).toEqual((await answersOf(finished)).slice(1));
  }
});

test('an answer is found in whichever run of the lineage has paid for it', async () => {
  const { needs, bot, finished, evaluate, answersOf } = await finishedRun();
  const without = (id: string) => drafts.filter((draft) => draft.id !== id);
  const added = { id: 'new', input: 'added' };
  const second = await run(evaluate([...without('q0'), added]), needs, finished);
  const third = await run(evaluate(without('q1')), needs, second);
  expect(bot.calls).toHaveLength(7);
  // One answer is in an earlier run, one in a later run, and one in a run on another branch.
  const back = await run(evaluate([...drafts, added]), needs, third);
  const beside = await run(evaluate([...without('q2'), added]), needs, finished);
  expect(bot.calls).toHaveLength(7);
  expect([back, beside]).toMatchObject([{ continues: third.id }, { continues: finished.id }]);
  expect(await answersOf(back)).toEqual([...(await answersOf(finished)), 'answer 7']);
  expect(await answersOf(beside)).toEqual((await answersOf(back)).toSpliced(2, 1));
});

test('two runs of one lineage are not worked on at the same time', async () => {
  const { needs, finished, evaluate } = await finishedRun();
  const second = await run(evaluate(changed), needs, finished);
  const claim = await needs.store.claimRun(finished.id);
  await expect(run(evaluate(drafts), needs, second)).rejects.toMatchObject({ code: 'run-in-progress' });
  await claim[Symbol.asyncDispose]();
  expect((await run(evaluate(drafts.slice(1)), needs, second)).status).toBe('completed');
});

test('questions that a killed process was asking a judge are asked by the run that continues its run', async () => {
  const { needs, evaluate } = await finishedRun();
  const kill = new AbortController();
  const ask = vi.fn<(signal: AbortSignal) => Promise<void>>(async (signal) => {
    if (!kill.signal.aborted) setTimeout(() => kill.abort(), 5);
    await wait(kill.signal.aborted ? 0 : 60_000, signal);
  });
  const judged: Metric = {
    concurrency: 4,
    score: async ({ trial }, context) => {
      const { judgements, signal } = context as MetricContext;
      await judgements.findOrAsk(trial.caseId, async () => await ask(signal), { signal });
      return { status: 'scored', value: 1 };
    },
  };
  const judge = (evaluation: Evaluation) => ({ ...evaluation, metrics: [resolvedMetric('judged', judged)] });
  const killed = await run(judge({ ...evaluate(drafts), scorecard: null }), {
    ...needs,
    store: { ...needs.store, releaseQuestions: async () => {} },
    signals: { stop: kill.signal, abort: kill.signal },
  });
  const before = ask.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  const whole = await run(judge({ ...evaluate(changed), scorecard: null }), needs, killed);
  expect(whole).toMatchObject({ continues: killed.id, status: 'completed' });
  expect(ask.mock.calls.length - before).toBe(changed.length);
});

test('a continuation that was begun already is resumed', async () => {
  const { needs, finished, evaluate } = await finishedRun();
  const second = await run(evaluate(changed), needs, finished);
  const third = await planFurther(evaluate(drafts.slice(2)), needs.store, second);
  expect(await run(evaluate(drafts.slice(2)), needs, finished)).toMatchObject({ id: third.id });
});

test('a continuation over changed cases is planned once, and then resumed', async () => {
  const { needs, bot, finished, evaluate } = await finishedRun();
  const { store } = needs;
  const begun = await planFurther(evaluate(changed), store, finished);
  expect((await run(evaluate(changed), needs, finished)).id).toBe(begun.id);
  await expect(run(evaluate(changed), needs, finished)).rejects.toMatchObject({
    code: 'run-not-resumable',
    message: `Run ${begun.id} cannot be resumed: all of its attempts are done.`,
  });
  expect(bot.calls).toHaveLength(7);
  expect(await store.listRuns()).toHaveLength(2);
});

test('fields that only group and count cases are taken from the current dataset, and nothing is asked for them', async () => {
  const { needs, bot, finished, evaluate } = await finishedRun();
  let earlier = finished;
  for (const group of [{ category: 'c' }, { tags: ['t'] }, { cluster: 'd' }, { gate: 'watch' }]) {
    const rows = drafts.map((draft) => ({ ...draft, ...group }));
    const regrouped = await run(evaluate(rows), needs, earlier);
    expect(regrouped).toMatchObject({ status: 'completed', continues: earlier.id });
    for await (const planned of needs.store.readCases(regrouped.id)) {
      expect(planned.case).toMatchObject(group);
    }
    earlier = regrouped;
  }
  expect(bot.calls).toHaveLength(6);
});

test('a run stays claimed while another is made of it', async () => {
  const { needs, bot, finished, evaluate } = await finishedRun();
  const claim = await needs.store.claimRun(finished.id);
  await expect(run(evaluate(changed), needs, finished)).rejects.toMatchObject({ code: 'run-in-progress' });
  expect([bot.calls.length, (await needs.store.listRuns()).length]).toEqual([6, 1]);
  await claim[Symbol.asyncDispose]();
  expect((await run(evaluate(changed), needs, finished)).status).toBe('completed');
  await (await needs.store.claimRun(finished.id))[Symbol.asyncDispose]();
});

test('a rescored run cannot be resumed: its answers belong to another run', async () => {
  const { needs, bot, finished, evaluate } = await finishedRun();
  const rescored = await rescore(finished, evaluate(drafts), needs);
  await expect(run(evaluate(changed), needs, rescored)).rejects.toMatchObject({
    code: 'run-not-resumable',
    message: expect.stringContaining(`its answers belong to run ${finished.id}`),
  });
  expect(bot.calls).toHaveLength(6);
});

test('a run that another version began is resumed with a notice', async () => {
  const { needs, notices, finished, evaluate } = await finishedRun();
  await run(evaluate(changed), needs, { ...finished, touchstoneVersion: '0.0.7' });
  expect(notices).toContainEqual(expect.stringMatching(/was begun by Touchstone 0\.0\.7, and this is \d/));
});
