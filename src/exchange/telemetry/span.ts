import { hashText } from '../../core/lib/content-hash.ts';
import type { Run } from '../../core/schema/run.ts';

/** A number that may have a fraction. It is always sent as a double, since collectors distinguish integers from doubles. */
export interface Quantity {
  readonly quantity: number;
}

/** The value of an attribute. A plain number is an integer. */
export type AttributeValue = string | number | boolean | readonly string[] | Quantity;

/** The attributes of a span or an event by name. Undefined ones are not sent. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Returns an amount as an attribute; undefined when it is unknown. */
export function toQuantity(amount: number | null | undefined): Quantity | undefined {
  return amount === null || amount === undefined ? undefined : { quantity: amount };
}

/** An event at a time within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly attributes: Attributes;
}

/** The ids of a span. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A span to be sent: an operation with a start and an end, inside another span or at the top of a trace. */
export interface OutgoingSpan extends SpanPlace {
  readonly parentSpanId?: string;
  /** The ids of the span in another trace to which it belongs. */
  readonly link?: SpanPlace;
  readonly name: string;
  /** `client` for work done by another system. */
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** The code of the error; present when the operation failed. */
  readonly error?: string;
}

/** The most trials in one trace. In a larger run every trial is its own trace, since no tool shows a million spans. */
const mostInOneTrace = 1000;

/** The ids of a run's span. They are derived from the record, so every process that sends the record uses the same ids. */
export interface RunPlace extends SpanPlace {
  readonly runId: string;
  /** True when its trials are separate traces, linked to it. */
  readonly isApart: boolean;
}

/** Returns the ids for the span of a run, or of the part of it that began at `startMs`. */
export function placeOfRun({ id, dataset, targets, attempts }: Run, startMs: number): RunPlace {
  return {
    runId: id,
    traceId: hashText(`trace ${id}`),
    spanId: spanIdOf(`run ${id} ${startMs}`),
    isApart: dataset.cases * targets.length * attempts > mostInOneTrace,
  };
}

/** Returns the place of a span as W3C Trace Context writes it (https://www.w3.org/TR/trace-context/#traceparent-header). */
export function formatTraceparent({ traceId, spanId }: SpanPlace): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Returns the ids for the span of a run that another process sends; without a traceparent, ids for a run whose span no process sends. */
export function placeOfJoinedRun(run: Run, traceparent: string | undefined): RunPlace {
  const place = placeOfRun(run, Date.parse(run.createdAt));
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '') ?? [];
  return traceId === undefined || spanId === undefined ? place : { ...place, traceId, spanId };
}

/** Returns the ids for the span of a trial, with its parent or, in a large run, its link to the run. */
export function placeOfTrial(run: RunPlace, key: string) {
  const spanId = spanIdOf(`trial ${run.runId} ${key}`);
  if (!run.isApart) return { traceId: run.traceId, spanId, parentSpanId: run.spanId };
  return {
    traceId: hashText(`trace ${run.runId} ${key}`),
    spanId,
    link: { traceId: run.traceId, spanId: run.spanId },
  };
}

/** Returns the ids for a span inside another one, by a name that is unique inside it. */
export function placeWithin({ traceId, spanId }: SpanPlace, name: string) {
  return { traceId, spanId: spanIdOf(`${spanId} ${name}`), parentSpanId: spanId };
}

function spanIdOf(text: string): string {
  return hashText(text).slice(0, 16);
}
