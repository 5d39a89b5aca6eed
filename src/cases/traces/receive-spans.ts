import type { ReadRequest } from '../../evaluate/datasets/otlp/read-request.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { Store } from '../../stores/store.ts';
import type { SpanRefusal } from '../../stores/traces/trace-records.ts';
import { redactSpan } from './redact-span.ts';
import { readUserKey } from '../../stores/kinds/feedback.ts';
import { addSpans, removeTracesBeyond } from '../../stores/traces/trace-records.ts';

/** The time after its last span for which a trace takes further ones, in milliseconds. */
const openForMs = 10 * 60 * 1000;

/** The fate of spans that were sent. */
export interface TraceReceipt {
  readonly added: number;
  /** The number of spans that were stored before: the ids of the trace and of the span decide. */
  readonly known: number;
  /** The number of traces that have new spans. */
  readonly traces: number;
  /** The numbers of spans that were not stored, by the reason, as a phrase. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** The surroundings of received spans. */
export interface SpanReception {
  readonly store: Pick<Store, 'documents'>;
  readonly secrets: Pick<SecretRedactor, 'text'>;
  /** ISO 8601. */
  readonly now: string;
  /** True for a file that a person imports: its spans join at any time, and its traces take no others. */
  readonly isFile?: boolean;
}

const reasons: Readonly<Record<SpanRefusal, string>> = {
  late: 'the trace has ended: ten minutes passed since its last span',
  erased: 'the trace was erased',
  'trace-too-large': 'the trace has too many spans',
};

/**
 * Stores spans as they were sent: redacted, each once, and with its trace. Spans that cannot be stored are counted by their
 * reasons.
 */
export async function receiveSpans(
  { spans, rejected }: ReadRequest,
  { store, secrets, now, isFile = false }: SpanReception,
): Promise<TraceReceipt> {
  const key = await readUserKey(store.documents);
  const stored = spans.map((span) => redactSpan(span, { key, secrets }));
  const joining = { now, openForMs: isFile ? 0 : openForMs, acceptsLate: isFile };
  const { added, known, refused, traces } = await addSpans(store.documents, stored, joining);
  const all = new Map(rejected);
  for (const [refusal, count] of Object.entries(refused) as [SpanRefusal, number][])
    if (count > 0) all.set(reasons[refusal], count);
  return { added, known, traces: traces.length, rejected: Object.fromEntries(all) };
}

/** The limits on stored traces. */
export interface TraceRetention {
  /** The days for which traces are stored. */
  readonly days: number;
  /** The largest number of traces. */
  readonly most: number;
}

/** The limits where none are set. */
const usualRetention: TraceRetention = { days: 30, most: 20_000 };

const dayMs = 24 * 60 * 60 * 1000;

/** Removes the traces that are beyond the limits. Returns their number. */
export async function trimTraces(
  { documents }: Pick<Store, 'documents'>,
  now: string,
  { days, most }: TraceRetention = usualRetention,
): Promise<number> {
  const receivedSince = new Date(Date.parse(now) - days * dayMs).toISOString();
  return await removeTracesBeyond(documents, { receivedSince, most });
}
