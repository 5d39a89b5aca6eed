import type { UserCall } from '../schema/conversation.ts';
import type { JudgeCall } from '../schema/judgement.ts';
import type { Usage } from '../schema/usage.ts';
import { writeMessages } from './message-content.ts';
import { type Attributes, type OutgoingSpan, type SpanPlace, toQuantity } from './span.ts';
import { placeWithin } from './span-ids.ts';

/** The token counts of the GenAI conventions; one that was not reported is not said. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  };
}

/** A call of a judge's model, within the trial that it is about. */
export function judgeCallSpan(call: JudgeCall, within: SpanPlace, withContent: boolean): OutgoingSpan {
  const { id, operation, model, answeredBy, finishReason, prompt, reply, attempts } = call;
  const isSaid = operation === undefined;
  const attributes = {
    'touchstone.role': 'judge',
    'gen_ai.response.model': answeredBy,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'touchstone.requests': attempts.length,
    'gen_ai.input.messages': withContent ? writeMessages(prompt) : undefined,
    'gen_ai.output.messages': withContent && isSaid ? writeReply(reply) : undefined,
  };
  return modelSpan(call, { place: placeWithin(within, `call ${id}`), model, attributes });
}

/** A call of the model that played the user, within the trial. */
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
 * The calls of a target's own model, where it is known how long each took. When they began is not on record: they stand one
 * after another from the beginning of the trial.
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
    readonly operation?: string | undefined;
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
