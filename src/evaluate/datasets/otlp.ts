import type { Attributes, RecordedTrace, Span, SpanEvent } from '../../core/schema/message.ts';
import type { DatasetReader } from './dataset.ts';
import { looksLikeTraces, readSpans, type SpanLog, type TraceItem } from './otlp/read-spans.ts';

/**
 * The reader of OpenTelemetry traces as JSON. A row is a trace, or a conversation of several traces. The format is
 * recognized by the content of a file, whatever its name. The file is read twice, so that only unfinished traces are
 * held in memory.
 */
export const otlp: DatasetReader = {
  name: 'otlp',
  extensions: [],
  recognizes: looksLikeTraces,
  async *read(source) {
    const items = source.isReadOnce === true ? await Array.fromAsync(readSpans(source)) : undefined;
    for await (const trace of groupSpans(() => items ?? readSpans(source))) {
      const place = trace.spans[0]?.place ?? { file: source.name };
      yield { value: trace, place, locate: () => place };
    }
  },
};

/** The spans and log records of one or more traces that belong together, while they are being read. */
interface Gathered {
  readonly spans: Span[];
  readonly logs: SpanLog[];
}

/**
 * Groups the spans of one trace, or of the traces of one conversation, and yields each group as soon as its last span
 * was read: only unfinished groups stay in memory.
 * @param read - Reads the items from the beginning. It is called twice: the first time to find out what belongs
 * together.
 */
async function* groupSpans(
  read: () => AsyncIterable<TraceItem> | Iterable<TraceItem>,
): AsyncGenerator<RecordedTrace> {
  const groups = new TraceGroups();
  for await (const item of read()) groups.add(traceOf(item), conversationIn(item));
  const open = new Map<number, Gathered>();
  for await (const item of read()) {
    const group = groups.groupOf(traceOf(item));
    const gathered = open.get(group) ?? { spans: [], logs: [] };
    open.set(group, gathered);
    if ('span' in item) gathered.spans.push(item.span);
    else gathered.logs.push(item.log);
    if (!groups.isLast(group)) continue;
    open.delete(group);
    yield* splitConversations(withLogs(gathered));
  }
  // The file may have grown between the two readings.
  for (const gathered of open.values()) yield* splitConversations(withLogs(gathered));
}

function traceOf(item: TraceItem): string {
  return 'span' in item ? item.span.traceId : item.log.traceId;
}

function conversationIn(item: TraceItem): string | undefined {
  return 'span' in item ? conversationOfSpan(item.span) : conversationOf(item.log.event.attributes);
}

/**
 * Turns log records into events of their spans; records of spans that are not in the file become spans of their own.
 */
function withLogs({ spans, logs }: Gathered): Span[] {
  if (logs.length === 0) return spans;
  const bySpan = Map.groupBy(logs, ({ traceId, spanId = '' }) => `${traceId} ${spanId}`);
  const withEvents = spans.map((span) => {
    const key = `${span.traceId} ${span.spanId ?? ''}`;
    const own = bySpan.get(key);
    bySpan.delete(key);
    return own === undefined
      ? span
      : { ...span, events: inOrder([...span.events, ...own.map(({ event }) => event)]) };
  });
  return [...withEvents, ...Array.from(bySpan.values(), toSpan)];
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

/**
 * Divides spans by conversation, as when one trace covers a whole test run. A span that names no conversation belongs
 * to the conversation of the span around it, or else to the only one of its trace.
 */
function splitConversations(spans: readonly Span[]): RecordedTrace[] {
  const conversations = conversationsIn(spans);
  const [only] = conversations;
  if (conversations.length <= 1) return [{ ...(only !== undefined && { conversationId: only }), spans }];
  return Array.from(Map.groupBy(spans, createFinder(spans))).flatMap(([conversationId, part]) =>
    conversationId === undefined
      ? Array.from(Map.groupBy(part, ({ traceId }) => traceId).values(), (spans) => ({ spans }))
      : [{ conversationId, spans: part }],
  );
}

function conversationsIn(spans: readonly Span[]): string[] {
  return [...new Set(spans.map(conversationOfSpan).filter((id) => id !== undefined))];
}

/**
 * Creates a function that finds the conversation of a span: its own, the one of the nearest span around it, or the only
 * one of its trace.
 */
function createFinder(spans: readonly Span[]) {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const onlyOnes = new Map(
    Array.from(
      Map.groupBy(spans, ({ traceId }) => traceId),
      ([traceId, part]) => {
        const [first, ...others] = conversationsIn(part);
        return [traceId, others.length === 0 ? first : undefined];
      },
    ),
  );
  return (span: Span): string | undefined => {
    const seen = new Set<Span>();
    for (let at: Span | undefined = span; at !== undefined && !seen.has(at); ) {
      const own = conversationOfSpan(at);
      if (own !== undefined) return own;
      seen.add(at);
      at = byId.get(`${at.traceId} ${at.parentId}`);
    }
    return onlyOnes.get(span.traceId);
  };
}

/** Returns the conversation that attributes name. */
function conversationOf(attributes: Attributes): string | undefined {
  const id = attributes['gen_ai.conversation.id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the conversation that a span names, in its attributes or its events. */
function conversationOfSpan({ attributes, events }: Span): string | undefined {
  const own = conversationOf(attributes);
  if (own !== undefined || events.length === 0) return own;
  return events.map((event) => conversationOf(event.attributes)).find((id) => id !== undefined);
}

/** The groups of traces that belong to one conversation, with the number of remaining items of each. */
class TraceGroups {
  /** The number of each trace and each conversation. */
  readonly #numbers = new Map<string, number>();
  /** A number to which each number was joined; its own when it represents its group. */
  readonly #joined: number[] = [];
  readonly #left: number[] = [];

  /** Counts an item of a trace. */
  add(traceId: string, conversationId: string | undefined): void {
    const trace = this.#numberOf(`trace ${traceId}`);
    if (conversationId === undefined) {
      this.#count(this.#find(trace), 1);
      return;
    }
    const [one, other] = [this.#find(trace), this.#find(this.#numberOf(`conversation ${conversationId}`))];
    this.#count(one, 1);
    if (one === other) return;
    this.#joined[other] = one;
    this.#count(one, this.#left[other] ?? 0);
  }

  /** Returns the number of the group of a trace. */
  groupOf(traceId: string): number {
    return this.#find(this.#numberOf(`trace ${traceId}`));
  }

  /** Subtracts an item from the remaining ones of a group. Returns whether it was the last. */
  isLast(group: number): boolean {
    this.#count(group, -1);
    return this.#left[group] === 0;
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#joined.length;
    this.#numbers.set(name, number);
    this.#joined.push(number);
    this.#left.push(0);
    return number;
  }

  #count(group: number, items: number): void {
    this.#left[group] = (this.#left[group] ?? 0) + items;
  }

  #find(number: number): number {
    let found = number;
    while (this.#joined[found] !== found) found = this.#joined[found] ?? found;
    this.#joined[number] = found;
    return found;
  }
}
