import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { TargetFailure } from '../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped, type RunNeeds } from './run-needs.ts';
import { summarizeRun } from './summarize.ts';
import { readRuns } from '../../stores/store.ts';

const needs = (parts: Partial<RunNeeds> = {}): RunNeeds => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
  ...parts,
});

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));

const targetOf = (finished: Run, index = 0) => finished.summary?.targets[index];

test('every case is asked once, recorded, scored and counted', async () => {
  const bot = buildTarget(({ caseId }) => (caseId === 'q1' ? 'no' : 'yes'));
  const used = needs();
  const finished = await run(buildEvaluation(questions(3), [resolvedTarget('bot', bot)]), used);
  expect(bot.calls.toSorted()).toEqual(['q0', 'q1', 'q2']);
  expect(finished).toMatchObject({ status: 'completed', dataset: { cases: 3, sources: ['memory.jsonl'] } });
  expect(targetOf(finished)).toMatchObject({
    score: { value: expect.closeTo((1 + 0.6 + 1) / 3, 12), n: 3, method: 'gaffke' },
    passRate: { value: expect.closeTo(2 / 3, 12), method: 'wilson' },
    counts: {
      planned: 3,
      measured: 3,
      passed: 2,
      failed: 1,
      errors: 0,
      notMeasured: 0,
      cancelled: 0,
      notRun: 0,
    },
    coverage: 1,
    grades: { A: 2, D: 1 },
  });
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  expect(results.map(({ trial }) => [trial.caseId, trial.answer])).toEqual([
    ['q0', 'yes'],
    ['q1', 'no'],
    ['q2', 'yes'],
  ]);
  expect(await used.store.readRun(finished.id)).toEqual(finished);
});

test("what Touchstone itself has closed ends the run, and is recorded as nobody's failure", async () => {
  const bot = buildTarget(({ caseId }) => {
    if (caseId === 'q5') throw new TouchstoneError('target-closed', 'The target has been closed.');
    return 'yes';
  });
  const used = needs();
  const evaluation = buildEvaluation(questions(20), [resolvedTarget('bot', bot)]);
  await expect(run(evaluation, used)).rejects.toMatchObject({ code: 'target-closed' });
  const [head] = await used.store.listRuns();
  const results = await Array.fromAsync(used.store.readResults(head?.id ?? ''));
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ trial }) => trial.status !== 'completed')).toEqual([]);
});

test('a failed trial is counted, never averaged as zero', async () => {
  const bot = buildTarget(({ caseId }) => {
    if (caseId === 'q0') throw new Error('no database');
    return 'yes';
  });
  const used = needs();
  const finished = await run(buildEvaluation(questions(4), [resolvedTarget('bot', bot)]), used);
  expect(targetOf(finished)).toMatchObject({
    score: { value: 1, n: 3 },
    counts: { planned: 4, measured: 3, errors: 1, passed: 3 },
    coverage: 0.75,
    worstCase: 0.75,
    bestCase: 1,
    errorRate: { value: 0.25 },
  });
  expect(finished.summary?.decision.outcome).toBe('not-measured');
  const [failed] = await Array.fromAsync(used.store.readResults(finished.id));
  expect(failed?.trial).toMatchObject({
    status: 'failed',
    answer: null,
    error: { code: 'target-threw', message: 'no database' },
  });
  expect(failed?.verdicts).toMatchObject({
    'tool-usage': { status: 'failed', code: 'trial-failed' },
    'error-handling': { status: 'scored', value: 0 },
  });
  expect(failed?.scorecard).toMatchObject({
    total: null,
    lower: 0,
    upper: expect.closeTo(0.8, 12),
    passed: false,
  });
});

test('a target that never answers fails with the time limit, and the late answer is not used', async () => {
  const bot = buildTarget(({ caseId }) => (caseId === 'q0' ? new Promise<string>(() => {}) : 'yes'));
  const settings = { concurrency: 2, timeLimitMs: 30, maxRetries: 0 };
  const used = needs();
  const finished = await run(buildEvaluation(questions(2), [resolvedTarget('bot', bot)], { settings }), used);
  const [slow] = await Array.fromAsync(used.store.readResults(finished.id));
  expect(slow?.trial.error).toEqual({ code: 'timeout', message: 'no answer within 30 ms' });
  expect(slow?.trial.latency?.totalMs).toBeGreaterThanOrEqual(29);
});

test('a call is repeated after a transient failure, and the repeats are recorded; after a permanent failure it is not', async () => {
  let lost = 2;
  const flaky = buildTarget(() => {
    if (lost-- > 0) throw new TargetFailure('connection-lost', 'reset', { retryable: true, retryAfterMs: 1 });
    return 'yes';
  });
  const broken = buildTarget(() => {
    throw new TargetFailure('invalid-reply', 'not JSON');
  });
  const settings = { concurrency: 1, timeLimitMs: 60_000, maxRetries: 2 };
  const used = needs();
  const targets = [resolvedTarget('flaky', flaky), resolvedTarget('broken', broken)];
  const finished = await run(buildEvaluation(questions(1), targets, { settings }), used);
  const trials = (await Array.fromAsync(used.store.readResults(finished.id))).map(({ trial }) => trial);
  expect(trials).toMatchObject([
    { target: 'flaky', status: 'completed', retries: 2 },
    { target: 'broken', status: 'failed', retries: 0, error: { code: 'invalid-reply' } },
  ]);
  expect([flaky.calls.length, broken.calls.length]).toEqual([3, 1]);
});

test('trials are stored before the observer hears of them', async () => {
  const store = createMemoryStore();
  const seen: boolean[] = [];
  const checking = {
    ...store,
    addScores: async (...[runId, scored]: Parameters<typeof store.addScores>) => {
      const kept = await Array.fromAsync(store.readResults(runId));
      seen.push(scored.every(({ trial }) => kept.some((result) => result.trial.key === trial.key)));
      await store.addScores(runId, scored);
    },
  };
  await run(
    buildEvaluation(questions(20), [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ]),
    needs({ store: checking }),
  );
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).not.toContain(false);
});

test('the plan is frozen before anything is called', async () => {
  const store = createMemoryStore();
  let plannedAtFirstCall: number | undefined;
  const bot = buildTarget(async () => {
    const [started] = await Array.fromAsync(readRuns(store));
    plannedAtFirstCall ??= (await Array.fromAsync(store.readCases(started?.id ?? ''))).length;
    return 'yes';
  });
  await run(buildEvaluation(questions(50), [resolvedTarget('bot', bot)]), needs({ store }));
  expect(plannedAtFirstCall).toBe(50);
});

test('the number of cases of each category is part of the plan; for a run of an older version it is computed', async () => {
  const store = createMemoryStore();
  const cases = questions(5).map((one, place) => ({ ...one, ...(place % 2 === 0 && { category: 'even' }) }));
  const finished = await run(
    buildEvaluation(cases, [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ]),
    needs({ store }),
  );
  const counts = [
    { category: 'even', cases: 3 },
    { category: 'uncategorized', cases: 2 },
  ];
  expect(finished.dataset.categories).toEqual(counts);
  const { categories: _later, ...dataset } = finished.dataset;
  const older = await summarizeRun({ ...finished, dataset }, store);
  expect(
    older.targets[0]?.categories.map(({ category, counts: { planned } }) => [category, planned]),
  ).toEqual([
    ['even', 3],
    ['uncategorized', 2],
  ]);
  expect(older.targets).toEqual(finished.summary?.targets);
});

test('targets and attempts multiply, and repeats of a case are averaged first', async () => {
  const steady = buildTarget(() => 'yes');
  const flaky = buildTarget(({ attempt }) => (attempt === 1 ? 'yes' : 'no'));
  const targets = [resolvedTarget('steady', steady), resolvedTarget('flaky', flaky)];
  const finished = await run(buildEvaluation(questions(5), targets, { attempts: 2 }), needs());
  expect([steady.calls.length, flaky.calls.length]).toEqual([10, 10]);
  expect(targetOf(finished, 1)).toMatchObject({
    score: { value: expect.closeTo(0.8, 12), n: 5, method: 'gaffke' },
    passRate: { value: 0.5, n: 5, method: 'effective-wilson' },
    counts: { planned: 10, passed: 5, failed: 5 },
  });
});

test('the same case, target and attempt have the same key and seed in every run, and others do not', async () => {
  const seeds: number[][] = [];
  const keys: string[][] = [];
  for (const seed of [0, 0, 1]) {
    const used = needs();
    const evaluation = buildEvaluation(
      questions(3),
      [
        resolvedTarget(
          'bot',
          buildTarget(() => 'yes'),
        ),
      ],
      { seed, attempts: 2 },
    );
    const finished = await run(evaluation, used);
    const trials = (await Array.fromAsync(used.store.readResults(finished.id))).map(({ trial }) => trial);
    seeds.push(trials.map((trial) => trial.seed));
    keys.push(trials.map((trial) => trial.key));
  }
  expect(keys[1]).toEqual(keys[0]);
  expect(seeds[1]).toEqual(seeds[0]);
  expect(new Set(keys[0]).size).toBe(6);
  expect(seeds[2]).not.toEqual(seeds[0]);
});

test('results do not depend on how many trials are in flight', async () => {
  const outcomes = [];
  for (const concurrency of [1, 50]) {
    const bot = buildTarget(async ({ seed, caseId }) => {
      await new Promise((resolve) => setTimeout(resolve, seed % 5));
      return Number(caseId.slice(1)) % 3 === 0 ? 'no' : 'yes';
    });
    const used = needs();
    const settings = { concurrency, timeLimitMs: 60_000, maxRetries: 0 };
    const finished = await run(
      buildEvaluation(questions(100), [resolvedTarget('bot', bot)], { settings }),
      used,
    );
    const results = await Array.fromAsync(used.store.readResults(finished.id));
    outcomes.push([
      finished.summary?.targets[0]?.score,
      results.map(({ trial, scorecard }) => [trial.key, scorecard]),
    ]);
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
});

test('no more trials are in flight than the target allows', async () => {
  let inFlight = 0;
  let most = 0;
  const answer = async () => {
    most = Math.max(most, (inFlight += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    inFlight -= 1;
    return 'yes';
  };
  const bot = buildTarget(answer, { maxConcurrency: 3 });
  const settings = { concurrency: 20, timeLimitMs: 60_000, maxRetries: 0 };
  await run(buildEvaluation(questions(40), [resolvedTarget('bot', bot)], { settings }), needs());
  expect(most).toBe(3);
});

test('a metric that throws, or returns a value out of range, is not measured and stops no other', async () => {
  const metrics = [
    resolvedMetric('tool-usage', { score: () => ({ status: 'scored', value: 1 }) }),
    resolvedMetric('keywords', {
      score: () => {
        throw new Error('bug');
      },
    }),
    resolvedMetric('error-handling', { score: async () => ({ status: 'scored', value: 1.5 }) }),
  ];
  const used = needs();
  const finished = await run(
    buildEvaluation(
      questions(1),
      [
        resolvedTarget(
          'bot',
          buildTarget(() => 'yes'),
        ),
      ],
      { metrics },
    ),
    used,
  );
  const [result] = await Array.fromAsync(used.store.readResults(finished.id));
  expect(result?.verdicts).toMatchObject({
    'tool-usage': { value: 1 },
    keywords: { status: 'failed', code: 'metric-threw', reason: 'bug' },
    'error-handling': { status: 'failed', code: 'metric-out-of-range' },
  });
  expect(targetOf(finished)).toMatchObject({
    score: { value: null },
    counts: { measured: 0, notMeasured: 1 },
    worstCase: 0.4,
    bestCase: 1,
  });
});

test('two cases with the same id are refused with both lines, and no run is left behind', async () => {
  const used = needs();
  const bot = buildTarget(() => 'yes');
  const drafts = [...questions(2), { id: 'q0', input: 'other' }];
  const failing = run(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), used);
  await expect(failing).rejects.toMatchObject({
    code: 'case-duplicate',
    message: expect.stringMatching(/memory\.jsonl:3: .* at memory\.jsonl:1$/),
  });
  expect(await used.store.listRuns()).toEqual([]);
  expect(bot.calls).toEqual([]);
});

test('two cases with the same content and different ids are two trials', async () => {
  const used = needs();
  const bot = buildTarget(() => 'yes');
  const drafts = ['a', 'b', 'c'].map((id) => ({ id, input: 'same' }));
  const finished = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), used);
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  expect(bot.calls.toSorted()).toEqual(['a', 'b', 'c']);
  expect(new Set(results.map(({ trial }) => trial.key)).size).toBe(3);
});

test('a target that cannot be reached ends the run before the first question, and every target is closed', async () => {
  const used = needs();
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  const well = buildTarget(() => 'yes', { close });
  const unreachable = buildTarget(() => 'yes', { close, open: () => Promise.reject(new Error('refused')) });
  const evaluation = buildEvaluation(questions(3), [
    resolvedTarget('well', well),
    resolvedTarget('down', unreachable),
  ]);
  await expect(run(evaluation, used)).rejects.toThrow('refused');
  expect([well.calls, unreachable.calls]).toEqual([[], []]);
  expect(await used.store.listRuns()).toEqual([]);
  expect(closed).toBe(2);
});

test('filter and limit select the cases; an empty selection is an error', async () => {
  const bot = buildTarget(() => 'yes');
  const chosen: Partial<Evaluation> = { selects: ({ id }) => id !== 'q0', limit: 2 };
  await run(buildEvaluation(questions(5), [resolvedTarget('bot', bot)], chosen), needs());
  expect(bot.calls.toSorted()).toEqual(['q1', 'q2']);
  const nothing = run(
    buildEvaluation(questions(5), [resolvedTarget('bot', bot)], { selects: () => false }),
    needs(),
  );
  await expect(nothing).rejects.toMatchObject({ code: 'dataset-empty' });
});
