import type { SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { kindsIn } from '../../../core/schema/message.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import type { FoundRequest } from '../../judges/judge.ts';
import type { BatchApi, ChatReply, ChatRequest } from '../../models/model.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { callPendingCode, type TargetContext, TargetFailure } from '../../targets/target.ts';
import type { BatchDesk } from './batch-desk.ts';

/** A trial, as far as its call is concerned. */
type Called = Pick<TrialSpec, 'key' | 'ordinal' | 'target'>;

type AskInBatch = NonNullable<TargetContext['askInBatch']>;

/** The calls of the targets of a run that batches answer. */
export interface CallDesk {
  /** Returns what answers the call of a trial. */
  askFor(trial: Called): AskInBatch;
  /** Returns whether a batch has answered the call of a trial, so that it costs nothing any more. */
  isAnswered(trial: Called): Promise<boolean>;
}

/** The surroundings of the calls. */
interface CallDeskNeeds {
  readonly desk: BatchDesk;
  /** The run that began the lineage: an answer that one run of it has paid for is there for the others. */
  readonly lineage: string;
  /** Removes the known secrets. A request that has some is not stored, and so asked by itself. */
  readonly secrets?: SecretRedactor;
  /** Called for each trial that waits for a batch. */
  readonly onPending: () => void;
}

/** Creates the desk for the calls of targets. */
export function createCallDesk({ desk, lineage, secrets, onPending }: CallDeskNeeds): CallDesk {
  const keyOf = ({ target, key }: Called) => `call ${lineage} ${target} ${key}`;
  const find = async (key: string) => (await desk.find([key]))[0];

  return {
    isAnswered: async (trial) => (await find(keyOf(trial)))?.request.state === 'answered',
    askFor: (trial) => async (model, request) => {
      const { batch: api } = model;
      if (api === undefined || isAskedAlone(request, secrets)) return undefined;
      const key = keyOf(trial);
      let found = await find(key);
      if (found === undefined) {
        const added = await desk.add(api, promptOf(key, trial, request));
        if (added === 'closed') return undefined;
        if (added === 'known') found = await find(key);
      }
      const { state = 'waiting' } = found?.request ?? {};
      if (found === undefined || state === 'waiting' || state === 'sent') {
        onPending();
        throw new TargetFailure(callPendingCode, 'a batch is going to answer it', { latency: null });
      }
      desk.use(key);
      return state === 'ask' ? undefined : await readReply(found, api);
    },
  };
}

/** Returns whether a request is not stored: one with files, which would be most of a batch, and one with a secret. */
function isAskedAlone({ messages }: ChatRequest, secrets: SecretRedactor | undefined): boolean {
  if (kindsIn(messages).length > 0) return true;
  return secrets !== undefined && JSON.stringify(secrets.json(messages)) !== JSON.stringify(messages);
}

/** Returns a request as it is stored until it is answered. */
function promptOf(
  name: string,
  { target, key, ordinal }: Called,
  { messages, temperature, maxTokens, seed }: ChatRequest,
) {
  const request = { messages: [...messages], temperature, maxTokens, seed };
  return { names: { [name]: '' }, replyId: '', call: { target, key, ordinal }, request };
}

/** Reads the reply of a batch; undefined for one that cannot be read, which is asked for once more, by itself. Throws `ModelFailure`. */
async function readReply(
  { request: { result }, batch }: FoundRequest,
  api: BatchApi,
): Promise<ChatReply | undefined> {
  const { id = '', submittedAt, endedAt } = batch ?? {};
  if (result === undefined) return undefined;
  if ('error' in result) throw new ModelFailure(result.error.code, result.error.message);
  try {
    const reply = await api.read(result.reply);
    return { ...reply, batch: { id, ...(submittedAt && { submittedAt }), ...(endedAt && { endedAt }) } };
  } catch (error) {
    if (error instanceof ModelFailure && error.code === 'invalid-reply') return undefined;
    throw error;
  }
}
