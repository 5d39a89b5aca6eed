import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { readToolCall } from '../conversation/read-arguments.ts';
import { splitThinking } from '../conversation/split-thinking.ts';
import type { BilledUsage, JsonObject, ReplyParts } from '../http/protocol.ts';
import { readWire } from '../http/read-wire.ts';
import type { FinishReason, RequestedToolCall } from '../model.ts';
import { answerTool } from './write-request.ts';

const count = z.number().nonnegative().nullish();

const replySchema = z.lazy(() =>
  z.looseObject({
    model: z.string().nullish(),
    content: z.array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        thinking: z.string().optional(),
        id: z.string().optional(),
        name: z.string().optional(),
        input: z.unknown().optional(),
      }),
    ),
    stop_reason: z.string().nullish(),
    usage: z
      .looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
        cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish(),
        output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
      })
      .nullish(),
  }),
);

type WireReply = z.output<typeof replySchema>;
type Block = WireReply['content'][number];

/** Reads a Messages reply. Throws `ModelFailure` with the code `invalid-reply`. */
export function readReply(reply: JsonObject): ReplyParts {
  const { content, model, usage, stop_reason: reason } = readWire(replySchema, reply);
  const answer = content.find(({ type, name }) => type === 'tool_use' && name === answerTool);
  const written = content.map(({ text }) => text ?? '').join('');
  const { text, reasoning } = splitThinking(answer === undefined ? written : JSON.stringify(answer.input));
  const thoughts = content.flatMap(({ type, thinking }) =>
    type === 'thinking' && thinking ? [thinking] : [],
  );
  const toolCalls = content.filter((block) => block.type === 'tool_use' && block !== answer).map(readCall);
  return {
    text: text || null,
    reasoning: [...thoughts, reasoning ?? ''].filter((part) => part !== '').join('\n\n') || undefined,
    toolCalls,
    finishReason: readFinish(reason, answer !== undefined && toolCalls.length === 0),
    usage: readUsage(usage),
    model: model ?? undefined,
    continuation: toolCalls.length > 0 ? { protocol: 'anthropic', parts: content as Json } : undefined,
  };
}

/** A stream that was cut off in the middle of the arguments leaves them as a text. */
function readCall({ id = '', name = '', input }: Block): RequestedToolCall {
  return readToolCall(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}));
}

function readFinish(reason: string | null | undefined, isAnswerByTool: boolean): FinishReason {
  if (reason === 'tool_use') return isAnswerByTool ? 'stop' : 'tool-calls';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'content-filter';
  return reason === 'end_turn' || reason === 'stop_sequence' ? 'stop' : 'other';
}

/** The API counts cached input apart; with us it is part of the input. */
function readUsage(usage: WireReply['usage']): BilledUsage | undefined {
  if (usage === null || usage === undefined) return undefined;
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const counts = {
    inputTokens: typeof fresh === 'number' ? fresh + (read ?? 0) + (written ?? 0) : undefined,
    outputTokens: usage.output_tokens,
    cachedTokens: read,
    cacheWriteTokens: written,
    longCacheWriteTokens: usage.cache_creation?.ephemeral_1h_input_tokens,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number'));
}
