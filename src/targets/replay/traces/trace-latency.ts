import type { Latency } from '../../../schema/trial.ts';
import { amountOf } from './attribute-values.ts';
import type { ModelCall } from './model-calls.ts';
import type { SpanNode } from './span-tree.ts';

/**
 * How long the answer took: from the beginning of a trace's first span to the end of its last one; of a conversation that
 * several traces are of, their sum, without the time in which the user thought. Steps are the calls of models, in a
 * conversation of several traces its turns. Undefined when no times are known.
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

/** From the beginning of it all to the first word of the last call: that is when the user saw something. */
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
