import type { Span } from '../../../core/schema/message.ts';
import { type Fields, isFields } from '../fields.ts';
import { readSpan } from './read-spans.ts';
import { field, readAttributes } from './read-values.ts';

/** The limits on what one request may contain. */
export interface RequestLimits {
  readonly spans: number;
  /** The most attributes of a span, an event or a resource. */
  readonly attributes: number;
  /** The longest text, in UTF-16 code units. */
  readonly text: number;
  /** The most events of a span. */
  readonly events: number;
}

/** The spans of a request. Every one has an id. */
export interface ReadRequest {
  readonly spans: readonly (Span & { readonly spanId: string })[];
  /** The number of spans that cannot be used, by the reason, as a phrase. */
  readonly rejected: ReadonlyMap<string, number>;
}

/**
 * Reads the spans of a request of an exporter: the objects of OTLP as JSON, in either spelling of the names. A span that cannot
 * be used is counted by its reason, and the others are read. The nesting of the objects has to be limited before.
 */
export function readRequest(request: unknown, limits: RequestLimits): ReadRequest {
  const spans: (Span & { readonly spanId: string })[] = [];
  const rejected = new Map<string, number>();
  const reject = (reason: string) => rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
  for (const { value, resource } of spansIn(request)) {
    const reason = findExcess(value, limits);
    const span = reason === undefined ? readSpan(value, { place: { file: 'request' }, resource }) : undefined;
    if (reason !== undefined) reject(reason);
    else if (span?.spanId === undefined) reject('it has no trace id or no span id');
    else if (spans.length >= limits.spans) reject(`the request has more than ${limits.spans} spans`);
    else spans.push({ ...span, spanId: span.spanId });
  }
  return { spans, rejected };
}

/** Yields the spans of a request, not yet read, with the attributes of their resources. */
function* spansIn(
  request: unknown,
): Generator<{ readonly value: Fields; readonly resource: Span['resource'] }> {
  for (const group of listIn(request, 'resourceSpans')) {
    const about = field(group, 'resource');
    const resource = isFields(about) ? readAttributes(about['attributes']) : {};
    const scopes = [...listIn(group, 'scopeSpans'), ...listIn(group, 'instrumentationLibrarySpans')];
    for (const scope of scopes) for (const value of listIn(scope, 'spans')) yield { value, resource };
  }
}

function listIn(value: unknown, name: string): Fields[] {
  const list = isFields(value) ? field(value, name) : undefined;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** Returns the limit that a span goes beyond, as a phrase; undefined when it keeps to all of them. */
function findExcess(value: Fields, { attributes, text, events }: RequestLimits): string | undefined {
  const own = listOf(value['attributes']);
  const happened = listOf(value['events']);
  const lists = [own, ...happened.map((event) => listOf(isFields(event) ? event['attributes'] : []))];
  if (happened.length > events) return `it has more than ${events} events`;
  if (lists.some((list) => list.length > attributes)) return `it has more than ${attributes} attributes`;
  return hasLongText(value, text) ? `a text has more than ${text} characters` : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value) ? Object.keys(value) : [];
}

function hasLongText(value: unknown, longest: number): boolean {
  if (typeof value === 'string') return value.length > longest;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => hasLongText(inner, longest));
}
