import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { splitThinking } from '../conversation/split-thinking.ts';
import type { BilledUsage, JsonObject, ReplyParts } from '../http/protocol.ts';
import { readWire } from '../http/read-wire.ts';
import { type FinishReason, ModelFailure, type RequestedToolCall } from '../model.ts';

const count = z.number().nonnegative().optional();

const partSchema = z.lazy(() =>
  z.looseObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    functionCall: z
      .looseObject({
        id: z.string().optional(),
        name: z.string(),
        args: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
);

const replySchema = z.lazy(() =>
  z.looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z.looseObject({ parts: z.array(partSchema).optional() }).optional(),
          finishReason: z.string().optional(),
        }),
      )
      .optional(),
    promptFeedback: z.looseObject({ blockReason: z.string().optional() }).optional(),
    usageMetadata: z
      .looseObject({
        promptTokenCount: count,
        candidatesTokenCount: count,
        cachedContentTokenCount: count,
        thoughtsTokenCount: count,
        toolUsePromptTokenCount: count,
      })
      .optional(),
    modelVersion: z.string().optional(),
  }),
);

type WireReply = z.output<typeof replySchema>;

/** Reads a generateContent reply. Throws `ModelFailure` with the code `invalid-reply`. */
export function readReply(reply: JsonObject): ReplyParts {
  const { candidates = [], promptFeedback, usageMetadata, modelVersion } = readWire(replySchema, reply);
  const [candidate] = candidates;
  const blocked = promptFeedback?.blockReason !== undefined;
  if (candidate === undefined && !blocked)
    throw new ModelFailure('invalid-reply', 'The reply holds no candidate.', { retryable: true });
  const parts = candidate?.content?.parts ?? [];
  const { text, reasoning } = splitThinking(
    parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
  );
  const thoughts = parts.map((part) => (part.thought ? (part.text ?? '') : '')).join('');
  const toolCalls = parts.flatMap(({ functionCall }) => functionCall ?? []).map(readCall);
  return {
    text: text || null,
    reasoning: [thoughts, reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: blocked ? 'content-filter' : readFinish(candidate?.finishReason, toolCalls.length > 0),
    usage: readUsage(usageMetadata),
    model: modelVersion,
    continuation: toolCalls.length > 0 ? { protocol: 'gemini', parts: parts as Json } : undefined,
  };
}

function readCall(
  {
    id,
    name,
    args = {},
  }: { id?: string | undefined; name: string; args?: Record<string, unknown> | undefined },
  index: number,
): RequestedToolCall {
  return { id: id ?? `call_${index}`, name, arguments: args as Json };
}

function readFinish(reason: string | undefined, hasToolCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (/SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII/.test(reason ?? '')) return 'content-filter';
  if (hasToolCalls) return 'tool-calls';
  return reason === 'STOP' ? 'stop' : 'other';
}

/** The API counts thoughts apart from the answer; both are paid for as output. */
function readUsage(usage: WireReply['usageMetadata']): BilledUsage | undefined {
  if (usage === undefined) return undefined;
  const { promptTokenCount: prompt, candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = usage;
  const isCounted = answer !== undefined || thoughts !== undefined;
  const counts = {
    inputTokens: prompt === undefined ? undefined : prompt + (usage.toolUsePromptTokenCount ?? 0),
    outputTokens: isCounted ? (answer ?? 0) + (thoughts ?? 0) : undefined,
    cachedTokens: usage.cachedContentTokenCount,
    reasoningTokens: thoughts,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
}
