import { messageOf } from '../../errors.ts';
import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import { createQueuedWork, type QueuedWork } from '../../lib/waiting.ts';
import { randomId } from '../../lib/random-id.ts';
import { timeNow } from '../../lib/time-now.ts';
import { ModelFailure } from '../../models/model.ts';
import { type JudgeCall, judgeCallSchema } from '../../schema/judgement.ts';
import type { JudgeContext } from '../judge.ts';

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
