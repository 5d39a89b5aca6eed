import type { Json } from '../../../core/schema/json.ts';
import type { Usage } from '../../../core/schema/usage.ts';
import type { CallRecord } from '../account/call-with-retries.ts';
import type { ChatMessage, ChatReply } from '../model.ts';
import { type ChatExchange, ModelFailure } from '../model-failure.ts';
import type { BilledUsage } from '../pricing/price-list.ts';
import type { ReplyParts } from './protocol.ts';

/** The parts of a reply that are known besides its content and its attempts. */
export interface ReplyFrame {
  readonly firstTokenMs?: number;
  readonly exchange: ChatExchange;
}

/** Builds a reply from the provider's content and the record of the call. */
export function toReply(
  parts: ReplyParts,
  { latencyMs, attempts }: CallRecord<unknown>,
  { firstTokenMs: first, exchange }: ReplyFrame,
): ChatReply {
  const firstTokenMs = first === undefined ? undefined : Math.round(first * 1000) / 1000;
  const { usage, continuation: _, ...said } = parts;
  return {
    ...said,
    message: toMessage(parts),
    usage: plainUsage(usage),
    latencyMs,
    firstTokenMs,
    attempts,
    exchange,
  };
}

/** Returns the sum of input and output tokens. */
export function totalTokens(usage: BilledUsage | undefined): number | undefined {
  if (usage === undefined) return undefined;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** Returns a failure with the request added to its exchange; any other error is returned unchanged. */
export function withRequest(error: unknown, request: Json): unknown {
  if (!(error instanceof ModelFailure)) return error;
  return error.with({ exchange: { ...error.exchange, request } });
}

function toMessage({ text, toolCalls, continuation }: ReplyParts): ChatMessage {
  const calls = toolCalls.map(({ id, name, arguments: args, unreadableArguments }) => ({
    id,
    name,
    arguments: args ?? unreadableArguments ?? {},
  }));
  return {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(continuation && { continuation }),
  };
}

function plainUsage(usage: BilledUsage | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const { cacheWriteTokens: _, longCacheWriteTokens: __, ...plain } = usage;
  return plain;
}
