import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../../test/support/build-evaluation.ts';
import type { Evaluation } from '../evaluation.ts';
import { run } from '../run.ts';
import { neverStopped, type RunNeeds } from '../run-needs.ts';
import { isJudgeMissing } from '../prepare/resume.ts';

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));

const needs = (parts: Partial<RunNeeds> = {}): RunNeeds => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
  ...parts,
});

type Waiting = (caseId: string, signal: AbortSignal) => Promise<Verdict>;

/** A metric that waits, and counts its calls and how many run at the same time. */
function buildWaitingMetric(concurrency: number, score: Waiting) {
  const counts = { asked: 0, inFlight: 0, most: 0 };
  const metric: Metric = {
    concurrency,
    score: async ({ trial }, context) => {
      counts.asked += 1;
      counts.inFlight += 1;
      counts.most = Math.max(counts.most, counts.inFlight);
      try {
        return await score(trial.caseId, context?.signal ?? new AbortController().signal);
      } finally {
        counts.inFlight -= 1;
      }
    },
  };
  return { metric, counts };
}

function buildJudged(cases: number, metric: Metric, parts: Partial<Evaluation> = {}) {
  const bot = buildTarget(() => 'yes');
  const metrics = [
    resolvedMetric('judged', metric),
    resolvedMetric('plain', { score: () => ({ status: 'scored', value: 1 }) }),
  ];
  const evaluation = buildEvaluation(questions(cases), [resolvedTarget('bot', bot)], {
    metrics,
    scorecard: null,
    ...parts,
  });
  return { bot, evaluation };
}

const fine: Verdict = { status: 'scored', value: 1 };

test('as many trials are scored at a time as the waiting metric allows, and all of them', async () => {
  const { metric, counts } = buildWaitingMetric(7, async () => {
    await wait(3);
    return fine;
  });
  const { evaluation } = buildJudged(60, metric);
  const used = needs();
  const finished = await run(evaluation, used);
  expect(counts).toEqual({ asked: 60, inFlight: 0, most: 7 });
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ measured: 60, notMeasured: 0 });
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  expect(results.map(({ verdicts }) => Object.keys(verdicts))).toEqual(
    Array.from({ length: 60 }, () => ['judged', 'plain']),
  );
});

test('metrics that wait do so at the same time for one trial', async () => {
  let [inFlight, most] = [0, 0];
  const metric = (): Metric => ({
    concurrency: 1,
    score: async () => {
      most = Math.max(most, (inFlight += 1));
      await wait(5);
      inFlight -= 1;
      return fine;
    },
  });
  const metrics = ['a', 'b', 'c'].map((name) => resolvedMetric(name, metric()));
  await run(buildJudged(2, metric(), { metrics }).evaluation, needs());
  expect(most).toBe(3);
});

test('a stopped run leaves trials that were not begun unscored, loses no answer, and is finished on resuming', async () => {
  const stop = new AbortController();
  const { metric, counts } = buildWaitingMetric(2, async () => {
    if (counts.asked === 6) stop.abort();
    await wait(2);
    return fine;
  });
  const { bot, evaluation } = buildJudged(20, metric, {
    settings: { concurrency: 20, timeLimitMs: 60_000, maxRetries: 0 },
  });
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const used = needs({ signals });
  const stopped = await run(evaluation, used);
  expect(stopped.status).toBe('interrupted');
  expect(counts.asked).toBeLessThan(10);
  const { unscored = 0, measured, notMeasured } = stopped.summary?.targets[0]?.counts ?? {};
  expect([unscored, measured]).toEqual([notMeasured, counts.asked]);
  expect(stopped.summary?.decision.outcome).toBe('not-measured');
  const finished = await run(evaluation, { ...used, signals: neverStopped }, stopped);
  expect(finished).toMatchObject({ status: 'completed', summary: { targets: [{ coverage: 1 }] } });
  expect(counts.asked).toBe(20);
  expect(bot.calls).toHaveLength(20);
});

test('an abort ends the judging in progress, and leaves those trials unscored', async () => {
  const abort = new AbortController();
  const { metric } = buildWaitingMetric(4, async (_caseId, signal) => {
    setTimeout(() => abort.abort(), 5);
    await wait(60_000, undefined, { signal });
    return fine;
  });
  const signals = { stop: abort.signal, abort: abort.signal };
  const stopped = await run(buildJudged(4, metric).evaluation, needs({ signals }));
  expect(stopped).toMatchObject({
    status: 'interrupted',
    summary: { targets: [{ counts: { unscored: 4, notMeasured: 4, measured: 0 } }] },
  });
});

test('a failing judge lowers the coverage and never the score, and only its verdicts are asked again', async () => {
  let isDown = true;
  const { metric, counts } = buildWaitingMetric(3, async (caseId) =>
    isDown && caseId !== 'q0' && caseId !== 'q1'
      ? { status: 'failed', code: 'judge-timeout', reason: 'no reply' }
      : { status: 'scored', value: 0.5 },
  );
  const { bot, evaluation } = buildJudged(6, metric);
  const used = needs();
  const first = await run(evaluation, used);
  expect(first).toMatchObject({
    status: 'completed',
    summary: {
      targets: [
        {
          coverage: 2 / 6,
          counts: { judgeFaults: 4, notMeasured: 4 },
          metrics: [
            { metric: 'judged', estimate: { value: 0.5, n: 2 }, judgeFaults: 4 },
            { metric: 'plain', scored: 6 },
          ],
        },
      ],
      judge: { failed: 4 },
      decision: { outcome: 'not-measured' },
    },
  });
  expect(isJudgeMissing(first)).toBe(true);
  isDown = false;
  const asked = counts.asked;
  const second = await run(evaluation, used, first);
  expect(second.summary).toMatchObject({ targets: [{ coverage: 1 }], decision: { outcome: 'pass' } });
  expect([counts.asked - asked, bot.calls.length]).toEqual([4, 6]);
  expect(isJudgeMissing(second)).toBe(false);
  await expect(run(evaluation, used, second)).rejects.toMatchObject({ code: 'run-not-resumable' });
});

test('a judged metric beside the scorecard changes no total when its judge fails, and the gate does not pass', async () => {
  const failed: Verdict = { status: 'failed', code: 'judge-timeout', reason: 'no reply' };
  const { metric } = buildWaitingMetric(3, async (caseId) => (caseId === 'q0' ? failed : fine));
  const plain = buildEvaluation(questions(4), [
    resolvedTarget(
      'bot',
      buildTarget(() => 'yes'),
    ),
  ]);
  const evaluation: Evaluation = {
    ...plain,
    metrics: [...plain.metrics, resolvedMetric('judged', metric)],
    gate: { minCoverage: 1, failUnder: 50 },
  };
  const finished = await run(evaluation, needs());
  expect(finished.summary).toMatchObject({
    targets: [{ score: { value: 1, n: 4 }, coverage: 0.75, counts: { measured: 4, judgeFaults: 1 } }],
    decision: {
      outcome: 'not-measured',
      reasons: ['bot: 1 of 4 attempts was not measured, 1 of them because the judge failed'],
    },
  });
});

test('a store that cannot be used while a judge is asked ends the run, and is no verdict on an answer', async () => {
  const { metric } = buildWaitingMetric(2, async (caseId) => {
    if (caseId === 'q3') throw new TouchstoneError('store-unreadable', 'The store cannot be reached.');
    return { status: 'scored', value: 1 };
  });
  const store = createMemoryStore();
  await expect(run(buildJudged(8, metric).evaluation, needs({ store }))).rejects.toMatchObject({
    code: 'store-unreadable',
  });
  const [head] = (await store.listRuns()).slice(0, 1);
  const results = await Array.fromAsync(store.readResults(head?.id ?? ''));
  expect(results.length).toBeGreaterThan(0);
  for (const { trial, verdicts } of results) {
    expect(trial.status).toBe('completed');
    expect(Object.values(verdicts).filter(({ status }) => status === 'failed')).toEqual([]);
  }
});
