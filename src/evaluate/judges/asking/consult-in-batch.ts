import { messageOf } from '../../../core/errors.ts';
import { timeNow } from '../../../core/lib/time.ts';
import type { BatchRequest } from '../../../core/schema/batches/batch.ts';
import { unansweredCode } from '../../../core/schema/trial.ts';
import type { BatchApi } from '../../models/model.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import type { ChatReply } from '../../models/model.ts';
import { type BatchedQuestions, type FoundRequest, type JudgeQuestion, pendingCode } from '../judge.ts';
import { type ChatSession, describeReply } from './ask-chat-model.ts';
import { checkCall, type ModelCall, withoutSecrets } from './call-model.ts';
import { consultModel, draftNamed, draftPrompt, finishConsulting, requestOf } from './consult-model.ts';
import type { JudgeReply } from './create-judge.ts';

/** A question with the key of its judgement. */
interface KeyedQuestion {
  readonly key: string;
  readonly question: JudgeQuestion;
}

interface BatchSession extends ChatSession {
  readonly batch: BatchApi;
  readonly batched: BatchedQuestions;
}

const pending: JudgeReply = {
  outcome: { status: 'failed', code: pendingCode, reason: 'a batch is going to answer it' },
  calls: [],
};

/**
 * Answers questions by what batches have replied, and puts the others aside for a batch. What no batch has answered is asked at once.
 * Rejects only when the signal is aborted.
 */
export async function consultInBatch(
  all: readonly KeyedQuestion[],
  session: BatchSession,
): Promise<JudgeReply[]> {
  const replies = new Map<string, JudgeReply>();
  const found = await session.batched.find(all.map(({ key }) => key));
  const known = all.map((each, index) => ({ ...each, found: found[index] }));
  const answered = known.filter((each) => each.found?.request.state === 'answered');
  const byRequest = Map.groupBy(answered, (each) => (each.found as FoundRequest).request.id);
  for (const group of byRequest.values()) {
    const read = await readAnswer(group, group[0]?.found as FoundRequest, session);
    for (const [key, reply] of read) replies.set(key, reply);
  }
  for (const { key, found: request } of known) {
    const state = request?.request.state;
    if (state === 'waiting' || state === 'sent') replies.set(key, pending);
  }
  const toAsk = known.filter((each) => each.found?.request.state === 'ask');
  const fresh = known.filter((each) => each.found === undefined);
  if (fresh.length > 0) {
    const added = await putAside(fresh, session);
    // Another process was faster with one of them.
    if (added === 'known') return await consultInBatch(all, session);
    if (added === 'closed') toAsk.push(...fresh);
    else for (const { key } of fresh) replies.set(key, pending);
  }
  if (toAsk.length > 0) {
    const asked = await consultModel(
      toAsk.map(({ question }) => question),
      session,
    );
    for (const [index, { key }] of toAsk.entries()) replies.set(key, asked[index] as JudgeReply);
  }
  return all.map(({ key }) => replies.get(key) as JudgeReply);
}

/** Puts the questions of one prompt aside. */
async function putAside(fresh: readonly KeyedQuestion[], { batched, batch, redactor }: BatchSession) {
  const draft = draftPrompt(
    fresh.map(({ question }) => question),
    { redactor },
  );
  const names = [...draft.named.keys()];
  const { messages, responseSchema } = requestOf(draft);
  return await batched.add(batch, {
    names: Object.fromEntries(fresh.map(({ key }, index) => [key, names[index] as string])),
    replyId: draft.id,
    request: { messages, responseSchema: { ...responseSchema } },
  });
}

/** Reads what a batch has replied to questions of one prompt, by their keys. A reply that cannot be read is asked for once more. */
async function readAnswer(
  group: readonly KeyedQuestion[],
  found: FoundRequest,
  session: BatchSession,
): Promise<[key: string, reply: JudgeReply][]> {
  const { request } = found;
  const { names = {}, replyId = '', request: sent } = request.prompt ?? {};
  const named = new Map(
    group.map(({ key, question }) => [names[key] ?? '', withoutSecrets(question, session.redactor)]),
  );
  const draft = draftNamed(named, replyId);
  // The prompt of the record is the one that was sent, other questions included.
  const prompt = (sent?.messages ?? draft.prompt) as ModelCall<unknown>['call']['prompt'];
  const asked = await callOf(request, { ...session, found, prompt, draft });
  const replies =
    asked.reply === undefined && asked.call.error?.code === 'invalid-reply'
      ? await askAgain(group, asked, session)
      : await finishConsulting({ ...draft, prompt }, asked, session);
  return group.map(({ key }, index) => [key, replies[index] as JudgeReply]);
}

/** Asks what got a reply that is not one of this API. */
async function askAgain(
  group: readonly KeyedQuestion[],
  { call }: ModelCall<ChatReply>,
  session: BatchSession,
): Promise<JudgeReply[]> {
  const replies = await consultModel(
    group.map(({ question }) => question),
    session,
  );
  return replies.map(({ outcome, calls }) => ({ outcome, calls: [call, ...calls] }));
}

/** Returns the call that a batch has made, with its reply or its error. */
async function callOf(
  { id, result }: BatchRequest,
  session: BatchSession & {
    readonly found: FoundRequest;
    readonly prompt: ModelCall<unknown>['call']['prompt'] | ReturnType<typeof draftNamed>['prompt'];
    readonly draft: ReturnType<typeof draftNamed>;
  },
): Promise<ModelCall<ChatReply>> {
  const { batch: api, model, redactor, found, prompt, draft } = session;
  const { id: batchId = '', submittedAt, endedAt } = found.batch ?? {};
  const base = {
    // One call, however many of its questions are read at a time, so that it is paid for once.
    id: `${id} ${batchId}`,
    startedAt: submittedAt ?? timeNow(),
    prompt: [...prompt],
    parameters: { responseSchema: draft.responseSchema.schema },
    model: model.name,
    batch: { id: batchId, ...(submittedAt && { submittedAt }), ...(endedAt && { endedAt }) },
  };
  const failed = ({ code, message }: { readonly code: string; readonly message: string }) => ({
    call: { ...base, reply: null, attempts: [], error: redactor.json({ code, message }) },
    isSent: true,
  });
  if (result === undefined) return failed({ code: unansweredCode, message: 'no batch has answered it' });
  if ('error' in result) return failed(result.error);
  try {
    const reply = await api.read(result.reply, found.batch?.form);
    const { latencyMs: _none, ...record } = describeReply(reply, redactor);
    const { structuredOutput } = reply;
    const parameters = { ...base.parameters, ...(structuredOutput && { structuredOutput }) };
    return { call: checkCall({ ...base, ...record, parameters }), isSent: true, reply };
  } catch (error) {
    const code = error instanceof ModelFailure ? error.code : 'model-threw';
    return failed({ code, message: messageOf(error) });
  }
}
