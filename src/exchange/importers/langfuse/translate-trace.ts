import type { ToolCall } from '../../../core/schema/message.ts';
import type { Ledger } from '../ledger.ts';
import type { FoundAnswer } from '../records/translate-records.ts';
import { documentsIn, isEmpty, sumOf } from '../records/payload.ts';
import { numberOf, parseCell } from '../content/rows.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn, restOf, filled } from '../values.ts';

/** Reads the answer of a trace: its output, and of its observations the tool calls, documents and usage. */
export function readAnswerOf(trace: Fields, observations: readonly Fields[], ledger: Ledger): FoundAnswer {
  const ordered = observations.toSorted((a, b) => String(a.startTime).localeCompare(String(b.startTime)));
  const ofType = (...types: readonly string[]) => ordered.filter(({ type }) => types.includes(String(type)));
  const error = errorOf(trace, ordered);
  noteOthers(ordered, ledger);
  const tools = ofType('TOOL').map(toCall);
  const documents = ofType('RETRIEVER').flatMap(({ output }) => documentsIn(output));
  const latency = numberOf(trace.latency);
  return {
    output: trace.output,
    error,
    isUnseen: trace.isUnseen === true,
    toolCalls: filled(tools),
    documents,
    usage: usageOf(trace, ofType('GENERATION', 'EMBEDDING')),
    cost:
      numberOf(trace.totalCost) ??
      sumOf(ordered.map(({ costDetails }) => numberOf(asObject(costDetails)?.total))),
    ...(latency !== undefined && { latencyMs: latency * 1000 }),
    startedAt: trace.timestamp ?? trace.createdAt,
    source: jsonObject({
      traceId: trace.id,
      ...restOf(trace, ['id', 'input', 'output', 'metadata', 'isUnseen', ...listsIn(trace)]),
      ...(ordered.length > 0 && {
        observations: ordered.map((each) => restOf(each, ['input', 'output', 'traceId', 'metadata'])),
      }),
    }),
  };
}

/** Returns the names of the lists of a trace: its scores, observations, tags and comments, which are translated by themselves. */
function listsIn(trace: Fields): string[] {
  return Object.keys(trace).filter((name) => Array.isArray(trace[name]));
}

/** A trace that has an error and no output failed. With an output, something within it failed, which it survived. */
function errorOf(trace: Fields, observations: readonly Fields[]): string | undefined {
  if (!isEmpty(trace.output)) return undefined;
  const failed = observations.filter(({ level }) => level === 'ERROR');
  const isFailed = failed.length > 0 || trace.level === 'ERROR' || (numberOf(trace.errorCount) ?? 0) > 0;
  const message = failed.flatMap(({ statusMessage }) => asText(statusMessage) ?? [])[0];
  return isFailed ? (message ?? 'Langfuse recorded an error without a message') : undefined;
}

function toCall(observation: Fields): ToolCall {
  const { name, input, output, level, statusMessage } = observation;
  const args = typeof input === 'string' ? parseCell(input) : input;
  const result = level === 'ERROR' ? { error: asText(statusMessage) ?? 'an error' } : { result: output };
  return jsonObject({
    name: asText(name) ?? 'unknown',
    ...(isEmpty(args) ? {} : { arguments: args }),
    ...(isEmpty(result.result) && result.error === undefined ? {} : result),
  }) as unknown as ToolCall;
}

function usageOf(trace: Fields, generations: readonly Fields[]): Fields | undefined {
  const parts = generations.map(({ usageDetails, usage }) => asObject(usageDetails) ?? asObject(usage) ?? {});
  const total = (...names: readonly string[]) =>
    sumOf(parts.map((part) => names.map((name) => numberOf(part[name])).find((each) => each !== undefined)));
  const own = asObject(trace.usage);
  const usage = jsonObject({
    inputTokens: total('input', 'promptTokens') ?? numberOf(trace.inputTokens) ?? numberOf(own?.promptTokens),
    outputTokens:
      total('output', 'completionTokens') ?? numberOf(trace.outputTokens) ?? numberOf(own?.completionTokens),
    cachedTokens: total('input_cached_tokens', 'cache_read_input_tokens'),
    reasoningTokens: total('output_reasoning_tokens'),
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

const used = new Set(['TOOL', 'RETRIEVER', 'GENERATION', 'EMBEDDING']);

function noteOthers(observations: readonly Fields[], ledger: Ledger): void {
  for (const { type } of observations) {
    if (used.has(String(type))) ledger.take(`observation ${String(type)}`, 'part of the answer');
    else {
      ledger.leaveOut(`observation ${String(type)}`, {
        note: 'Only tools, retrievers and generations say something of the answer; the tree of other work is not stored.',
      });
    }
  }
}

/** Returns traces for observations whose trace is not in the file: the one without a parent is the whole. */
export function tracesOfRoots(traces: readonly Fields[], observations: readonly Fields[]): Fields[] {
  const known = new Set(traces.map(({ id }) => String(id)));
  const roots = observations.filter(
    ({ parentObservationId, traceId }) =>
      asText(parentObservationId) === undefined && !known.has(String(traceId)),
  );
  const first = new Map(roots.toReversed().map((root) => [String(root.traceId), root]));
  return [...first].toReversed().map(([id, root]) => ({
    ...root,
    id,
    name: root.traceName ?? root.name,
    timestamp: root.startTime,
    tags: root.tags ?? root.traceTags,
    latency: numberOf(root.latency) ?? secondsBetween(root.startTime, root.endTime),
  }));
}

function secondsBetween(start: unknown, end: unknown): number | undefined {
  const duration = Date.parse(String(end)) - Date.parse(String(start));
  return Number.isFinite(duration) && duration >= 0 ? duration / 1000 : undefined;
}

/** Returns the names of observations by their ids. */
export function namesOf(observations: readonly Fields[]): Map<string, string> {
  return new Map(
    objectsIn(observations).map(({ id, name, type }) => [
      String(id),
      asText(name) ?? String(type ?? 'observation'),
    ]),
  );
}
