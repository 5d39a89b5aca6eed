import { canonicalJson } from '../../core/lib/content-hash.ts';
import type { Feedback, FeedbackMatch, FeedbackSubject } from '../../core/schema/feedback/feedback.ts';

/** The time for which feedback waits for its answer to come into the store, in milliseconds: seven days. */
const waitingMs = 7 * 24 * 60 * 60 * 1000;

/** An answer in the store that a feedback may be about. */
export interface AnswerAtHand extends Omit<FeedbackMatch, 'feedback'> {
  /** The start of its run; ISO 8601. */
  readonly runCreatedAt: string;
}

/**
 * The conditions that the answer of a feedback meets. A trace or a conversation that was read as a recording names its case,
 * so both are found by the id of the case.
 */
export interface AnswerQuery {
  readonly trialKey?: string;
  readonly caseId?: string;
  readonly run?: string;
  readonly target?: string;
  readonly attempt?: number;
}

/** Returns the conditions that the answer of a feedback meets. */
export function answerQueryOf(subject: FeedbackSubject): AnswerQuery {
  if ('traceId' in subject) return { caseId: subject.traceId };
  if ('conversation' in subject) return { caseId: subject.conversation };
  return subject;
}

/** A stored trace that a feedback may be about: by its id, or by its conversation and the turn in it. */
export type TraceQuery =
  | { readonly traceId: string }
  | { readonly conversation: string; readonly turn: number | undefined };

/** Returns the trace that a feedback is about; undefined when it is about the answer of a run. */
export function traceQueryOf(subject: FeedbackSubject): TraceQuery | undefined {
  if ('traceId' in subject) return subject;
  return 'conversation' in subject ? { conversation: subject.conversation, turn: subject.turn } : undefined;
}

/**
 * Chooses the trace of a turn from the traces of a conversation, in the order in which they began. Without a turn it is the only
 * one: guessing would count a reaction for the wrong answer.
 */
export function chooseTurn(traces: readonly string[], turn: number | undefined): string | undefined {
  if (turn !== undefined) return traces[turn - 1];
  return traces.length === 1 ? traces[0] : undefined;
}

/** Returns until when a feedback waits for its answer; ISO 8601. */
export function waitsUntil({ receivedAt }: Pick<Feedback, 'receivedAt'>): string {
  return new Date(Date.parse(receivedAt) + waitingMs).toISOString();
}

/**
 * Chooses the answer that a feedback belongs to: of the newest run that began in time. Undefined where there is none, or
 * where several answers of that run fit: guessing would count a reaction for the wrong answer.
 * @param answers - Those that meet `answerQueryOf`, of the newest run first.
 */
export function chooseAnswer(
  { id, ...feedback }: Pick<Feedback, 'id' | 'receivedAt'>,
  answers: readonly AnswerAtHand[],
): FeedbackMatch | undefined {
  const until = waitsUntil(feedback);
  const inTime = answers.filter(({ runCreatedAt }) => runCreatedAt <= until);
  const [first, second] = inTime;
  if (first === undefined || second?.run === first.run) return undefined;
  const { runCreatedAt: _since, ...answer } = first;
  return { feedback: id, ...answer };
}

/**
 * Returns whether two records of one id have the same content. The time of receipt does not count, nor does a user that was
 * hashed with a key that has been erased since.
 */
export function isSameFeedback(one: Feedback, other: Feedback): boolean {
  const isKeyShared = one.user?.key === other.user?.key;
  const contentOf = ({ receivedAt: _when, user, ...content }: Feedback) =>
    canonicalJson({
      ...content,
      hasUser: user !== undefined,
      ...(isKeyShared && { user: user?.hash }),
    });
  return contentOf(one) === contentOf(other);
}
