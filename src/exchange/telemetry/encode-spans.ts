import { touchstoneVersion } from '../../core/own-package.ts';
import type { Attributes, AttributeValue, OutgoingSpan, SpanEvent, SpanPlace } from './span.ts';

/**
 * Encodes spans for OTLP/HTTP as JSON, with hexadecimal ids and times in nanoseconds as texts
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 * @param redact - Removes secrets from a text.
 */
export function encodeSpans(spans: readonly OutgoingSpan[], redact: (text: string) => string): object {
  return {
    resourceSpans: [
      {
        resource: encodeResource(redact),
        scopeSpans: [{ scope, spans: spans.map((span) => encodeSpan(span, redact)) }],
      },
    ],
  };
}

/** A log record that belongs to a span. */
export interface OutgoingRecord extends SpanPlace {
  readonly event: SpanEvent;
}

/** Encodes events as log records for OTLP/HTTP as JSON. */
export function encodeRecords(records: readonly OutgoingRecord[], redact: (text: string) => string): object {
  return {
    resourceLogs: [
      {
        resource: encodeResource(redact),
        scopeLogs: [
          {
            scope,
            logRecords: records.map(({ traceId, spanId, event: { name, timeMs, attributes } }) => ({
              timeUnixNano: toNanoseconds(timeMs),
              eventName: name,
              attributes: encodeAttributes(attributes, redact),
              traceId,
              spanId,
            })),
          },
        ],
      },
    ],
  };
}

/** The scope of everything that is sent: this program. */
export const scope = { name: 'touchstone', version: touchstoneVersion };

function encodeResource(redact: (text: string) => string): object {
  const resource = { 'service.name': 'touchstone', 'service.version': touchstoneVersion };
  return { attributes: encodeAttributes(resource, redact) };
}

const kinds = { internal: 1, client: 3 } as const;

const failedStatus = 2;

function encodeSpan(span: OutgoingSpan, redact: (text: string) => string) {
  const {
    traceId,
    spanId,
    parentSpanId,
    link,
    name,
    kind,
    startMs,
    endMs,
    attributes,
    events = [],
    error,
  } = span;
  return {
    traceId,
    spanId,
    parentSpanId,
    name: redact(name),
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: encodeAttributes(attributes, redact),
    events: events.map((event) => encodeEvent(event, redact)),
    ...(link !== undefined && { links: [{ ...link }] }),
    status: error === undefined ? {} : { code: failedStatus, message: redact(error) },
  };
}

function encodeEvent({ name, timeMs, attributes }: SpanEvent, redact: (text: string) => string) {
  return { name, timeUnixNano: toNanoseconds(timeMs), attributes: encodeAttributes(attributes, redact) };
}

/** Encodes attributes, leaving out those that are undefined. */
export function encodeAttributes(attributes: Attributes, redact: (text: string) => string) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value, redact) }],
  );
}

function encodeValue(value: AttributeValue, redact: (text: string) => string): object {
  if (typeof value === 'string') return { stringValue: redact(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if ('quantity' in value) return { doubleValue: value.quantity };
  return { arrayValue: { values: value.map((text) => ({ stringValue: redact(text) })) } };
}

/** Formats milliseconds since 1970 as nanoseconds. A double is not precise enough for that, so whole numbers are added. */
export function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
