import type { StoredSpan, StoredTrace, TraceHead } from '../../core/schema/trace/stored-trace.ts';

/** The way in which spans join the traces of a store. */
export interface Joining {
  /** The current time; ISO 8601. */
  readonly now: string;
  /** The milliseconds after a span for which its trace takes further ones. */
  readonly openForMs: number;
  /** True when spans join a trace whose time is over too, as those of a file that a person imports. */
  readonly acceptsLate?: boolean;
}

/** The reasons for which a span is not stored. */
export type SpanRefusal = 'late' | 'erased' | 'trace-too-large';

/** The fate of spans that were handed to a store. */
export interface AddedSpans {
  readonly added: number;
  /** The number of spans that were stored before: the id of the trace and the id of the span decide. */
  readonly known: number;
  /** The numbers of spans that were refused: their trace takes no more of them, or was erased. */
  readonly refused: Readonly<Record<SpanRefusal, number>>;
  /** The ids of the traces that have new spans. */
  readonly traces: readonly string[];
}

/** The traces to read; a trace must meet all conditions. */
export interface TraceChoice {
  /** The largest number of traces; the newest are chosen. */
  readonly limit?: number;
  readonly conversation?: string;
  /** The hash of a user. */
  readonly user?: string;
  /** The id of a trace, or the beginning of it. */
  readonly idPrefix?: string;
}

/** The traces that are kept. */
export interface TraceLimits {
  /** Traces that were received before this are removed; ISO 8601. */
  readonly receivedSince: string;
  /** The largest number of traces; the oldest beyond it are removed. */
  readonly most: number;
  /** The most rows to remove now, one trace at least; all by default. */
  readonly atOnce?: number;
}

/** The most spans of one trace. */
export const mostSpansOfTrace = 10_000;

/**
 * The part of a store for traces of production. A trace takes spans until its time is over, and does not change after that.
 * When the promise of a write resolves, the data is stored, even if the process dies right afterwards. Methods that read spans
 * throw `store-damaged` when a record has changed since it was written, or when records are missing.
 */
export interface TraceStore {
  /** Stores spans, those of each trace as far as it takes them. */
  add(spans: readonly StoredSpan[], joining: Joining): Promise<AddedSpans>;
  find(traceId: string): Promise<StoredTrace | undefined>;
  /** Lists traces, the newest first. It reads no spans. */
  list(choice?: TraceChoice): Promise<TraceHead[]>;
  /** Counts traces. It reads no spans. */
  count(): Promise<number>;
  /** Removes traces, whose spans are refused from then on. Returns the ids of those that were there. */
  erase(traceIds: readonly string[], now: string): Promise<string[]>;
  /** Removes the traces that are beyond the limits. Returns their number. */
  trim(limits: TraceLimits): Promise<number>;
}

/** Returns the head of a trace after a span has joined it. */
export function joinHead(
  head: TraceHead | undefined,
  span: StoredSpan,
  { now, openForMs }: Pick<Joining, 'now' | 'openForMs'>,
): TraceHead {
  const { traceId, conversation = null, user = null, startMs } = span;
  const startedAt = startMs === undefined ? null : isoTime(startMs);
  const openUntil = new Date(Date.parse(now) + openForMs).toISOString();
  if (head === undefined)
    return { traceId, conversation, user, startedAt, receivedAt: now, openUntil, spans: 1 };
  return {
    ...head,
    conversation: head.conversation ?? conversation,
    user: head.user ?? user,
    startedAt: earlier(head.startedAt, startedAt),
    openUntil: head.openUntil > openUntil ? head.openUntil : openUntil,
    spans: head.spans + 1,
  };
}

/** Returns why a trace takes no further span; undefined when it does. */
export function refuseSpan(
  head: TraceHead | undefined,
  { now, acceptsLate }: Joining,
): Exclude<SpanRefusal, 'erased'> | undefined {
  if (head === undefined) return undefined;
  if (head.spans >= mostSpansOfTrace) return 'trace-too-large';
  return acceptsLate === true || now <= head.openUntil ? undefined : 'late';
}

/** Returns a time in ISO 8601; null for one that no calendar has. */
function isoTime(milliseconds: number): string | null {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
