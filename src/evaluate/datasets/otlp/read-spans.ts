import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import type { Attributes, Span, SpanEvent } from '../../../core/schema/message.ts';
import type { TextSource } from '../dataset.ts';
import { type Fields, isFields } from '../fields.ts';
import { peekText } from '../peek-text.ts';
import type { JsonChoice, JsonPath } from '../json/tokenizer.ts';
import { type WalkedValue, walkJson } from '../json/read-json.ts';
import { field, readAttributes, readSpanId, readTime, readTraceId, readValue } from './read-values.ts';

/** An item of a file of traces: a span, or a log record that belongs to a span. */
export type TraceItem = { readonly span: Span } | { readonly log: SpanLog };

/**
 * Reads the spans and log records of a file, one at a time: requests of an exporter (one, one a line, or a list), or
 * bare spans. Throws `dataset-invalid` with the place when the text is not JSON or a span has no trace.
 */
export async function* readSpans(source: TextSource): AsyncGenerator<TraceItem> {
  const { head, all } = await peekText(source.read(), atLeast(4096));
  const isList = head.trimStart().startsWith('[');
  const chooseItem = holdsRequests(head) ? chooseInRequest : chooseBare(isList ? 1 : 0);
  let resource: Attributes = {};
  const choose = (path: JsonPath) => {
    if (isItemOf(perResource, path)) resource = {};
    return chooseItem(path);
  };
  for await (const { path, value, place } of walkJson(all, { file: source.name, choose })) {
    if (path.at(-1) === 'resource') resource = isFields(value) ? readAttributes(value['attributes']) : {};
    else {
      const item = readItem({ path, value, place }, resource);
      if (item !== undefined) yield item;
    }
  }
}

/** Returns an `isEnough` for a number of characters. */
function atLeast(characters: number): (piece: string) => boolean {
  let length = 0;
  return (piece) => {
    length += piece.length;
    return length >= characters;
  };
}

const entered =
  /^(trace|traces|batches|spans|logRecords|log_records|(resource|scope|instrumentation_?[lL]ibrary)_?(Spans|spans|Logs|logs))$/;
const perResource = /^(batches|resource_?(Spans|spans|Logs|logs))$/;
const items = /^(spans|logRecords|log_records)$/;

function chooseInRequest(path: JsonPath): JsonChoice {
  const last = path.at(-1);
  if (last === 'resource' || isItemOf(items, path)) return 'keep';
  return typeof last !== 'string' || entered.test(last) ? 'enter' : 'skip';
}

function isItemOf(list: RegExp, path: JsonPath): boolean {
  return typeof path.at(-1) === 'number' && list.test(String(path.at(-2)));
}

/** Returns the choice of values in a file of bare spans: in a list, or one after the other. */
function chooseBare(depth: number): (path: JsonPath) => JsonChoice {
  return (path) => (path.length < depth ? 'enter' : 'keep');
}

function readItem({ path, value, place }: WalkedValue, resource: Attributes): TraceItem | undefined {
  if (!isFields(value)) return undefined;
  if (String(path.at(-2)).startsWith('log')) {
    const log = readLog(value, place);
    return log && { log };
  }
  const span = readSpan(value, { place, resource });
  if (span !== undefined) return { span };
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: this span has no \`traceId\``, {
    remedy: 'Export the traces as OTLP JSON: every span in them names its trace.',
  });
}

/** The place and the resource of a span. */
interface SpanOrigin {
  readonly place: Place;
  readonly resource: Attributes;
}

/** Reads a span in any of the spellings of OTLP as JSON; undefined for a span without a trace. */
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

function readEvents(value: unknown): SpanEvent[] {
  return Array.isArray(value) ? value.filter(isFields).map(readEvent) : [];
}

function readEvent(value: Fields): SpanEvent {
  const timeMs = readTime(field(value, 'timeUnixNano') ?? value['timestamp'] ?? value['time']);
  return {
    name: typeof value['name'] === 'string' ? value['name'] : '',
    ...(timeMs !== undefined && { timeMs }),
    attributes: readAttributes(value['attributes']),
  };
}

/**
 * Returns the error of a span: the message of its status, or else the message of its exception; undefined when it did not
 * fail.
 */
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

/** The number of characters from which the format is recognized: they contain the beginning of the first span. */
const looked = 65_536;

const request =
  /^\s*\[?\s*\{\s*("trace"\s*:\s*\{\s*)?"(resource_?(Spans|spans|Logs|logs|Metrics|metrics)|batches)"\s*:\s*\[/;

/** Returns whether a text begins like the requests of an OpenTelemetry exporter: `{ "resourceSpans": [ … ] }`. */
function holdsRequests(head: string): boolean {
  return request.test(head.slice(0, looked));
}

/** Returns whether a text begins like OpenTelemetry traces as JSON. Throws `dataset-format` for traces of Jaeger. */
export function looksLikeTraces(head: string, name: string): boolean {
  const text = head.slice(0, looked);
  if (/^\s*\{\s*"data"\s*:\s*\[\s*\{\s*"traceID"\s*:/.test(text)) {
    throw new TouchstoneError('dataset-format', `${name}: these are traces in the format of Jaeger`, {
      remedy:
        'Export them as OTLP JSON, for instance with the `file` exporter of an OpenTelemetry Collector.',
    });
  }
  return holdsRequests(text) || looksLikeSpan(text);
}

/**
 * Returns whether a text begins with a bare span: an object with the ids of its trace and itself and its start time.
 */
function looksLikeSpan(text: string): boolean {
  const hasAll = [
    /"trace_?[iI]d"\s*:/,
    /"span_?[iI]d"\s*:/,
    /"start_?[tT]ime(_?[uU]nix_?[nN]ano)?"\s*:/,
    /"attributes"\s*:/,
  ];
  return /^\s*\[?\s*\{/.test(text) && hasAll.every((sign) => sign.test(text));
}

/** A log record that was written within a span. */
export interface SpanLog {
  readonly place: Place;
  readonly traceId: string;
  readonly spanId: string | undefined;
  readonly event: SpanEvent;
}

/**
 * Reads a log record about a model as an event of its span: the fields of its body become attributes. Undefined for any
 * other record, and for a record without a trace.
 */
function readLog(value: Readonly<Record<string, unknown>>, place: Place): SpanLog | undefined {
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
