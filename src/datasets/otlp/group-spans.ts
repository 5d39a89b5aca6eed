import type { RecordedTrace, Span, SpanEvent } from '../../schema/recorded-trace.ts';
import type { SpanLog } from './read-log.ts';
import type { TraceItem } from './read-spans.ts';
import { splitConversations } from './split-conversations.ts';
import { conversationOf, conversationOfSpan, TraceFamilies } from './trace-families.ts';

/** Spans and log records that are together one trace or more, while they are being read. */
interface Gathered {
  readonly spans: Span[];
  readonly logs: SpanLog[];
}

/**
 * Puts spans together that are of one trace, or of traces of one conversation, and gives each trace as soon as the last of
 * its spans was read: what is in memory are the traces that have begun and not ended.
 * @param read - Reads the items from the beginning. Called twice: the first time to find out what belongs together.
 */
export async function* groupSpans(
  read: () => AsyncIterable<TraceItem> | Iterable<TraceItem>,
): AsyncGenerator<RecordedTrace> {
  const families = new TraceFamilies();
  for await (const item of read()) families.add(traceOf(item), conversationIn(item));
  const open = new Map<number, Gathered>();
  for await (const item of read()) {
    const family = families.familyOf(traceOf(item));
    const gathered = open.get(family) ?? { spans: [], logs: [] };
    open.set(family, gathered);
    if ('span' in item) gathered.spans.push(item.span);
    else gathered.logs.push(item.log);
    if (!families.isLast(family)) continue;
    open.delete(family);
    yield* splitConversations(withLogs(gathered));
  }
  // A file may grow between the two readings.
  for (const gathered of open.values()) yield* splitConversations(withLogs(gathered));
}

function traceOf(item: TraceItem): string {
  return 'span' in item ? item.span.traceId : item.log.traceId;
}

function conversationIn(item: TraceItem): string | undefined {
  return 'span' in item ? conversationOfSpan(item.span) : conversationOf(item.log.event.attributes);
}

/** Log records become events of their spans; those of spans that are not in the file, spans of their own. */
function withLogs({ spans, logs }: Gathered): Span[] {
  if (logs.length === 0) return spans;
  const bySpan = Map.groupBy(logs, ({ traceId, spanId = '' }) => `${traceId} ${spanId}`);
  const told = spans.map((span) => {
    const key = `${span.traceId} ${span.spanId ?? ''}`;
    const own = bySpan.get(key);
    bySpan.delete(key);
    return own === undefined
      ? span
      : { ...span, events: inOrder([...span.events, ...own.map(({ event }) => event)]) };
  });
  return [...told, ...Array.from(bySpan.values(), toSpan)];
}

function toSpan(logs: readonly SpanLog[]): Span {
  const { place, traceId, spanId } = logs[0] as SpanLog;
  const events = inOrder(logs.map(({ event }) => event));
  const [startMs, endMs] = [events[0]?.timeMs, events.at(-1)?.timeMs];
  return { place, traceId, spanId, name: '', startMs, endMs, attributes: {}, events, resource: {} };
}

function inOrder(events: SpanEvent[]): SpanEvent[] {
  return events.sort((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0));
}
