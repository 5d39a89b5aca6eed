import type { Message } from '../../../../core/schema/message.ts';
import type { Latency } from '../../../../core/schema/usage.ts';
import { amountOf } from './attribute-values.ts';
import { type Consumed, consumedBy } from './consumed.ts';
import { messagesOf, nameOf } from './span-messages.ts';
import { type SpanNode, surrounding } from './span-tree.ts';

/** One call of a model. */
export interface ModelCall {
  readonly node: SpanNode;
  readonly startMs: number;
  readonly endMs: number;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly consumed: Consumed | undefined;
  readonly isFailed: boolean;
  /** Descriptions of what could not be read. */
  readonly notes: readonly string[];
}

/**
 * Returns the calls of models in the order in which they began. When several libraries record the same call, span
 * within span, the messages are the messages of the outermost span that has any.
 */
export function modelCallsOf(nodes: readonly SpanNode[]): ModelCall[] {
  const groups = new Map<SpanNode, SpanNode[]>();
  for (const node of nodes) {
    if (node.kind !== 'model') continue;
    const outermost = outermostModel(node);
    groups.set(outermost, [...(groups.get(outermost) ?? []), node]);
  }
  return Array.from(groups, ([outermost, group]) => toModelCall(outermost, group));
}

function outermostModel(node: SpanNode): SpanNode {
  let outermost = node;
  for (let at = surrounding(node); at?.kind === 'model'; at = surrounding(at)) outermost = at;
  return outermost;
}

/** Reads a span of any kind as a call of a model. */
export function toModelCall(node: SpanNode, group: readonly SpanNode[] = [node]): ModelCall {
  const { span } = node;
  const all = group.map((each) => messagesOf(each.span));
  const input = all.find((each) => each.input.length > 0)?.input ?? [];
  const output = all.find((each) => each.output.length > 0)?.output ?? [];
  const notes = all.flatMap((each) => each.notes);
  const isFailed = span.error !== undefined;
  const failure = isFailed
    ? [`${nameOf(span)} ended with an error${span.error === '' ? '' : `: ${span.error}`}`]
    : [];
  const startMs = span.startMs ?? 0;
  return {
    node,
    startMs,
    endMs: span.endMs ?? startMs,
    input,
    output,
    consumed: group
      .map((each) => consumedBy(each.span.attributes))
      .find((consumed) => consumed !== undefined),
    isFailed,
    notes: [...notes, ...failure],
  };
}

/**
 * Returns the latency of the answer: from the beginning of a trace's first span to the end of its last one. For a
 * conversation of several traces it is their sum, without the time between them. Steps are the calls of models, or the
 * turns of a conversation of several traces. Undefined when no times are known.
 */
export function latencyOf(roots: readonly SpanNode[], models: readonly ModelCall[]): Latency | undefined {
  const turns = [...Map.groupBy(roots, ({ span }) => span.traceId).values()].map(spanOf);
  const known = turns.filter((turn) => turn !== undefined);
  if (known.length === 0 || known.length < turns.length) return undefined;
  const totalMs = rounded(known.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0));
  const [only, ...others] = known;
  if (only === undefined || others.length > 0) {
    return { totalMs, stepsMs: known.map(({ startMs, endMs }) => rounded(endMs - startMs)) };
  }
  const firstTokenMs = firstTokenOf(models.at(-1), only.startMs);
  return {
    totalMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(models.length > 0 && { stepsMs: models.map(({ startMs, endMs }) => rounded(endMs - startMs)) }),
  };
}

interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

function spanOf(nodes: readonly SpanNode[]): Interval | undefined {
  const starts = nodes.flatMap(({ span }) => span.startMs ?? []);
  const ends = nodes.flatMap(({ span }) => span.endMs ?? []);
  if (starts.length === 0 || ends.length === 0) return undefined;
  const startMs = Math.min(...starts);
  return { startMs, endMs: Math.max(startMs, ...ends) };
}

/**
 * Returns the time from the start of the whole trace to the first token of the last call, which is when the user saw
 * something.
 */
function firstTokenOf(call: ModelCall | undefined, startMs: number): number | undefined {
  if (call === undefined) return undefined;
  const { attributes, events } = call.node.span;
  const seconds = amountOf(attributes, [
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.server.time_to_first_token',
  ]);
  const milliseconds = amountOf(attributes, ['ai.response.msToFirstChunk']);
  const sinceCall = seconds === undefined ? milliseconds : seconds * 1000;
  if (sinceCall !== undefined) return rounded(call.startMs - startMs + sinceCall);
  const event = events.find(
    ({ name }) => /^first token stream event$/i.test(name) || name === 'ai.stream.firstChunk',
  );
  return event?.timeMs === undefined ? undefined : rounded(Math.max(0, event.timeMs - startMs));
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
