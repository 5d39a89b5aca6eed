import type { Place } from '../../errors.ts';
import type { SpanEvent } from '../../schema/recorded-trace.ts';
import { field, isFields, readAttributes, readValue } from './read-attributes.ts';
import { readSpanId, readTraceId } from './read-ids.ts';
import { readTime } from './read-time.ts';

/** A log record that was written within a span. */
export interface SpanLog {
  readonly place: Place;
  readonly traceId: string;
  readonly spanId: string | undefined;
  readonly event: SpanEvent;
}

/**
 * Reads a log record about a model as an event of its span: the fields of its body become attributes. Undefined for any
 * other record, and for one that is of no trace.
 */
export function readLog(value: Readonly<Record<string, unknown>>, place: Place): SpanLog | undefined {
  const traceId = readTraceId(field(value, 'traceId'));
  const attributes = readAttributes(value['attributes']);
  const name = field(value, 'eventName') || attributes['event.name'];
  if (traceId === undefined || typeof name !== 'string' || !name.startsWith('gen_ai.')) return undefined;
  const body = readValue(value['body']);
  const timeMs = readTime(field(value, 'timeUnixNano')) ?? readTime(field(value, 'observedTimeUnixNano'));
  const event = {
    name,
    ...(timeMs !== undefined && { timeMs }),
    attributes: { ...attributes, ...(isFields(body) && body) },
  };
  return { place, traceId, spanId: readSpanId(field(value, 'spanId')), event };
}
