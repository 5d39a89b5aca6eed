import type { Place } from '../../errors.ts';
import type { Attributes, Span, SpanEvent } from '../../schema/recorded-trace.ts';
import { field, isFields, readAttributes } from './read-attributes.ts';
import { readSpanId, readTraceId } from './read-ids.ts';
import { readTime } from './read-time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a span was found, and who made it. */
export interface SpanOrigin {
  readonly place: Place;
  readonly resource: Attributes;
}

/** Reads a span in any of the spellings of OTLP as JSON; undefined for one that is of no trace. */
export function readSpan(value: Fields, { place, resource }: SpanOrigin): Span | undefined {
  const context = isFields(value['context']) ? value['context'] : value;
  const traceId = readTraceId(field(context, 'traceId'));
  if (traceId === undefined) return undefined;
  const spanId = readSpanId(field(context, 'spanId'));
  const parentId = readSpanId(field(value, 'parentSpanId') ?? field(value, 'parentId'));
  const startMs = readTime(field(value, 'startTimeUnixNano') ?? field(value, 'startTime'));
  const endMs = readTime(field(value, 'endTimeUnixNano') ?? field(value, 'endTime'));
  const events = readEvents(value['events']);
  const error = readStatus(value, events);
  return {
    place,
    traceId,
    ...(spanId !== undefined && { spanId }),
    ...(parentId !== undefined && { parentId }),
    name: typeof value['name'] === 'string' ? value['name'] : '',
    ...(startMs !== undefined && { startMs }),
    ...(endMs !== undefined && { endMs }),
    attributes: readAttributes(value['attributes']),
    events,
    ...(error !== undefined && { error }),
    resource: isFields(value['resource']) ? readAttributes(value['resource']['attributes']) : resource,
  };
}

function readEvents(given: unknown): SpanEvent[] {
  return Array.isArray(given) ? given.filter(isFields).map(readEvent) : [];
}

function readEvent(value: Fields): SpanEvent {
  const timeMs = readTime(field(value, 'timeUnixNano') ?? value['timestamp'] ?? value['time']);
  return {
    name: typeof value['name'] === 'string' ? value['name'] : '',
    ...(timeMs !== undefined && { timeMs }),
    attributes: readAttributes(value['attributes']),
  };
}

/** Why the work failed: what its status says, else the exception that ended it; undefined when it did not fail. */
function readStatus(value: Fields, events: readonly SpanEvent[]): string | undefined {
  const status = isFields(value['status']) ? value['status'] : value;
  const code = status['code'] ?? field(status, 'statusCode');
  if (!/^(2|(STATUS_CODE_)?ERROR)$/i.test(String(code))) return undefined;
  const message = status['message'] ?? field(status, 'statusMessage') ?? status['description'];
  if (typeof message === 'string' && message !== '') return message;
  const exception = events.findLast(({ name }) => name === 'exception')?.attributes ?? {};
  const words = [exception['exception.type'], exception['exception.message']];
  return words.filter((text) => typeof text === 'string' && text !== '').join(': ');
}
