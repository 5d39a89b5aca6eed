import type { Span } from '../message.ts';

/** The keyed hash of a user and the id of the key; hashes of different keys cannot be compared. */
export interface HashedUser {
  readonly key: string;
  readonly hash: string;
}

/** A span as it is stored: without secrets, and without personal data that can be known by its form. */
export interface StoredSpan extends Omit<Span, 'place' | 'spanId'> {
  readonly spanId: string;
  /** The conversation that the span names. */
  readonly conversation?: string;
  /** The user whom the span names. */
  readonly user?: HashedUser;
}

/** The facts about a trace that are known without reading its spans. */
export interface TraceHead {
  readonly traceId: string;
  /** The conversation that its spans name. */
  readonly conversation: string | null;
  readonly user: HashedUser | null;
  /** The start of its first span; ISO 8601. Null where no span has a time. */
  readonly startedAt: string | null;
  /** The time when its first span came in; ISO 8601. */
  readonly receivedAt: string;
  /** Until then further spans join it; ISO 8601. */
  readonly openUntil: string;
  readonly spans: number;
}

/** A stored trace. Its spans are in the order in which they began. */
export interface StoredTrace {
  readonly head: TraceHead;
  readonly spans: readonly StoredSpan[];
}

/** Returns the order of two spans: by start, those without one first, then by id. */
export function compareSpans(one: StoredSpan, other: StoredSpan): number {
  const [a, b] = [one.startMs ?? 0, other.startMs ?? 0];
  if (a !== b) return a - b;
  return one.spanId < other.spanId ? -1 : Number(one.spanId > other.spanId);
}

/** Returns the day of a trace, such as `2026-12-31`, in UTC. */
export function dayOf({ startedAt, receivedAt }: Pick<TraceHead, 'startedAt' | 'receivedAt'>): string {
  return (startedAt ?? receivedAt).slice(0, 10);
}
