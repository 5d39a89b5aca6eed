import type { Attributes, RecordedTrace, Span, SpanEvent } from '../schema/message.ts';
import type { DatasetReader } from './dataset.ts';
import { looksLikeTraces, readSpans, type SpanLog, type TraceItem } from './otlp/read-spans.ts';

/**
 * Traces of OpenTelemetry as JSON: a row is a trace, or a conversation that several traces are of. Known by what is in the
 * file, whatever its name; read twice, so that only the traces that are not over yet are kept in memory.
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
async function* groupSpans(
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

/**
 * Parts spans by the conversation that they are of, as where one trace goes round a whole test run. A span that does not say
 * so is of the conversation of the span around it, else of the only one that its trace knows.
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

/** Finds the conversation of a span: its own, that of the nearest span around it, the only one of its trace. */
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

/** The conversation that attributes say they belong to. */
function conversationOf(attributes: Attributes): string | undefined {
  const id = attributes['gen_ai.conversation.id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The conversation that a span says it belongs to, itself or in what happened in it. */
function conversationOfSpan({ attributes, events }: Span): string | undefined {
  const own = conversationOf(attributes);
  if (own !== undefined || events.length === 0) return own;
  return events.map((event) => conversationOf(event.attributes)).find((id) => id !== undefined);
}

/** Which traces belong together because they are of one conversation, and how many items of each are still to come. */
class TraceFamilies {
  /** The number of each trace and each conversation. */
  readonly #numbers = new Map<string, number>();
  /** For each number one that it was joined to; its own when it stands for its family. */
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

  /** The number of the family that a trace is of. */
  familyOf(traceId: string): number {
    return this.#find(this.#numberOf(`trace ${traceId}`));
  }

  /** Takes an item off what is to come of a family; says whether it was the last. */
  isLast(family: number): boolean {
    this.#count(family, -1);
    return this.#left[family] === 0;
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

  #count(family: number, items: number): void {
    this.#left[family] = (this.#left[family] ?? 0) + items;
  }

  #find(number: number): number {
    let found = number;
    while (this.#joined[found] !== found) found = this.#joined[found] ?? found;
    this.#joined[number] = found;
    return found;
  }
}
