import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ScoredTrial } from '../../../core/schema/result.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { TargetFailure } from '../../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../../test/support/build-evaluation.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { editRun } from '../run-label.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';

const drafts = Array.from({ length: 12 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
const settings = { concurrency: 2, timeLimitMs: 60_000, maxRetries: 0 };

/** Runs an evaluation until some calls were made, then stops it. */
async function stopAfter(calls: number) {
  const store = createMemoryStore();
  const stop = new AbortController();
  const first = buildTarget(async () => {
    if (first.calls.length >= calls) stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return 'yes';
  });
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals };
  const interrupted = await run(buildEvaluation(drafts, [resolvedTarget('bot', first)], { settings }), needs);
  const goOn = async (evaluation: Parameters<typeof run>[0], from: Run = interrupted) =>
    await run(evaluation, { ...needs, signals: { ...signals, stop: new AbortController().signal } }, from);
  return { store, interrupted, first, goOn };
}

test('a stopped run keeps the trials in flight and counts the rest as not run', async () => {
  const { interrupted, first } = await stopAfter(5);
  expect(interrupted.status).toBe('interrupted');
  const counts = interrupted.summary?.targets[0]?.counts;
  expect(counts?.measured).toBe(first.calls.length);
  expect(counts).toMatchObject({ planned: 12, notRun: 12 - first.calls.length });
  expect(interrupted.summary?.decision.outcome).toBe('not-measured');
});

test('a run that was named since is resumed under that name, and its record keeps its own', async () => {
  const { store, interrupted, goOn } = await stopAfter(5);
  await editRun(interrupted, { name: 'prompt v7', tags: { prompt: 'v7' }, by: 'ann' }, store);
  const second = buildTarget(() => 'yes');
  const label = { name: 'prompt v8', tags: { prompt: 'v7' } };
  await goOn({ ...buildEvaluation(drafts, [resolvedTarget('bot', second)], { settings }), label });
  expect((await store.readRun(interrupted.id))?.name).toBeUndefined();
  expect(await findRun(store, 'prompt v8')).toMatchObject({ status: 'completed', tags: { prompt: 'v7' } });
});

test('resuming asks only the missing trials, in the same run', async () => {
  const { interrupted, first, goOn } = await stopAfter(5);
  const second = buildTarget(() => 'yes');
  const finished = await goOn(buildEvaluation(drafts, [resolvedTarget('bot', second)], { settings }));
  expect(finished).toMatchObject({ id: interrupted.id, status: 'completed' });
  expect([...first.calls, ...second.calls].toSorted()).toEqual(drafts.map(({ id }) => id).toSorted());
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ planned: 12, measured: 12, notRun: 0 });
});

test('a trial that was cancelled in flight is recorded as cancelled, and asked again', async () => {
  const store = createMemoryStore();
  const [stop, abort] = [new AbortController(), new AbortController()];
  const hanging = buildTarget(() => {
    stop.abort();
    setTimeout(() => abort.abort(), 5);
    return new Promise<string>(() => {});
  });
  const needs = { store, executor: createLocalExecutor(), observer: {} };
  const signals = { stop: stop.signal, abort: abort.signal };
  const cancelled = await run(buildEvaluation(drafts, [resolvedTarget('bot', hanging)], { settings }), {
    ...needs,
    signals,
  });
  expect(cancelled.summary?.targets[0]?.counts).toMatchObject({ cancelled: 2, notRun: 10, errors: 0 });
  const second = buildTarget(() => 'yes');
  const free = { stop: new AbortController().signal, abort: new AbortController().signal };
  const finished = await run(
    buildEvaluation(drafts, [resolvedTarget('bot', second)], { settings }),
    { ...needs, signals: free },
    cancelled,
  );
  expect(second.calls).toHaveLength(12);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ measured: 12, cancelled: 0 });
});

test('trials that were recorded but not scored are scored without being asked again', async () => {
  const store = createMemoryStore();
  const crashing = { ...store, addScores: () => Promise.reject(new Error('killed')) };
  const bot = buildTarget(() => 'yes');
  const evaluation = buildEvaluation(drafts, [resolvedTarget('bot', bot)], { settings });
  const signals = { stop: new AbortController().signal, abort: new AbortController().signal };
  const needs = { executor: createLocalExecutor(), observer: {}, signals };
  await expect(run(evaluation, { ...needs, store: crashing })).rejects.toThrow('killed');
  const [killed] = await Array.fromAsync(readRuns(store));
  const before = [...bot.calls];
  const finished = await run(evaluation, { ...needs, store }, killed);
  expect(bot.calls.toSorted()).toEqual(drafts.map(({ id }) => id).toSorted());
  expect(before.length).toBeGreaterThan(0);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ planned: 12, measured: 12 });
});

test.each([
  [
    'another target',
    {
      targets: [
        resolvedTarget(
          'other',
          buildTarget(() => 'yes'),
        ),
      ],
    },
    /targets: it has bot .*, now other/,
  ],
  [
    'another metric version',
    { metrics: [resolvedMetric('tool-usage', { score: () => ({ status: 'scored', value: 1 }) }, 2)] },
    /metrics: /,
  ],
  ['no scorecard', { scorecard: null }, /scorecard: it has .*three-component.*, now none/],
  ['more attempts', { attempts: 3 }, /attempts: it has 1, now 3/],
])('a run is not resumed with %s; the difference is shown', async (_what, parts, message) => {
  const { goOn } = await stopAfter(3);
  const evaluation = buildEvaluation(
    drafts,
    [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ],
    { settings, ...parts },
  );
  await expect(goOn(evaluation)).rejects.toMatchObject({
    code: 'run-not-resumable',
    message: expect.stringMatching(message),
  });
});

test('when cases have changed, a new run reuses the other answers and asks only the new cases', async () => {
  const { interrupted, first, goOn, store } = await stopAfter(100);
  expect(first.calls).toHaveLength(12);
  const edited = drafts.map((draft, index) => (index === 7 ? { ...draft, input: 'edited' } : draft));
  const changed = [{ id: 'new', input: 'added' }, ...edited.slice(1)];
  const second = buildTarget(() => 'no');
  const finished = await goOn(buildEvaluation(changed, [resolvedTarget('bot', second)], { settings }));
  expect(second.calls.toSorted()).toEqual(['new', 'q7']);
  expect(finished).toMatchObject({ status: 'completed', continues: interrupted.id });
  expect(finished.id).not.toBe(interrupted.id);
  const results = await Array.fromAsync(store.readResults(finished.id));
  expect(results.map(({ trial }) => [trial.ordinal, trial.caseId, trial.answer])).toEqual(
    changed.map(({ id }, ordinal) => [ordinal, id, id === 'new' || id === 'q7' ? 'no' : 'yes']),
  );
  expect(await store.readRun(interrupted.id)).toEqual(interrupted);
});

test('a renamed case is the same case, and its answer is reused', async () => {
  const { goOn } = await stopAfter(100);
  const renamed = drafts.map((draft) => ({ ...draft, id: `${draft.id}-renamed` }));
  const second = buildTarget(() => 'no');
  await goOn(buildEvaluation(renamed, [resolvedTarget('bot', second)], { settings }));
  expect(second.calls).toEqual([]);
});

test('a run that is complete is not resumed', async () => {
  const { goOn } = await stopAfter(100);
  const evaluation = buildEvaluation(
    drafts,
    [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ],
    { settings },
  );
  await expect(goOn(evaluation)).rejects.toMatchObject({
    message: expect.stringMatching(/all of its attempts are done/),
  });
});

test('concurrency and gate of a resumed run are those of the current evaluation', async () => {
  const { goOn } = await stopAfter(3);
  let inFlight = 0;
  let most = 0;
  const second = buildTarget(async () => {
    most = Math.max(most, (inFlight += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    inFlight -= 1;
    return 'yes';
  });
  const parts = { settings: { ...settings, concurrency: 5 }, gate: { minCoverage: 1, failUnder: 50 } };
  const finished = await goOn(buildEvaluation(drafts, [resolvedTarget('bot', second)], parts));
  expect(most).toBe(5);
  expect(finished).toMatchObject(parts);
  expect(finished.summary?.decision.reasons).toEqual([expect.stringContaining('is at least 50 %')]);
});

test('a run that is being resumed has no summary, and its observer hears which trials were kept', async () => {
  const { store, interrupted, first } = await stopAfter(5);
  const kept: string[] = [];
  const seen: (Run | undefined)[] = [];
  const second = buildTarget(async () => {
    seen.push(await store.readRun(interrupted.id));
    return 'yes';
  });
  const observer = {
    onKept: (trials: readonly ScoredTrial[]) => kept.push(...trials.map(({ trial }) => trial.caseId)),
  };
  await run(
    buildEvaluation(drafts, [resolvedTarget('bot', second)], { settings }),
    { store, executor: createLocalExecutor(), observer, signals: neverStopped },
    interrupted,
  );
  expect(kept.toSorted()).toEqual(first.calls.toSorted());
  expect(seen[0]).toMatchObject({ status: 'running' });
  expect(seen[0]?.summary).toBeUndefined();
});

test('a run that another process works on is not resumed, and nothing is called', async () => {
  const { store, interrupted, goOn } = await stopAfter(3);
  const claim = await store.claimRun(interrupted.id);
  const second = buildTarget(() => 'yes');
  const evaluation = buildEvaluation(drafts, [resolvedTarget('bot', second)], { settings });
  await expect(goOn(evaluation)).rejects.toMatchObject({ code: 'run-in-progress' });
  expect(second.calls).toEqual([]);
  await claim[Symbol.asyncDispose]();
  expect((await goOn(evaluation)).status).toBe('completed');
});

test('however often a run is interrupted, its results and numbers are those of an uninterrupted run', async () => {
  const answer = ({ caseId, attempt, target }: { caseId: string; attempt: number; target: string }) => {
    const digit = Number(caseId.slice(1));
    // The target reports a latency of its own, like a recorded answer, since measured times differ from call to call.
    const latency = { totalMs: 10 + digit };
    if (digit % 5 === 1) throw new TargetFailure('target-threw', 'no database', { latency });
    return {
      answer: (digit + attempt) % 3 === 0 ? 'no' : `yes from ${target}`,
      toolCalls: [],
      cost: 0.01,
      latency,
    };
  };
  const targetsOf = (onCall: () => void) =>
    ['a', 'b'].map((target) =>
      resolvedTarget(
        target,
        buildTarget(async ({ caseId, attempt }) => {
          onCall();
          await new Promise((resolve) => setImmediate(resolve));
          return answer({ caseId, attempt, target });
        }),
      ),
    );
  const asked = drafts.map((draft) => ({ ...draft, expected: { keywords: ['yes'] } }));
  const stops = fc.array(fc.record({ calls: fc.integer({ min: 1, max: 20 }), isAborted: fc.boolean() }), {
    maxLength: 5,
  });
  const attempts = 2;
  const executor = createLocalExecutor();
  const whole = createMemoryStore();
  const uninterrupted = await run(
    buildEvaluation(
      asked,
      targetsOf(() => {}),
      { settings, attempts },
    ),
    { store: whole, executor, observer: {}, signals: neverStopped },
  );
  const expected = await resultsOf(uninterrupted, whole);
  await fc.assert(
    fc.asyncProperty(stops, async (interruptions) => {
      const store = createMemoryStore();
      let last: Run | undefined;
      for (const { calls, isAborted } of [
        ...interruptions,
        { calls: Number.POSITIVE_INFINITY, isAborted: false },
      ]) {
        if (last?.status === 'completed') break;
        const [stop, abort] = [new AbortController(), new AbortController()];
        let made = 0;
        const onCall = () => {
          made += 1;
          if (made < calls) return;
          stop.abort();
          if (isAborted) abort.abort();
        };
        const signals = { stop: stop.signal, abort: abort.signal };
        const evaluation = buildEvaluation(asked, targetsOf(onCall), { settings, attempts });
        last = await run(evaluation, { store, executor, observer: {}, signals }, last);
      }
      expect(last?.status).toBe('completed');
      expect(last?.summary).toEqual(uninterrupted.summary);
      expect(await resultsOf(last as Run, store)).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

/** Returns the results of a run without the times of its calls, which always differ. */
async function resultsOf({ id }: Run, store: Store) {
  const results = await Array.fromAsync(store.readResults(id));
  return results.map(({ trial: { startedAt: _when, ...trial }, ...said }) => ({
    trial,
    ...said,
  }));
}
