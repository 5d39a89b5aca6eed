import type { ToolCall } from '../../../schema/message.ts';
import { readTrace } from '../../../targets/replay/traces/read-trace.ts';
import { toolCallsOf } from '../../../schema/trial.ts';
import { asArray, asNumber, asObject, asText, type Fields, jsonObject } from '../../values.ts';

/**
 * Returns the tool calls of an answer: those in its traces, which have results; else those in an output that is a list of
 * calls in the form of OpenAI.
 */
export function toolCallsIn(output: unknown, spans: readonly Fields[]): ToolCall[] {
  const traced = readTrace({ spans: spans.map(toSpan) });
  const calls = traced === undefined ? [] : toolCallsOf(traced.transcript);
  return calls.length > 0 ? [...calls] : callsInOutput(output);
}

function callsInOutput(output: unknown): ToolCall[] {
  const given = asArray(asObject(output)?.tool_calls ?? output).map((each) => asObject(each) ?? {});
  const isCalls =
    given.length > 0 && given.every((each) => asText(asObject(each.function)?.name) !== undefined);
  return isCalls ? given.map(toCall) : [];
}

function toCall({ id, function: called }: Fields): ToolCall {
  const { name, arguments: given } = asObject(called) ?? {};
  return jsonObject({ id: asText(id), name, arguments: parseArguments(given) }) as unknown as ToolCall;
}

function parseArguments(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function toSpan(span: Fields): Parameters<typeof readTrace>[0]['spans'][number] {
  const failed = span.statusCode === 2 ? (asText(span.statusMessage) ?? '') : undefined;
  return {
    place: { file: 'traces' },
    traceId: 'trace',
    spanId: asText(span.spanId),
    parentId: asText(span.parentSpanId),
    name: asText(span.name) ?? 'span',
    startMs: asNumber(span.startTime),
    endMs: asNumber(span.endTime),
    attributes: asObject(span.attributes) ?? {},
    events: [],
    ...(failed !== undefined && { error: failed }),
    resource: {},
  };
}
