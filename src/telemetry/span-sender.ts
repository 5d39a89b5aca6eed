import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { describeConnectionError } from '../lib/connection-error.ts';
import { touchstoneVersion } from '../version.ts';
import type { Collector } from './collector.ts';
import type { Attributes, AttributeValue, OutgoingSpan, SpanEvent } from './span.ts';

const kinds = { internal: 1, client: 3 } as const;
const failedStatus = 2;

/**
 * Spans as a collector takes them: OTLP/HTTP in JSON, with ids in hexadecimal and times as texts of nanoseconds
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 * @param redact - Takes secrets out of every text.
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

const batchSize = 256;
const mostWaiting = 10_000;
const pauseMs = 2000;
const lastWordsMs = 10_000;
/** Batches in a row that fail before a collector counts as gone. */
const mostFailures = 3;

/** Sends spans a batch at a time. It never delays its caller, and never fails. */
export interface SpanSender {
  add(spans: readonly OutgoingSpan[]): void;
  /** Resolves when all are sent, or could not be, at the latest after ten seconds. */
  finish(): Promise<void>;
}

/** How spans are sent. */
export interface SenderOptions {
  readonly collector: Collector;
  readonly redact: (text: string) => string;
  /** Told once, of the first thing that goes wrong. */
  readonly tell: (message: string) => void;
}

/** Makes a sender. What a collector cannot take as fast as it comes is dropped beyond a bound, and so is what it refuses. */
export function createSpanSender({ collector, redact, tell }: SenderOptions): SpanSender {
  const waiting: OutgoingSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let hasTold = false;
  let failures = 0;
  const end = new AbortController();

  const complain = (reason: string) => {
    if (hasTold) return;
    hasTold = true;
    tell(`Spans are missing at ${new URL(collector.url).origin}: ${reason}. The run goes on without.`);
  };

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !end.signal.aborted) {
      const batch = waiting.splice(0, batchSize);
      const fault = await postSpans(() => encodeSpans(batch, redact), collector, end.signal);
      failures = fault === undefined ? 0 : failures + 1;
      if (fault !== undefined) complain(fault);
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
      if (spans.length > room) complain('more came than it could take');
      waiting.push(...spans.slice(0, Math.max(room, 0)));
      if (waiting.length >= batchSize) void send();
      else timer ??= setTimeout(() => void send(), pauseMs).unref();
    },
    finish: async () => {
      const tooLate = setTimeout(() => {
        complain('it was not quick enough');
        end.abort();
      }, lastWordsMs);
      while (waiting.length > 0 && !end.signal.aborted) await send();
      await sending;
      clearTimeout(tooLate);
    },
  };
}

const timeLimitMs = 10_000;
const pausesMs = [200, 1000];

/** Replies after which the specification of OTLP lets a sender try again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector, again after a passing fault. Never throws: gives what went wrong, or undefined.
 * @param encode - Makes the body.
 * @param signal - Ends the attempt.
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
    const { fault, isPassing } = await postOnce(body, collector, signal);
    if (fault === undefined || !isPassing || pauseMs === undefined || signal.aborted) return fault;
    await wait(pauseMs, undefined, { signal }).catch(() => {}); // The next attempt sees the abort.
  }
  return undefined;
}

async function postOnce(
  body: string,
  { url, headers }: Collector,
  signal: AbortSignal,
): Promise<{ fault?: string; isPassing?: boolean }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // A collector that sends us elsewhere would be sent the headers too.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
    });
    const text = await response.text();
    if (response.ok) return readRejection(text);
    return { fault: `it answers with status ${response.status}`, isPassing: passing.has(response.status) };
  } catch (error) {
    return { fault: describeConnectionError(error), isPassing: true };
  }
}

/** A collector may take some spans and say how many it did not. */
function readRejection(text: string): { fault?: string } {
  const rejected = Number(/"rejectedSpans"\s*:\s*"?(\d+)/.exec(text)?.[1] ?? 0);
  return rejected > 0 ? { fault: `it has rejected ${rejected} spans` } : {};
}
