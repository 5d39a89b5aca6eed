import type { Executor } from '../../executors/executor.ts';
import { mergeIterables } from '../../lib/merge-iterables.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { CasedTrial } from '../../schema/scored-trial.ts';
import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { Store } from '../../stores/store.ts';
import type { Target } from '../../targets/target.ts';
import { callTarget } from './call-target.ts';
import type { Curtailment } from '../curtail/curtailment.ts';
import { createLaneGuard } from '../limits/lane-guard.ts';
import { converse } from './converse.ts';
import type { Evaluation, Users } from '../evaluation.ts';
import { findUser } from './find-user.ts';
import { FirstTurn } from './first-turn.ts';
import { createOutageGate } from '../limits/outage-gate.ts';
import { pendingTrials } from '../prepare/pending-trials.ts';
import type { Recorder } from '../record/record.ts';
import type { RunControl } from '../limits/run-control.ts';
import { type CallLimits, withinTrial } from './within-limits.ts';
import { withoutSecrets } from '../without-secrets.ts';

/** What calling works with. */
export interface CallNeeds {
  readonly store: Store;
  readonly executor: Executor;
  readonly control: RunControl;
  readonly record: Recorder;
  readonly curtailment: Curtailment;
  /** Told when a trial is begun (1) and when it has been recorded (-1). */
  readonly onCalling: (change: 1 | -1, recorded?: CasedTrial) => void;
}

/**
 * Makes every trial of the plan that is not kept yet. Each target works through the plan by itself, so that a slow or a
 * dead one holds up no other; with a target go its conditions, which are calls of the same bot. In an interleaved run all
 * targets take turns in one lane, and end together. A trial comes out of here when it has been recorded.
 */
export function callTargets(
  run: Run,
  { targets, users, secrets }: Pick<Evaluation, 'targets' | 'users' | 'secrets'>,
  needs: CallNeeds,
): AsyncIterable<CasedTrial[]> {
  const lanes = Map.groupBy(targets, ({ name, condition }) =>
    run.isInterleaved === true ? 'all' : (condition?.of ?? name),
  );
  return mergeIterables(
    Array.from(lanes.values(), (lane) => callLane(run, { targets: lane, users, secrets }, needs)),
  );
}

async function* callLane(
  run: Run,
  { targets, users, secrets }: Pick<Evaluation, 'targets' | 'users' | 'secrets'>,
  { store, executor, control, record, curtailment, onCalling }: CallNeeds,
): AsyncGenerator<CasedTrial[]> {
  const { concurrency } = run.settings;
  const { takeRepeat, onLate } = control;
  const byName = new Map(targets.map((live) => [live.name, withoutSecrets(live.target, secrets)]));
  const most = Math.min(concurrency, ...targets.map(({ target }) => target.maxConcurrency ?? concurrency));
  const guard = createLaneGuard(withoutConditions(targets), run.settings, control);
  const limits = { ...run.settings, abort: control.signals.abort, stop: guard.stop, takeRepeat, onLate };
  const outages = new Map(targets.map(({ name }) => [name, createOutageGate(guard.stop)]));
  const call = async (spec: TrialSpec) => {
    if (!(await control.budget.admit(spec.target))) return undefined;
    onCalling(1);
    const firstTurn = new FirstTurn(guard.stop);
    const partners = { target: byName.get(spec.target) as Target, users };
    const trial = await makeTrial(spec, partners, {
      ...limits,
      firstTurn,
      outage: outages.get(spec.target),
    });
    if (firstTurn.isGivenUp) {
      control.budget.withdraw(spec.target);
      onCalling(-1);
      return undefined;
    }
    const recorded = await record(trial);
    control.budget.settle(recorded.trial);
    guard.add(recorded.trial);
    onCalling(-1, recorded);
    return recorded;
  };
  const pending = curtailment.needed(pendingTrials(run, new Set(byName.keys()), store), guard.stop);
  for await (const group of executor.execute(pending, call, { concurrency: most, stop: guard.stop })) {
    const made = group.filter((trial) => trial !== undefined);
    if (made.length > 0) yield made;
  }
}

/** A case of several turns is a conversation, unless the target holds one already. */
function makeTrial(
  spec: TrialSpec,
  { target, users }: { readonly target: Target; readonly users: Users },
  limits: CallLimits,
): Promise<CasedTrial> {
  const { user } = spec.case;
  return withinTrial(limits, (within) =>
    user === undefined || target.holdsConversation === true
      ? callTarget(spec, target, within)
      : converse(spec, { target, user: findUser(user, users) }, within),
  );
}
