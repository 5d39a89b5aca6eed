import type { Executor } from '../executors/executor.ts';
import { mergeIterables } from '../lib/merge-iterables.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import type { Run } from '../schema/run.ts';
import type { TrialSpec } from '../schema/trial-spec.ts';
import type { Store } from '../stores/store.ts';
import { callTarget } from './call-target.ts';
import type { LiveTarget } from './evaluation.ts';
import { trialsOfCase } from './plan.ts';

/** How a run is told to end early. */
export interface StopSignals {
  /** Nothing new is started; what is in flight is finished and kept. */
  readonly stop: AbortSignal;
  /** What is in flight is cancelled too. */
  readonly abort: AbortSignal;
}

/**
 * Makes every trial of the plan that is not kept yet. Each target works through the plan by itself, so that a slow one
 * holds up no other.
 */
export function callTargets(
  run: Run,
  targets: readonly LiveTarget[],
  { store, executor, signals }: { store: Store; executor: Executor; signals: StopSignals },
): AsyncIterable<CasedTrial[]> {
  const { concurrency, timeLimitMs, maxRetries } = run.settings;
  const limits = { timeLimitMs, maxRetries, abort: signals.abort };
  const lanes = targets.map(({ name, target }) =>
    executor.execute(pendingTrials(run, name, store), (spec) => callTarget(spec, target, limits), {
      concurrency: Math.min(concurrency, target.maxConcurrency ?? concurrency),
      stop: signals.stop,
    }),
  );
  return mergeIterables(lanes);
}

const pageSize = 200;

async function* pendingTrials(run: Run, target: string, store: Store): AsyncGenerator<TrialSpec> {
  let page: TrialSpec[] = [];
  for await (const planned of store.readCases(run.id)) {
    page.push(...trialsOfCase(run, planned).filter((spec) => spec.target === target));
    if (page.length < pageSize) continue;
    yield* await dropDone(run, page, store);
    page = [];
  }
  yield* await dropDone(run, page, store);
}

async function dropDone(run: Run, specs: readonly TrialSpec[], store: Store): Promise<TrialSpec[]> {
  const done = await store.findDone(run.id, specs);
  return specs.filter(({ key }) => !done.has(key));
}
