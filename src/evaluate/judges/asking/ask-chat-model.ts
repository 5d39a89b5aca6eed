import { randomBytes } from 'node:crypto';
import type { SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../models/model.ts';
import type { JudgeCall } from '../../../core/schema/judgement.ts';
import { type CallSession, callModel, type ModelCall, type ModelReply } from './call-model.ts';

/** The model that prompts are sent to, with the limits and the redactor, which removes secrets before anything is stored. */
export interface ChatSession extends CallSession {
  readonly model: ChatModel;
}

/** A prompt and the form of its reply. */
interface Request {
  readonly messages: JudgeCall['prompt'];
  readonly responseSchema: NonNullable<ChatRequest['responseSchema']>;
}

/** Sends a prompt to a chat model. Rejects only when the signal is aborted; a fault of the model becomes the error of the call. */
export async function askChatModel(request: Request, session: ChatSession): Promise<ModelCall<ChatReply>> {
  const { messages: prompt, responseSchema } = request;
  const { model, redactor } = session;
  const draft = { prompt, parameters: { responseSchema: responseSchema.schema }, model: model.name };
  return await callModel(draft, session, async (work) => {
    const { signal, onWaiting } = work;
    const { readBlob } = session.limits;
    const reply = await model.generate(request, { signal, onWaiting, readBlob });
    const { structuredOutput } = reply;
    const parameters = { ...draft.parameters, ...(structuredOutput && { structuredOutput }) };
    return { reply, record: { ...describeReply(reply, redactor), parameters } };
  });
}

/** Describes a reply for the record of its call, without secrets. */
export function describeReply(reply: ChatReply, { text }: SecretRedactor): ModelReply<ChatReply>['record'] {
  const { reasoning, finishReason, usage, cost, latencyMs, attempts, model } = reply;
  return {
    reply: reply.text === null ? null : text(reply.text),
    finishReason,
    latencyMs,
    attempts: attempts.map((attempt) => ({ ...attempt })),
    ...(reasoning !== undefined && { reasoning: text(reasoning) }),
    usage,
    cost,
    answeredBy: model,
  };
}

/** The characters of an id, without any that look alike. */
const idAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * Creates the id of a request, which its reply must repeat. It has 40 random bits, so no text written before can
 * contain it. The id is part of the prompt, which is stored with the judgement.
 */
export function createReplyId(): string {
  return Array.from(randomBytes(8), (byte) => idAlphabet[byte % idAlphabet.length]).join('');
}
