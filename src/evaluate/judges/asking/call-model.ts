import { messageOf } from '../../../core/errors.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { createQueuedWork, type QueuedWork } from '../../../core/lib/waiting.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { type JudgeCall, judgeCallSchema } from '../../../core/schema/judgement.ts';
import { cannotSeeCode, type JudgeContext, type JudgeQuestion, notAskedCode, pendingCode } from '../judge.ts';
import type { JudgeReply } from './create-judge.ts';

const mostInRow = 20;

/** Failures of a reply, or of asking nothing, as opposed to failures to reach the judge. */
const noOutages: ReadonlySet<string> = new Set([
  'judge-unreadable',
  'judge-quote-missing',
  'judge-cut-off',
  'judge-refused',
  'judge-refused-by-provider',
  'judge-invalid-vectors',
  'judge-not-comparable',
  'judge-batch-unanswered',
  notAskedCode,
  pendingCode,
]);

/** Returns whether the failure of a judge with a code was about one answer, rather than that its server was away. */
export function isAboutAnswer(code: string): boolean {
  return noOutages.has(code) || code === cannotSeeCode;
}

/**
 * Creates a guard that stops asking an unreachable judge. After 20 failures in a row, not counting retries, every
 * further question fails at once, without time or cost. An unreadable reply does not count as such a failure, since the
 * judge is reachable.
 */
export function createOutageGuard() {
  let failuresInRow = 0;
  let lastReason = '';
  return {
    reset: () => {
      failuresInRow = 0;
    },
    watch: async (
      questions: number,
      consult: () => Promise<readonly JudgeReply[]>,
    ): Promise<readonly JudgeReply[]> => {
      if (failuresInRow >= mostInRow) {
        const reason = `not asked: the judge failed ${mostInRow} times in a row, the last time because of: ${lastReason}`;
        const outcome = { status: 'failed', code: 'judge-given-up', reason } as const;
        return Array.from({ length: questions }, () => ({ outcome, calls: [] }));
      }
      const replies = await consult();
      const outage = replies.find(
        ({ outcome }) => outcome.status === 'failed' && !noOutages.has(outcome.code),
      );
      failuresInRow = outage === undefined ? 0 : failuresInRow + 1;
      if (outage?.outcome.status === 'failed') lastReason = outage.outcome.reason;
      return replies;
    },
  };
}

/** The parts of a call that are known before it is made. */
export type CallDraft = Pick<JudgeCall, 'operation' | 'prompt' | 'parameters' | 'model'>;

/** A model's reply with its record. */
export interface ModelReply<Reply> {
  readonly reply: Reply;
  /** Its parameters replace the draft's. */
  readonly record: Omit<JudgeCall, 'id' | 'startedAt' | keyof CallDraft> &
    Partial<Pick<JudgeCall, 'parameters'>>;
}

/** The limits of a call and the redactor of its errors. */
export interface CallSession {
  readonly limits: Pick<JudgeContext, 'signal' | 'stop' | 'readBlob'>;
  /** Removes secrets from the errors that a model throws. */
  readonly redactor: SecretRedactor;
}

/** A call of a model for a judge. */
export interface ModelCall<Reply> {
  readonly call: JudgeCall;
  /** False when the call was given up before its turn came. */
  readonly isSent: boolean;
  readonly reply?: Reply;
}

/**
 * Makes a call. A call that waits for its turn is given up once the run is stopped. Rejects only when the signal is
 * aborted; a fault of the model becomes the error of the call.
 */
export async function callModel<Reply>(
  draft: CallDraft,
  { limits, redactor }: CallSession,
  ask: (work: QueuedWork) => Promise<ModelReply<Reply>>,
): Promise<ModelCall<Reply>> {
  const base = { id: randomId(), startedAt: timeNow(), ...draft };
  const work = createQueuedWork(limits.stop ?? neverStopped, limits.signal);
  try {
    const { reply, record } = await ask(work);
    return { reply, isSent: true, call: checkCall({ ...base, ...record }) };
  } catch (error) {
    limits.signal.throwIfAborted();
    const { code, message, attempts } = toFailure(error, work.isGivenUp());
    const redacted = redactor.json({ attempts: [...attempts], error: { code, message } });
    const call = { ...base, reply: null, ...redacted };
    return { call, isSent: !work.isGivenUp() || attempts.length > 0 };
  } finally {
    work.end();
  }
}

/**
 * Checks a record, since a user's own model may report values of any form. Throws `ModelFailure` for values that cannot
 * be stored and counted.
 */
export function checkCall(call: JudgeCall): JudgeCall {
  const { error } = judgeCallSchema.safeParse(call);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return call;
  const field = issue.path.join('.');
  throw new ModelFailure(
    'invalid-reply',
    `the ${field} that the model reports is unusable: ${issue.message}`,
  );
}

const neverStopped = new AbortController().signal;

function toFailure(error: unknown, isGivenUp: boolean): ModelFailure {
  const failure =
    error instanceof ModelFailure
      ? error
      : new ModelFailure('model-threw', messageOf(error), { cause: error });
  if (!isGivenUp) return failure;
  const { attempts } = failure;
  return new ModelFailure('not-asked', 'the run was stopped before its turn came', { attempts });
}

/**
 * Creates a redactor of the secrets of the environment, by value, so that a secret in a bot's answer is not passed on.
 * Short values are left alone, since they may be ordinary words.
 */
export function redactorOf(environment: Readonly<Record<string, string | undefined>>): SecretRedactor {
  const secrets = Object.entries(environment).filter(
    (entry): entry is [string, string] => isSecretName(entry[0]) && (entry[1]?.length ?? 0) >= 8,
  );
  return createSecretRedactor(secrets);
}

/** Returns the question without secrets in its material, as it may be sent and stored. */
export function withoutSecrets(question: JudgeQuestion, { text }: SecretRedactor): JudgeQuestion {
  const material = question.material.map((part) => ({ ...part, text: text(part.text) }));
  return { ...question, material };
}
