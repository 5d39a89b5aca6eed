import { z } from 'zod';

/** The keyed hash of a user and the id of the key; hashes of different keys cannot be compared. */
const hashedUserSchema = z.object({ key: z.string(), hash: z.string() });

const attributesSchema = z.record(z.string(), z.unknown());

/** A span as it is stored: without secrets, and without personal data that can be known by its form. */
export const storedSpanSchema = z.lazy(() =>
  z.object({
    traceId: z.string(),
    spanId: z.string(),
    parentId: z.string().optional(),
    name: z.string(),
    /** Milliseconds since 1970, with fractions. */
    startMs: z.number().optional(),
    endMs: z.number().optional(),
    attributes: attributesSchema,
    events: z.array(
      z.object({ name: z.string(), timeMs: z.number().optional(), attributes: attributesSchema }),
    ),
    /** Present when the work failed; empty when the trace gives no reason. */
    error: z.string().optional(),
    /** The agent or service that did the work. */
    resource: attributesSchema,
    /** The conversation that the span names. */
    conversation: z.string().optional(),
    /** The user whom the span names. */
    user: hashedUserSchema.optional(),
  }),
);
export type StoredSpan = z.infer<typeof storedSpanSchema>;

/** The facts about a trace that are known without reading its spans. */
export const traceHeadSchema = z.lazy(() =>
  z.object({
    traceId: z.string(),
    /** The conversation that its spans name. */
    conversation: z.string().nullable(),
    user: hashedUserSchema.nullable(),
    /** The start of its first span; ISO 8601. Null where no span has a time. */
    startedAt: z.string().nullable(),
    /** The end of its last span; ISO 8601. Absent where no span has one, and from traces of earlier versions. */
    endedAt: z.string().optional(),
    /** The time when its first span came in; ISO 8601. */
    receivedAt: z.string(),
    /** Until then further spans join it; ISO 8601. */
    openUntil: z.string(),
    spans: z.int().positive(),
  }),
);
export type TraceHead = z.infer<typeof traceHeadSchema>;

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
