import {
  compareSpans,
  type StoredSpan,
  type StoredTrace,
  type TraceHead,
} from '../../core/schema/trace/stored-trace.ts';
import type { DocumentChange, DocumentStore } from '../documents/document-store.ts';
import { forgetTracesOf } from '../feedback/feedback-records.ts';
import { feedbackKind } from '../kinds/feedback.ts';
import { erasedTraceKind, spanKind, traceKind } from '../kinds/trace.ts';
import { storeDamaged } from '../refusals.ts';
import type { Store } from '../store.ts';

/** The way in which spans join the traces of a store. */
export interface Joining {
  /** The current time; ISO 8601. */
  readonly now: string;
  /** The milliseconds after a span for which its trace takes further ones. */
  readonly openForMs: number;
  /** True when spans join a trace whose time is over too, as with a file that a person imports. */
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

/** The traces that are stored. */
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

/** The traces to list; a trace must meet all conditions. */
export interface TraceChoice {
  /** The largest number of traces; the newest are chosen. */
  readonly limit?: number;
  readonly conversation?: string;
  /** The hash of a user. */
  readonly user?: string;
  /** The id of a trace, or the beginning of it. */
  readonly idPrefix?: string;
}

/** Lists traces, the newest first. It reads no spans. */
export async function listTraces(
  documents: DocumentStore,
  { limit, conversation, user, idPrefix }: TraceChoice = {},
): Promise<TraceHead[]> {
  const prefix =
    idPrefix === undefined ? {} : { from: { id: idPrefix }, below: { id: `${idPrefix}\u{10FFFF}` } };
  const query = { where: { conversation, user_hash: user }, ...prefix, limit };
  return await Array.fromAsync(documents.list(traceKind, query));
}

/** Stores spans, for each trace as many as it takes. A trace takes spans until its time is over. */
export async function addSpans(
  documents: DocumentStore,
  spans: readonly StoredSpan[],
  joining: Joining,
): Promise<AddedSpans> {
  return await documents.change([traceKind, spanKind], async (change) => {
    const refused: Record<SpanRefusal, number> = { late: 0, erased: 0, 'trace-too-large': 0 };
    const [fresh, heads]: [StoredSpan[], TraceHead[]] = [[], []];
    let known = 0;
    const groups = Map.groupBy(spans, (span) => span.traceId);
    const erased = await findErased(change, [...groups.keys()]);
    for (const [traceId, own] of groups) {
      const before = await change.get(traceKind, [traceId]);
      const stored = before === undefined ? new Set<string>() : await findKnown(change, own);
      let head = before;
      for (const span of own) {
        const refusal = erased.has(traceId) ? 'erased' : refuseSpan(head, joining);
        if (stored.has(span.spanId)) known += 1;
        else if (refusal !== undefined) refused[refusal] += 1;
        else {
          fresh.push(span);
          stored.add(span.spanId);
          head = joinHead(head, span, joining);
        }
      }
      if (head !== undefined && head !== before) heads.push(head);
    }
    await change.put(spanKind, fresh);
    await change.put(traceKind, heads);
    return { added: fresh.length, known, refused, traces: heads.map(({ traceId }) => traceId) };
  });
}

/** Returns the ids of those traces that were erased. */
async function findErased(change: DocumentChange, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await change.heads(erasedTraceKind, ['id'], { where: { id: ids } })).map(({ id }) => id));
}

/** Returns the ids of the stored spans of a trace. */
async function findKnown(change: DocumentChange, spans: readonly StoredSpan[]): Promise<Set<string>> {
  const where = { trace: spans[0]?.traceId ?? '', id: spans.map(({ spanId }) => spanId) };
  return new Set((await change.heads(spanKind, ['id'], { where })).map(({ id }) => id));
}

/** Reads a trace; undefined when there is none of that id. Throws `store-damaged` when spans are missing. */
export async function readTrace(
  { address, documents }: Pick<Store, 'address' | 'documents'>,
  traceId: string,
): Promise<StoredTrace | undefined> {
  const head = await documents.get(traceKind, [traceId]);
  if (head === undefined) return undefined;
  const spans = await Array.fromAsync(documents.list(spanKind, { where: { trace: traceId } }));
  const missing = head.spans - spans.length;
  if (missing > 0) {
    // It may have been removed in the meantime.
    if ((await documents.get(traceKind, [traceId])) === undefined) return undefined;
    throw storeDamaged(address, `${missing} of ${head.spans} spans of the trace ${traceId} are missing`);
  }
  return { head, spans: spans.toSorted(compareSpans) };
}

/** The kinds that the removal of traces changes. */
const removing = [traceKind, spanKind, erasedTraceKind, feedbackKind];

/** Removes traces, whose spans are refused from then on. Returns the ids of those that were there. */
export async function eraseTraces(
  documents: DocumentStore,
  traceIds: readonly string[],
  now: string,
): Promise<string[]> {
  if (traceIds.length === 0) return [];
  return await documents.change(removing, async (change) => {
    const erased: string[] = [];
    for (const traceId of new Set(traceIds)) {
      if ((await change.get(erasedTraceKind, [traceId])) === undefined)
        await change.put(erasedTraceKind, [{ traceId, erasedAt: now }]);
      if (await removeTrace(change, traceId)) erased.push(traceId);
    }
    return erased;
  });
}

/** Removes the traces that are beyond the limits. Returns their number. */
export async function removeTracesBeyond(
  documents: DocumentStore,
  { receivedSince, most, atOnce = Number.MAX_SAFE_INTEGER }: TraceLimits,
): Promise<number> {
  return await documents.change(removing, async (change) => {
    const names = ['id', 'spans'] as const;
    const old = await change.heads(traceKind, names, {
      below: { received_at: receivedSince },
      limit: atOnce,
    });
    const beyond = await change.heads(traceKind, names, { skip: most, limit: atOnce });
    let [left, removed] = [atOnce, 0];
    for (const [id, spans] of new Map([...beyond, ...old].map((head) => [head.id, head.spans]))) {
      left -= spans;
      if (left < 0 && removed > 0) break;
      await removeTrace(change, id);
      removed += 1;
    }
    return removed;
  });
}

async function removeTrace(change: DocumentChange, trace: string): Promise<boolean> {
  await change.remove(spanKind, { where: { trace } });
  await forgetTracesOf(change, trace);
  return (await change.remove(traceKind, { where: { id: trace } })) > 0;
}

/** Returns the head of a trace after a span has joined it. */
function joinHead(
  head: TraceHead | undefined,
  span: StoredSpan,
  { now, openForMs }: Pick<Joining, 'now' | 'openForMs'>,
): TraceHead {
  const { traceId, conversation = null, user = null, startMs, endMs } = span;
  const startedAt = startMs === undefined ? null : isoTime(startMs);
  const endedAt = (endMs === undefined ? null : isoTime(endMs)) ?? undefined;
  const openUntil = new Date(Date.parse(now) + openForMs).toISOString();
  if (head === undefined)
    return { traceId, conversation, user, startedAt, endedAt, receivedAt: now, openUntil, spans: 1 };
  return {
    ...head,
    conversation: head.conversation ?? conversation,
    user: head.user ?? user,
    startedAt: earlier(head.startedAt, startedAt),
    endedAt: later(head.endedAt, endedAt),
    openUntil: head.openUntil > openUntil ? head.openUntil : openUntil,
    spans: head.spans + 1,
  };
}

/** Returns why a trace takes no further span; undefined when it does. */
function refuseSpan(
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

function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
