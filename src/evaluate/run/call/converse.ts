import { isOwnFault, messageOf } from '../../../core/errors.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { type CaseUser, defaultTurnLimit } from '../../../core/schema/conversation.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import type { Target, TargetFailure } from '../../targets/target.ts';
import type { Move, Speaker, User } from '../../users/user.ts';
import { openSession, type Session } from './call-target.ts';
import {
  conversationTrial,
  type ConversationOutcome,
  type Exchange,
  historyOf,
  messagesOf,
  openingOf,
  withoutAnnotations,
} from './conversation-trial.ts';
import { attachmentsOf } from './attachments.ts';
import { acceptSilence, isSilenceRight } from './accept-silence.ts';
import { type CallLimits, stoppedBy, withinLimits } from './within-limits.ts';

/** The two sides of a conversation. */
interface Participants {
  readonly target: Target;
  readonly user: User;
}

/**
 * Makes one trial of a conversation: user and target take turns until the user ends it, a turn fails, or the turn limit
 * is reached. Each call has its own time limit and repeats. Whatever happens becomes a record: throws only what is Touchstone's own
 * fault.
 */
export async function converse(
  spec: TrialSpec,
  { target, user }: Participants,
  limits: CallLimits,
): Promise<CasedTrial> {
  const startedAt = timeNow();
  const { case: testCase, attempt, seed } = spec;
  const part = { user: testCase.user as CaseUser, case: testCase, attempt, seed };
  const speaker = user.begin(part);
  const session = openSession(spec, target, limits);
  const exchanges: Exchange[] = [];
  const outcome = await takeTurns({ spec, speaker, session, exchanges }, limits);
  const logs = await session.end();
  const whole = { ...outcome, user: speaker.played?.(), startedAt, logs };
  return { case: testCase, trial: conversationTrial(spec, exchanges, whole) };
}

interface Conversation {
  readonly spec: TrialSpec;
  readonly speaker: Speaker;
  readonly session: Session;
  /** The exchanges so far; each turn adds one. */
  readonly exchanges: Exchange[];
}

type Outcome = Pick<ConversationOutcome, 'ended' | 'reason' | 'failure' | 'spoilt'>;

async function takeTurns(
  { spec, speaker, session, exchanges }: Conversation,
  limits: CallLimits,
): Promise<Outcome> {
  const messages: Message[] = [...historyOf(spec.case)];
  const turnLimit = turnLimitOf(spec);
  for (let turn = 1; ; turn += 1) {
    const opening = turn === 1 ? openingOf(spec.case) : undefined;
    const move: Move | Outcome =
      opening === undefined
        ? await nextMove(speaker, messages, limits)
        : { type: 'says', message: opening, script: spec.case.user?.script && 0 };
    if (!('type' in move)) return move;
    if (move.type === 'invalidates')
      return { ended: 'spoilt', spoilt: { kind: move.kind, reason: move.reason } };
    if (move.type === 'ends') return { ended: move.ended, reason: move.reason };
    // The user is still asked, so that one who is satisfied after the last turn can say so.
    if (turn > turnLimit) return { ended: 'turn-limit' };
    const attachments = opening === undefined ? undefined : attachmentsOf(spec.case);
    messages.push({ role: 'user', content: move.message, ...(attachments && { attachments }) });
    const asked = acceptSilence(
      await session.ask(move.message, withoutAnnotations(messages)),
      mayBeSilent(spec.case, move.script),
    );
    const exchange = { said: { message: move.message, script: move.script, attachments }, asked };
    exchanges.push(exchange);
    // A turn that the provider refused, or in which nothing was said, has no message that could be sent again.
    messages.push(...messagesOf(exchange).slice(1).filter(saysSomething));
    if (asked.failure === undefined) continue;
    return endedBy(asked.failure.with({ message: `turn ${turn}: ${asked.failure.message}` }));
  }
}

function saysSomething({ role, content, toolCalls = [] }: Message): boolean {
  return role !== 'assistant' || (content ?? '').trim() !== '' || toolCalls.length > 0;
}

/**
 * Returns whether silence is right in a turn, by what the script expects of the turn. Where it expects nothing, what the case
 * expects counts for the last turn of a script, and for every turn of a user with a goal, since any may be the last.
 */
function mayBeSilent({ expected, user }: Case, turn: number | undefined): boolean {
  const script = user?.script;
  if (script === undefined) return isSilenceRight(expected);
  const own = script[turn ?? -1]?.expected;
  if (own !== undefined) return isSilenceRight(own);
  return turn === script.length - 1 && isSilenceRight(expected);
}

function endedBy(failure: TargetFailure): Outcome {
  return { ended: failure.code === 'cancelled' ? 'cancelled' : 'failed', failure };
}

/** Returns the turn limit of a case. A script ends by itself. */
function turnLimitOf({ case: { user } }: TrialSpec): number {
  return user?.script === undefined ? (user?.turnLimit ?? defaultTurnLimit) : Number.POSITIVE_INFINITY;
}

/** Returns the user's next move. A user that fails invalidates the trial: the target is not to blame. */
async function nextMove(
  speaker: Speaker,
  messages: readonly Message[],
  limits: CallLimits,
): Promise<Move | Outcome> {
  try {
    return await withinLimits(limits, (context) => speaker.next(withoutAnnotations(messages), context));
  } catch (error) {
    if (limits.abort.aborted) return endedBy(stoppedBy(limits.abort));
    if (isOwnFault(error)) throw error;
    return { type: 'invalidates', kind: 'user-failed', reason: messageOf(error) };
  }
}
