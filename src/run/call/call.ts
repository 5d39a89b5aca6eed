import { messageOf } from '../../errors.ts';
import type { Executor } from '../../executors/executor.ts';
import { mergeIterables } from '../../lib/async-iterables.ts';
import { timeNow } from '../../lib/time.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { Message } from '../../schema/message.ts';
import type { Run } from '../../schema/run.ts';
import type { CasedTrial } from '../../schema/result.ts';
import type { TrialSpec } from '../../schema/trial.ts';
import { type CaseUser, defaultTurnLimit } from '../../schema/conversation.ts';
import type { Store } from '../../stores/store.ts';
import type { Target, TargetFailure } from '../../targets/target.ts';
import type { Move, Speaker, User } from '../../users/user.ts';
import type { Curtailment } from '../limits/curtailment.ts';
import type { Evaluation, Users } from '../evaluation.ts';
import { createLaneGuard } from '../limits/circuit-breaker.ts';
import { createOutageGate } from '../limits/outage-gate.ts';
import type { RunControl } from '../limits/run-control.ts';
import { findUser, withoutSecrets } from '../participants.ts';
import { pendingTrials } from '../prepare/pending-trials.ts';
import type { Recorder } from '../record/record.ts';
import { callTarget, openSession, type Session } from './call-target.ts';
import {
  conversationTrial,
  type End,
  type Exchange,
  historyOf,
  messagesOf,
  openingOf,
  toldMessages,
} from './conversation-trial.ts';
import { FirstTurn } from './first-turn.ts';
import { type CallLimits, stoppedBy, withinLimits, withinTrial } from './within-limits.ts';

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

/** Who talks with whom. */
interface Partners {
  readonly target: Target;
  readonly user: User;
}

/**
 * Makes one trial of a conversation: user and target take turns until the user ends it, a turn fails, or there were enough.
 * Each call has its own time limit and retries. Never throws: whatever happens becomes a record.
 */
export async function converse(
  spec: TrialSpec,
  { target, user }: Partners,
  limits: CallLimits,
): Promise<CasedTrial> {
  const startedAt = timeNow();
  const { case: testCase, attempt, seed } = spec;
  const part = { user: testCase.user as CaseUser, case: testCase, attempt, seed };
  const speaker = user.begin(part);
  const session = openSession(spec, target, limits);
  const exchanges: Exchange[] = [];
  const end = await takeTurns({ spec, speaker, session, exchanges }, limits);
  const logs = await session.end();
  const whole = { ...end, user: speaker.played?.(), startedAt, logs };
  return { case: testCase, trial: conversationTrial(spec, exchanges, whole) };
}

interface Talk {
  readonly spec: TrialSpec;
  readonly speaker: Speaker;
  readonly session: Session;
  /** Grows by one with every turn. */
  readonly exchanges: Exchange[];
}

type Ending = Pick<End, 'ended' | 'reason' | 'failure' | 'spoilt'>;

async function takeTurns({ spec, speaker, session, exchanges }: Talk, limits: CallLimits): Promise<Ending> {
  const heard: Message[] = [...historyOf(spec.case)];
  const turnLimit = turnLimitOf(spec);
  for (let turn = 1; ; turn += 1) {
    const opening = turn === 1 ? openingOf(spec.case) : undefined;
    const move: Move | Ending =
      opening === undefined
        ? await nextMove(speaker, heard, limits)
        : { type: 'says', message: opening, script: spec.case.user?.script && 0 };
    if (!('type' in move)) return move;
    if (move.type === 'spoils') return { ended: 'spoilt', spoilt: { kind: move.kind, reason: move.reason } };
    if (move.type === 'ends') return { ended: move.ended, reason: move.reason };
    // Asked all the same, so that a user who is content after the last turn can say so.
    if (turn > turnLimit) return { ended: 'turn-limit' };
    heard.push({ role: 'user', content: move.message });
    const asked = await session.ask(move.message, toldMessages(heard));
    const exchange = { said: { message: move.message, script: move.script }, asked };
    exchanges.push(exchange);
    heard.push(...messagesOf(exchange).slice(1));
    if (asked.failure === undefined) continue;
    return endedBy(asked.failure.with({ message: `turn ${turn}: ${asked.failure.message}` }));
  }
}

function endedBy(failure: TargetFailure): Ending {
  return { ended: failure.code === 'cancelled' ? 'cancelled' : 'failed', failure };
}

/** A script ends by itself. */
function turnLimitOf({ case: { user } }: TrialSpec): number {
  return user?.script === undefined ? (user?.turnLimit ?? defaultTurnLimit) : Number.POSITIVE_INFINITY;
}

/** What the user does next. A user who cannot be had spoils the trial: the target is not to blame. */
async function nextMove(
  speaker: Speaker,
  heard: readonly Message[],
  limits: CallLimits,
): Promise<Move | Ending> {
  try {
    return await withinLimits(limits, (context) => speaker.next(toldMessages(heard), context));
  } catch (error) {
    if (limits.abort.aborted) return endedBy(stoppedBy(limits.abort));
    return { type: 'spoils', kind: 'user-failed', reason: messageOf(error) };
  }
}
