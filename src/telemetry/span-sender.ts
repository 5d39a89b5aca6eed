import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { describeConnectionError } from '../lib/connection-error.ts';
import { touchstoneVersion } from '../version.ts';
import type { Collector } from './collector.ts';
import type { Attributes, AttributeValue, OutgoingSpan, SpanEvent } from './span.ts';

const batchSize = 256;

const mostWaiting = 10_000;

const pauseMs = 2000;

const finishLimitMs = 10_000;

/** The number of consecutive failed batches after which sending stops. */
const mostFailures = 3;

/** A sender of spans in batches. It never delays its caller, and never fails. */
export interface SpanSender {
  add(spans: readonly OutgoingSpan[]): void;
  /** Resolves when all spans are sent or dropped, after ten seconds at the latest. */
  finish(): Promise<void>;
}

/** The collector and the callbacks of a sender. */
export interface SenderOptions {
  readonly collector: Collector;
  readonly redact: (text: string) => string;
  /** Receives a message about the first failure; called at most once. */
  readonly onFailure: (message: string) => void;
}

/** Creates a sender. Spans beyond a bounded queue are dropped, and so are spans that the collector refuses. */
export function createSpanSender({ collector, redact, onFailure }: SenderOptions): SpanSender {
  const waiting: OutgoingSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let hasFailed = false;
  let failures = 0;
  const end = new AbortController();

  const reportFailure = (reason: string) => {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(
      `Spans are missing at ${new URL(collector.url).origin}: ${reason}. The run continues without them.`,
    );
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !end.signal.aborted) {
      const batch = waiting.splice(0, batchSize);
      const fault = await postSpans(() => encodeSpans(batch, redact), collector, end.signal);
      failures = fault === undefined ? 0 : failures + 1;
      if (fault !== undefined) reportFailure(fault);
      if (failures >= mostFailures) end.abort();
    }
  };

  const send = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };

  return {
    add: (spans) => {
      if (end.signal.aborted) return;
      const room = mostWaiting - waiting.length;
      if (spans.length > room) reportFailure('there were more than it could take');
      waiting.push(...spans.slice(0, Math.max(room, 0)));
      if (waiting.length >= batchSize) void send();
      else timer ??= setTimeout(() => void send(), pauseMs).unref();
    },
    finish: async () => {
      const tooLate = setTimeout(() => {
        reportFailure('it was too slow');
        end.abort();
      }, finishLimitMs);
      while (waiting.length > 0 && !end.signal.aborted) await send();
      await sending;
      clearTimeout(tooLate);
    },
  };
}

const timeLimitMs = 10_000;

const pausesMs = [200, 1000];

/** The status codes after which the specification of OTLP allows a retry. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector, with retries after transient errors. Never throws; returns the reason of a failure, or
 * undefined.
 * @param encode - Returns the body.
 * @param signal - Cancels the sending.
 */
async function postSpans(
  encode: () => string,
  collector: Collector,
  signal: AbortSignal,
): Promise<string | undefined> {
  let body: string;
  try {
    body = encode();
  } catch (error) {
    return messageOf(error);
  }
  for (const pauseMs of [...pausesMs, undefined]) {
    const { fault, isTransient } = await postOnce(body, collector, signal);
    if (fault === undefined || !isTransient || pauseMs === undefined || signal.aborted) return fault;
    await wait(pauseMs, undefined, { signal }).catch(() => {}); // The next attempt sees the abort.
  }
  return undefined;
}

async function postOnce(
  body: string,
  { url, headers }: Collector,
  signal: AbortSignal,
): Promise<{ fault?: string; isTransient?: boolean }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // A redirect would send the secret headers to another address.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
    });
    const text = await response.text();
    if (response.ok) return readRejection(text);
    const isTransient = retryableStatuses.has(response.status);
    return { fault: `it answers with status ${response.status}`, isTransient };
  } catch (error) {
    return { fault: describeConnectionError(error), isTransient: true };
  }
}

/** Reads from a successful response how many spans the collector rejected. */
function readRejection(text: string): { fault?: string } {
  const rejected = Number(/"rejectedSpans"\s*:\s*"?(\d+)/.exec(text)?.[1] ?? 0);
  return rejected > 0 ? { fault: `it rejected ${rejected} spans` } : {};
}

/**
 * Encodes spans for OTLP/HTTP as JSON, with hexadecimal ids and times in nanoseconds as texts
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 * @param redact - Removes secrets from a text.
 */
function encodeSpans(spans: readonly OutgoingSpan[], redact: (text: string) => string): string {
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

/** Formats milliseconds since 1970 as nanoseconds. A double is not precise enough for that, so whole numbers are added. */
function toNanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
