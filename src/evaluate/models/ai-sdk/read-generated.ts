import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readToolCall, splitThinking } from '../conversation.ts';
import type { ReplyParts } from '../http/protocol.ts';
import type { FinishReason } from '../model.ts';
import type { BilledUsage } from '../pricing/price-list.ts';
import type { Generated, WireUsage } from './language-model.ts';

/** Reads the reply of an AI SDK model. */
export function readGenerated({ content, finishReason, usage, response }: Generated): ReplyParts {
  const joined = (kind: string) =>
    content.map(({ type, text }) => (type === kind ? (text ?? '') : '')).join('');
  const { text, reasoning } = splitThinking(joined('text'));
  const calls = content.filter(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true,
  );
  const toolCalls = calls.map(({ toolCallId = '', toolName = '', input }, index) =>
    readToolCall(
      toolCallId || `call_${index}`,
      toolName,
      typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    ),
  );
  return {
    text: text || null,
    reasoning: [joined('reasoning'), reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: readFinish(typeof finishReason === 'string' ? finishReason : finishReason.unified),
    usage: readUsage(usage),
    model: response?.modelId,
    continuation: toolCalls.length > 0 ? { protocol: 'ai-sdk', parts: toPromptParts(content) } : undefined,
  };
}

/** Converts the parts of a reply to parts of a prompt: `providerMetadata` becomes `providerOptions`. */
function toPromptParts(content: Generated['content']): Json {
  const kept = content.filter(({ type }) => ['text', 'reasoning', 'tool-call'].includes(type));
  const parts = kept.map(({ providerMetadata, ...part }) => ({
    ...part,
    ...(part.type === 'tool-call' && { input: parseInput(part.input) }),
    ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
  }));
  return parseJson(JSON.stringify(parts)) as Json;
}

function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const { arguments: args } = readToolCall('', '', input);
  return args ?? {};
}

function readFinish(reason: string): FinishReason {
  return reason === 'stop' || reason === 'length' || reason === 'tool-calls' || reason === 'content-filter'
    ? reason
    : 'other';
}

function readUsage(usage: WireUsage | null | undefined): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const input = typeof usage.inputTokens === 'object' ? usage.inputTokens : { total: usage.inputTokens };
  const output = typeof usage.outputTokens === 'object' ? usage.outputTokens : { total: usage.outputTokens };
  const counts = {
    inputTokens: input?.total,
    outputTokens: output?.total,
    cachedTokens: input?.cacheRead ?? usage.cachedInputTokens,
    cacheWriteTokens: input?.cacheWrite,
    reasoningTokens: output?.reasoning ?? usage.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}
