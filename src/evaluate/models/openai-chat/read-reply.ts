import { z } from 'zod';
import { type Json, amount } from '../../../core/schema/json.ts';
import { readToolCall, splitThinking } from '../conversation.ts';
import { type JsonObject, readWire, type ReplyParts } from '../http/protocol.ts';
import type { BilledUsage } from '../pricing/price-list.ts';
import type { FinishReason } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';

const count = amount().nullish();

const usageSchema = z.lazy(() =>
  z.looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    cost: amount().nullish(),
    prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }).nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
    prompt_cache_hit_tokens: count,
  }),
);

const contentSchema = z.lazy(() =>
  z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]),
);

const toolCallSchema = z.lazy(() =>
  z.looseObject({
    id: z.string().nullish(),
    function: z.looseObject({
      name: z.string(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    }),
  }),
);

const replySchema = z.lazy(() =>
  z.looseObject({
    model: z.string().nullish(),
    choices: z
      .array(
        z.looseObject({
          finish_reason: z.string().nullish(),
          message: z.looseObject({
            content: contentSchema.optional(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            reasoning_details: z.array(z.looseObject({ type: z.string() })).nullish(),
            tool_calls: z.array(toolCallSchema).nullish(),
          }),
        }),
      )
      .min(1),
    usage: usageSchema.nullish(),
  }),
);

type WireMessage = z.output<typeof replySchema>['choices'][number]['message'];

/** Reads a chat completion. Throws `ModelFailure` with the code `invalid-reply`. */
export function readReply(reply: JsonObject): ReplyParts {
  const { choices, model, usage } = readWire(replySchema, reply);
  const [choice] = choices;
  if (choice === undefined) throw new ModelFailure('invalid-reply', 'The reply contains no choice.');
  const { message, finish_reason: reason } = choice;
  const { text, reasoning } = readText(message);
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: called }, index) => {
    const args = called.arguments ?? '';
    return readToolCall(
      id || `call_${index}`,
      called.name,
      typeof args === 'string' ? args : JSON.stringify(args),
    );
  });
  return {
    text: text || null,
    reasoning: reasoning || undefined,
    toolCalls,
    finishReason: readFinish(reason, toolCalls.length > 0),
    ...wordsOf(reason, message.refusal),
    usage: readUsage(usage),
    cost: usage?.cost ?? undefined,
    model: model ?? undefined,
    continuation: readContinuation(message),
  };
}

/** Returns the provider's own words: why it stopped, and that the model refused, which it says apart from the text. */
function wordsOf(
  reason: string | null | undefined,
  refusal: string | null | undefined,
): Pick<ReplyParts, 'finishWord' | 'refused'> {
  return { ...(reason && { finishWord: reason }), ...(refusal && { refused: 'refusal' }) };
}

function readText({ content, refusal, ...thoughts }: WireMessage): { text: string; reasoning: string } {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
  const written = parts
    .filter(({ type }) => type !== 'thinking')
    .map(textIn)
    .join('');
  const thought = parts
    .filter(({ type }) => type === 'thinking')
    .map(textIn)
    .join('');
  const { text, reasoning } = splitThinking(written);
  const field =
    thoughts.reasoning_content ||
    thoughts.reasoning ||
    (thoughts.reasoning_details ?? []).map(textIn).join('');
  return {
    text: text || refusal || '',
    reasoning: [field, thought, reasoning].filter((part) => part !== undefined && part !== '').join('\n\n'),
  };
}

/** Returns the text of a part, under any of its possible names; encrypted parts have none. */
function textIn(part: Readonly<Record<string, unknown>>): string {
  for (const name of ['text', 'thinking', 'summary', 'refusal']) {
    const value = part[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(textIn).join('');
  }
  return '';
}

function readFinish(reason: string | null | undefined, hasToolCalls: boolean): FinishReason {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  if (hasToolCalls || reason === 'tool_calls' || reason === 'function_call') return 'tool-calls';
  return reason === 'stop' || reason === 'eos' ? 'stop' : 'other';
}

function readUsage(usage: z.output<typeof usageSchema> | null | undefined): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  const counts = {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedTokens: input?.cached_tokens ?? usage.prompt_cache_hit_tokens,
    cacheWriteTokens: input?.cache_write_tokens,
    reasoningTokens: output?.reasoning_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}

/** Returns the reasoning that led to a tool call, which DeepSeek and OpenRouter want back. */
function readContinuation(message: WireMessage): ReplyParts['continuation'] {
  if (!message.tool_calls?.length) return undefined;
  const { reasoning_content, reasoning_details } = message;
  const parts = {
    ...(reasoning_content && { reasoning_content }),
    ...(reasoning_details && { reasoning_details }),
  };
  return Object.keys(parts).length === 0 ? undefined : { protocol: 'openai-chat', parts: parts as Json };
}
