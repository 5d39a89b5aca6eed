import type { UserCall } from '../../core/schema/conversation.ts';
import type { Json } from '../../core/schema/json.ts';
import type { JudgeCall } from '../../core/schema/judgement.ts';
import type { Message } from '../../core/schema/message.ts';
import type { Usage } from '../../core/schema/usage.ts';
import { type Attributes, type OutgoingSpan, placeWithin, type SpanPlace, toQuantity } from './span.ts';

/** Returns the token counts as attributes of the GenAI conventions; unreported counts are undefined. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  };
}

/** Returns the span of a judge's model call, within the judged trial. */
export function judgeCallSpan(call: JudgeCall, within: SpanPlace, withContent: boolean): OutgoingSpan {
  const { id, operation, model, answeredBy, finishReason, prompt, reply, attempts } = call;
  const isChat = operation === undefined;
  const attributes = {
    'touchstone.role': 'judge',
    'gen_ai.response.model': answeredBy,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'touchstone.requests': attempts.length,
    'gen_ai.input.messages': withContent ? writeMessages(prompt) : undefined,
    'gen_ai.output.messages': withContent && isChat ? writeReply(reply) : undefined,
  };
  return modelSpan(call, { place: placeWithin(within, `call ${id}`), model, attributes });
}

/** Returns the span of a call of the model that plays the user, within the trial. */
export function userCallSpan(
  call: UserCall & { readonly model: string },
  within: SpanPlace,
  withContent: boolean,
): OutgoingSpan {
  const attributes = {
    'touchstone.role': 'user',
    'gen_ai.output.messages': withContent ? writeReply(call.reply) : undefined,
  };
  const place = placeWithin(within, `user ${call.startedAt}`);
  return modelSpan(call, { place, model: call.model, attributes });
}

/**
 * Returns the spans of the calls of a target's own model. Only their durations are recorded, not their start times, so they
 * follow each other from the start of the trial.
 */
export function stepSpans(stepsMs: readonly number[], within: OutgoingSpan, model: string): OutgoingSpan[] {
  let startMs = within.startMs;
  return stepsMs.map((latencyMs, index) => {
    const place = placeWithin(within, `step ${index}`);
    const call = { startedAt: new Date(startMs).toISOString(), latencyMs };
    startMs += latencyMs;
    return modelSpan(call, { place, model, attributes: { 'touchstone.role': 'target' } });
  });
}

function modelSpan(
  {
    operation = 'chat',
    startedAt,
    latencyMs = 0,
    usage,
    cost,
    error,
  }: Pick<JudgeCall, 'startedAt' | 'latencyMs' | 'usage' | 'cost' | 'error'> & {
    readonly operation?: string;
  },
  { place, model, attributes }: { place: SpanPlace; model: string; attributes: Attributes },
): OutgoingSpan {
  const startMs = Date.parse(startedAt);
  return {
    ...place,
    name: `${operation} ${model}`,
    kind: 'client',
    startMs,
    endMs: startMs + latencyMs,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      ...usageAttributes(usage),
      'touchstone.cost.usd': toQuantity(cost),
      'error.type': error?.code,
      ...attributes,
    },
    error: error?.code,
  };
}

function writeReply(reply: string | null): string | undefined {
  return reply === null ? undefined : writeMessages([{ role: 'assistant', content: reply }]);
}

/** Formats messages for `gen_ai.input.messages` and `gen_ai.output.messages`: JSON, with parts by type. */
export function writeMessages(
  messages: readonly Pick<Message, 'role' | 'content' | 'toolCalls' | 'toolCallId'>[],
): string {
  return JSON.stringify(messages.map(({ role, ...message }) => ({ role, parts: partsOf(role, message) })));
}

function partsOf(
  role: Message['role'],
  { content, toolCalls = [], toolCallId }: Pick<Message, 'content' | 'toolCalls' | 'toolCallId'>,
): Json[] {
  if (role === 'tool') {
    return [{ type: 'tool_call_response', id: toolCallId ?? null, response: content }];
  }
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'tool_call',
    id: id ?? null,
    name,
    arguments: args ?? null,
  }));
  return [...(content === null ? [] : [{ type: 'text', content }]), ...calls];
}
