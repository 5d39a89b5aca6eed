import { messageOf } from '../../errors.ts';
import { randomId } from '../../lib/random-id.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../lib/redact-secrets.ts';
import { timeNow } from '../../lib/time.ts';
import { createQueuedWork, type QueuedWork } from '../../lib/waiting.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { type JudgeCall, judgeCallSchema } from '../../schema/judgement.ts';
import { type JudgeContext, type JudgeQuestion, notAskedCode } from '../judge.ts';
import type { Consultation } from './create-judge.ts';

const mostInRow = 20;

/** What is wrong with a reply, and not with getting one; or nothing at all. */
const noOutages: ReadonlySet<string> = new Set([
  'judge-unreadable',
  'judge-quote-missing',
  'judge-invalid-vectors',
  'judge-not-comparable',
  notAskedCode,
]);

/**
 * Stops asking a judge that is not there any more: after 20 failures in a row, retries not counted, every further question
 * fails at once, and costs neither time nor money. A reply that cannot be read is no such failure: the judge is there.
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
      consult: () => Promise<readonly Consultation[]>,
    ): Promise<readonly Consultation[]> => {
      if (failuresInRow >= mostInRow) {
        const reason = `not asked: the judge failed ${mostInRow} times in a row, the last time because of: ${lastReason}`;
        const outcome = { status: 'failed', code: 'judge-given-up', reason } as const;
        return Array.from({ length: questions }, () => ({ outcome, calls: [] }));
      }
      const consultations = await consult();
      const outage = consultations.find(
        ({ outcome }) => outcome.status === 'failed' && !noOutages.has(outcome.code),
      );
      failuresInRow = outage === undefined ? 0 : failuresInRow + 1;
      if (outage?.outcome.status === 'failed') lastReason = outage.outcome.reason;
      return consultations;
    },
  };
}

/** What is known of a call before it is made. */
export type CallDraft = Pick<JudgeCall, 'operation' | 'prompt' | 'parameters' | 'model'>;

/** A model's reply, and how it is recorded. */
export interface Told<Reply> {
  readonly reply: Reply;
  readonly record: Omit<JudgeCall, 'id' | 'startedAt' | keyof CallDraft>;
}

/** What a call is made within. */
export interface CallSession {
  readonly limits: Pick<JudgeContext, 'signal' | 'stop'>;
  /** Takes secrets out of what a model throws. */
  readonly redactor: SecretRedactor;
}

/** One call of a model for a judge. */
export interface ModelCall<Reply> {
  readonly call: JudgeCall;
  /** False where it was given up before its turn came. */
  readonly isSent: boolean;
  readonly reply?: Reply;
}

/**
 * Makes a call, which is given up where it waits once the run is stopped. Rejects only when the signal is aborted; a fault
 * of the model is the error of the call.
 */
export async function callModel<Reply>(
  draft: CallDraft,
  { limits, redactor }: CallSession,
  ask: (work: QueuedWork) => Promise<Told<Reply>>,
): Promise<ModelCall<Reply>> {
  const base = { id: randomId(), startedAt: timeNow(), ...draft };
  const work = createQueuedWork(limits.stop ?? neverStopped, limits.signal);
  try {
    const { reply, record } = await ask(work);
    return { reply, isSent: true, call: checkCall({ ...base, ...record }) };
  } catch (error) {
    limits.signal.throwIfAborted();
    const { code, message, attempts } = toFailure(error, work.isGivenUp());
    const told = redactor.json({ attempts: [...attempts], error: { code, message } });
    const call = { ...base, reply: null, ...told };
    return { call, isSent: !work.isGivenUp() || attempts.length > 0 };
  } finally {
    work.end();
  }
}

/** What a model of the user's own tells may be of any form. Throws `ModelFailure` for what could not be kept and counted. */
function checkCall(call: JudgeCall): JudgeCall {
  const { error } = judgeCallSchema.safeParse(call);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return call;
  const field = issue.path.join('.');
  throw new ModelFailure('invalid-reply', `what the model tells as ${field} is of no use: ${issue.message}`);
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

/** Secrets of the environment, by value: whatever a bot lets slip is not passed on. Short values may be ordinary words. */
export function redactorOf(environment: Readonly<Record<string, string | undefined>>): SecretRedactor {
  const secrets = Object.entries(environment).filter(
    (entry): entry is [string, string] => isSecretName(entry[0]) && (entry[1]?.length ?? 0) >= 8,
  );
  return createSecretRedactor(secrets);
}

/** The question without secrets in its material, as it may be sent and kept. */
export function withoutSecrets(question: JudgeQuestion, { text }: SecretRedactor): JudgeQuestion {
  const material = question.material.map((part) => ({ ...part, text: text(part.text) }));
  return { ...question, material };
}
