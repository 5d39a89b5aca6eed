import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import type { Run } from '../schema/run.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { buildEvaluation, buildTarget, liveMetric, liveTarget } from '../testing/build-evaluation.ts';
import { run } from './run.ts';

const drafts = Array.from({ length: 12 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
const settings = { concurrency: 2, timeLimitMs: 60_000, maxRetries: 0 };

/** Runs until some calls were made, then tells the run to stop. */
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
  const interrupted = await run(buildEvaluation(drafts, [liveTarget('bot', first)], { settings }), needs);
  const goOn = async (evaluation: Parameters<typeof run>[0], from: Run = interrupted) =>
    await run(evaluation, { ...needs, signals: { ...signals, stop: new AbortController().signal } }, from);
  return { store, interrupted, first, goOn };
}

test('a run that is stopped keeps what was in flight and counts the rest as not run', async () => {
  const { interrupted, first } = await stopAfter(5);
  expect(interrupted.status).toBe('interrupted');
  const counts = interrupted.summary?.targets[0]?.counts;
  expect(counts?.measured).toBe(first.calls.length);
  expect(counts).toMatchObject({ planned: 12, notRun: 12 - first.calls.length });
  expect(interrupted.summary?.decision.outcome).toBe('not-measured');
});

test('resuming asks only what is missing, in the same run', async () => {
  const { interrupted, first, goOn } = await stopAfter(5);
  const second = buildTarget(() => 'yes');
  const finished = await goOn(buildEvaluation(drafts, [liveTarget('bot', second)], { settings }));
  expect(finished).toMatchObject({ id: interrupted.id, status: 'completed' });
  expect([...first.calls, ...second.calls].toSorted()).toEqual(drafts.map(({ id }) => id).toSorted());
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ planned: 12, measured: 12, notRun: 0 });
});

test('a trial that was cancelled in flight is on record as that, and is asked again', async () => {
  const store = createMemoryStore();
  const [stop, abort] = [new AbortController(), new AbortController()];
  const hanging = buildTarget(() => {
    stop.abort();
    setTimeout(() => abort.abort(), 5);
    return new Promise<string>(() => {});
  });
  const needs = { store, executor: createLocalExecutor(), observer: {} };
  const signals = { stop: stop.signal, abort: abort.signal };
  const cancelled = await run(buildEvaluation(drafts, [liveTarget('bot', hanging)], { settings }), {
    ...needs,
    signals,
  });
  expect(cancelled.summary?.targets[0]?.counts).toMatchObject({ cancelled: 2, notRun: 10, errors: 0 });
  const second = buildTarget(() => 'yes');
  const free = { stop: new AbortController().signal, abort: new AbortController().signal };
  const finished = await run(
    buildEvaluation(drafts, [liveTarget('bot', second)], { settings }),
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
  const evaluation = buildEvaluation(drafts, [liveTarget('bot', bot)], { settings });
  const signals = { stop: new AbortController().signal, abort: new AbortController().signal };
  const needs = { executor: createLocalExecutor(), observer: {}, signals };
  await expect(run(evaluation, { ...needs, store: crashing })).rejects.toThrow('killed');
  const [killed] = await store.listRuns();
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
        liveTarget(
          'other',
          buildTarget(() => 'yes'),
        ),
      ],
    },
    /targets: it has bot .*, now other/,
  ],
  [
    'another metric version',
    { metrics: [liveMetric('tool-usage', { score: () => ({ status: 'scored', value: 1 }) }, 2)] },
    /metrics: /,
  ],
  ['no scorecard', { scorecard: null }, /scorecard: it has .*three-component.*, now none/],
  ['more attempts', { attempts: 3 }, /attempts: it has 1, now 3/],
])('a run is not resumed with %s; the difference is shown', async (_what, parts, message) => {
  const { goOn } = await stopAfter(3);
  const evaluation = buildEvaluation(
    drafts,
    [
      liveTarget(
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

test('a run is not resumed when a case has changed', async () => {
  const { goOn } = await stopAfter(3);
  const changed = drafts.map((draft, index) => (index === 7 ? { ...draft, input: 'edited' } : draft));
  const evaluation = buildEvaluation(
    changed,
    [
      liveTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ],
    { settings },
  );
  await expect(goOn(evaluation)).rejects.toMatchObject({ message: expect.stringMatching(/dataset: /) });
});

test('a run that is complete is not resumed', async () => {
  const { goOn } = await stopAfter(100);
  const evaluation = buildEvaluation(
    drafts,
    [
      liveTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ],
    { settings },
  );
  await expect(goOn(evaluation)).rejects.toMatchObject({
    message: expect.stringMatching(/all of its trials are done/),
  });
});
