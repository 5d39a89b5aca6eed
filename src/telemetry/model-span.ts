import { hashText } from '../lib/content-hash.ts';
import type { UserCall } from '../schema/conversation.ts';
import type { Json } from '../schema/json.ts';
import type { JudgeCall } from '../schema/judgement.ts';
import type { Message } from '../schema/message.ts';
import type { Run } from '../schema/run.ts';
import type { Usage } from '../schema/usage.ts';
import { type Attributes, type OutgoingSpan, type SpanPlace, toQuantity } from './span.ts';

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

/** More trials than this are a trace each: no tool shows a trace of a million spans. */
const mostInOneTrace = 1000;

/** Where the spans of one part of a run stand. The same record has the same ids, by whatever process and however often it is sent. */
export interface RunPlace extends SpanPlace {
  readonly runId: string;
  /** Whether its trials are traces of their own, linked to it. */
  readonly isApart: boolean;
}

/** The place of a run, or of a part of it that was begun at a time. */
export function placeOfRun({ id, dataset, targets, attempts }: Run, startMs: number): RunPlace {
  return {
    runId: id,
    traceId: hashText(`trace ${id}`),
    spanId: spanIdOf(`run ${id} ${startMs}`),
    isApart: dataset.cases * targets.length * attempts > mostInOneTrace,
  };
}

/** Where the span of a trial stands, and what it belongs to. */
export function placeOfTrial(run: RunPlace, key: string) {
  const spanId = spanIdOf(`trial ${run.runId} ${key}`);
  if (!run.isApart) return { traceId: run.traceId, spanId, parentSpanId: run.spanId };
  return {
    traceId: hashText(`trace ${run.runId} ${key}`),
    spanId,
    link: { traceId: run.traceId, spanId: run.spanId },
  };
}

/** The place of a span within another one, by what nothing else in there is called. */
export function placeWithin({ traceId, spanId }: SpanPlace, name: string) {
  return { traceId, spanId: spanIdOf(`${spanId} ${name}`), parentSpanId: spanId };
}

function spanIdOf(text: string): string {
  return hashText(text).slice(0, 16);
}

/** Messages in the form of `gen_ai.input.messages` and `gen_ai.output.messages`: JSON, with parts by type. */
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
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'tool_call',
    id: id ?? null,
    name,
    arguments: given ?? null,
  }));
  return [...(content === null ? [] : [{ type: 'text', content }]), ...calls];
}
