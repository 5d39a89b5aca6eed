import { touchstoneVersion } from '../version.ts';
import type { Attributes, AttributeValue, OutgoingSpan, SpanEvent } from './span.ts';

const kinds = { internal: 1, client: 3 } as const;
const failedStatus = 2;

/**
 * Spans as a collector takes them: OTLP/HTTP in JSON, with ids in hexadecimal and times as texts of nanoseconds
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 * @param redact - Takes secrets out of every text.
 */
export function encodeSpans(spans: readonly OutgoingSpan[], redact: (text: string) => string): string {
  const resource = { 'service.name': 'touchstone', 'service.version': touchstoneVersion };
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource, redact) },
        scopeSpans: [
          {
            scope: { name: 'touchstone', version: touchstoneVersion },
            spans: spans.map((span) => encodeSpan(span, redact)),
          },
        ],
      },
    ],
  });
}

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
    ...(parentSpanId !== undefined && { parentSpanId }),
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

function encodeAttributes(attributes: Attributes, redact: (text: string) => string) {
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

/** A double cannot hold the nanoseconds since 1970: whole milliseconds and the rest are put together as whole numbers. */
function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
