import type { Executor } from '../executors/executor.ts';
import { mergeIterables } from '../lib/merge-iterables.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import type { Run } from '../schema/run.ts';
import type { TrialSpec } from '../schema/trial-spec.ts';
import type { Store } from '../stores/store.ts';
import type { Target } from '../targets/target.ts';
import { callTarget } from './call-target.ts';
import { converse } from './converse.ts';
import type { Evaluation, Users } from './evaluation.ts';
import { findUser } from './find-user.ts';
import { trialsOfCase } from './plan.ts';
import type { Recorder } from './record.ts';
import type { CallLimits } from './within-limits.ts';

/** How a run is told to end early. */
export interface StopSignals {
  /** Nothing new is started; what is in flight is finished and kept. */
  readonly stop: AbortSignal;
  /** What is in flight is cancelled too. */
  readonly abort: AbortSignal;
}

/** What calling works with. */
export interface CallNeeds {
  readonly store: Store;
  readonly executor: Executor;
  readonly signals: StopSignals;
  readonly record: Recorder;
  /** Told when a trial is begun (1) and when it has been recorded (-1). */
  readonly onCalling: (change: 1 | -1) => void;
}

/**
 * Makes every trial of the plan that is not kept yet. Each target works through the plan by itself, so that a slow one
 * holds up no other; with a target go its conditions, which are calls of the same bot. A trial comes out of here when it
 * has been recorded.
 */
export function callTargets(
  run: Run,
  { targets, users }: Pick<Evaluation, 'targets' | 'users'>,
  { store, executor, signals, record, onCalling }: CallNeeds,
): AsyncIterable<CasedTrial[]> {
  const { concurrency, timeLimitMs, maxRetries } = run.settings;
  const limits = { timeLimitMs, maxRetries, abort: signals.abort };
  const lanes = Map.groupBy(targets, ({ name, condition }) => condition?.of ?? name).values();
  return mergeIterables(
    Array.from(lanes, (lane) => {
      const byName = new Map(lane.map(({ name, target }) => [name, target]));
      const most = Math.min(concurrency, ...lane.map(({ target }) => target.maxConcurrency ?? concurrency));
      const call = async (spec: TrialSpec) => {
        onCalling(1);
        const trial = await makeTrial(spec, { target: byName.get(spec.target) as Target, users }, limits);
        const recorded = await record(trial);
        onCalling(-1);
        return recorded;
      };
      const pending = pendingTrials(run, new Set(byName.keys()), store);
      return executor.execute(pending, call, { concurrency: most, stop: signals.stop });
    }),
  );
}

/** A case of several turns is a conversation, unless the target holds one already. */
function makeTrial(
  spec: TrialSpec,
  { target, users }: { readonly target: Target; readonly users: Users },
  limits: CallLimits,
): Promise<CasedTrial> {
  const { user } = spec.case;
  if (user === undefined || target.holdsConversation === true) return callTarget(spec, target, limits);
  return converse(spec, { target, user: findUser(user, users) }, limits);
}

const pageSize = 200;

async function* pendingTrials(
  run: Run,
  targets: ReadonlySet<string>,
  store: Store,
): AsyncGenerator<TrialSpec> {
  let page: TrialSpec[] = [];
  for await (const planned of store.readCases(run.id)) {
    page.push(...trialsOfCase(run, planned).filter((spec) => targets.has(spec.target)));
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
