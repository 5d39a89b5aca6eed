import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import type { Attributes, Span, SpanEvent } from '../../schema/message.ts';
import type { TextSource } from '../dataset.ts';
import { peekText } from '../peek-text.ts';
import { type Choice, type WalkedValue, walkJson } from '../walk-json.ts';
import {
  field,
  isFields,
  readAttributes,
  readSpanId,
  readTime,
  readTraceId,
  readValue,
} from './read-values.ts';

/** What a file of traces holds: spans, and log records that belong to spans. */
export type TraceItem = { readonly span: Span } | { readonly log: SpanLog };

/**
 * Reads the spans and log records of a file, one at a time: requests of an exporter, one or one a line or in a list; or
 * bare spans. Throws `dataset-invalid` with the place of what is no JSON, and of a span that is of no trace.
 */
export async function* readSpans(source: TextSource): AsyncGenerator<TraceItem> {
  const { head, all } = await peekText(source.read(), atLeast(4096));
  const isList = head.trimStart().startsWith('[');
  const chooseItem = holdsRequests(head) ? chooseInRequest : chooseBare(isList ? 1 : 0);
  let resource: Attributes = {};
  const choose = (path: readonly string[]) => {
    if (path.at(-1) === '*' && perResource.test(path.at(-2) ?? '')) resource = {};
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

/** An `isEnough` for so many characters. */
function atLeast(characters: number): (piece: string) => boolean {
  let length = 0;
  return (piece) => {
    length += piece.length;
    return length >= characters;
  };
}

const entered =
  /^(\*|trace|traces|batches|spans|logRecords|log_records|(resource|scope|instrumentation_?[lL]ibrary)_?(Spans|spans|Logs|logs))$/;
const perResource = /^(batches|resource_?(Spans|spans|Logs|logs))$/;
const items = /^(spans|logRecords|log_records)$/;

function chooseInRequest(path: readonly string[]): Choice {
  const [parent = '', last = '*'] = [path.at(-2), path.at(-1)];
  if (last === 'resource' || (last === '*' && items.test(parent))) return 'read';
  return entered.test(last) ? 'enter' : 'skip';
}

/** Spans that are in no request stand in a list, or one after the other. */
function chooseBare(depth: number): (path: readonly string[]) => Choice {
  return (path) => (path.length < depth ? 'enter' : 'read');
}

function readItem({ path, value, place }: WalkedValue, resource: Attributes): TraceItem | undefined {
  if (!isFields(value)) return undefined;
  if (path.at(-2)?.startsWith('log') === true) {
    const log = readLog(value, place);
    return log && { log };
  }
  const span = readSpan(value, { place, resource });
  if (span !== undefined) return { span };
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: this span has no \`traceId\``, {
    remedy: 'Export the traces as OTLP JSON: every span in them says which trace it is of.',
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Where a span was found, and who made it. */
interface SpanOrigin {
  readonly place: Place;
  readonly resource: Attributes;
}

/** Reads a span in any of the spellings of OTLP as JSON; undefined for one that is of no trace. */
function readSpan(value: Fields, { place, resource }: SpanOrigin): Span | undefined {
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

/** How much of a file is looked at: the beginning of its first span is in it. */
const looked = 65_536;

const request =
  /^\s*\[?\s*\{\s*("trace"\s*:\s*\{\s*)?"(resource_?(Spans|spans|Logs|logs|Metrics|metrics)|batches)"\s*:\s*\[/;

/** Whether a text begins like the requests that an exporter of OpenTelemetry sends: `{ "resourceSpans": [ … ] }`. */
function holdsRequests(head: string): boolean {
  return request.test(head.slice(0, looked));
}

/** Whether a text begins like traces of OpenTelemetry as JSON. Throws `dataset-format` for those of Jaeger. */
export function looksLikeTraces(head: string, name: string): boolean {
  const text = head.slice(0, looked);
  if (/^\s*\{\s*"data"\s*:\s*\[\s*\{\s*"traceID"\s*:/.test(text)) {
    throw new TouchstoneError('dataset-format', `${name}: these are traces as Jaeger downloads them`, {
      remedy:
        'Export them as OTLP JSON, for instance with the `file` exporter of an OpenTelemetry Collector.',
    });
  }
  return holdsRequests(text) || looksLikeSpan(text);
}

/** A span that stands alone: an object that names its trace and itself and says when it began. */
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
 * other record, and for one that is of no trace.
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
