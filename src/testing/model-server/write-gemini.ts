import type { Json } from '../../schema/json.ts';
import type { Usage } from '../../schema/trial.ts';
import { type FilledAnswer, toPieces, type WireReply } from './wire.ts';

type Part = { [key: string]: Json };

const reasons = { stop: 'STOP', length: 'MAX_TOKENS', 'tool-calls': 'STOP', 'content-filter': 'SAFETY' };

/** A generateContent reply. */
export function writeGemini(answer: FilledAnswer): WireReply {
  const { text, reasoning, toolCalls, model, usage } = answer;
  const thought = (piece: string): Part => ({ text: piece, thought: true });
  const calls = toolCalls.map(({ id, name, arguments: given = {} }, index): Part => {
    const call = { functionCall: { ...(id && { id }), name, args: given } };
    return index === 0 ? { ...call, thoughtSignature: 'c2lnbmVk' } : call;
  });
  const whole = [...(reasoning ? [thought(reasoning)] : []), ...(text ? [{ text }] : []), ...calls];
  const pieces = [
    ...toPieces(reasoning).map(thought),
    ...toPieces(text).map((piece): Part => ({ text: piece })),
    ...calls,
  ];
  const reply = (parts: Part[], finishReason?: string): Json => ({
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
    ...(usage !== null && { usageMetadata: writeUsage(usage) }),
    modelVersion: model,
  });
  const finish = reasons[answer.finishReason];
  return {
    whole: reply(whole, finish),
    events: [...pieces.map((part) => ({ data: reply([part]) })), { data: reply([{ text: '' }], finish) }],
  };
}

/** The API counts thoughts apart from the answer. */
function writeUsage({ inputTokens = 0, outputTokens = 0, cachedTokens, reasoningTokens }: Usage): Part {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    ...(reasoningTokens !== undefined && { thoughtsTokenCount: reasoningTokens }),
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    totalTokenCount: inputTokens + outputTokens,
  };
}
