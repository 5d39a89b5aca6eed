import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import { sharedAgent } from '../../core/lib/network/agent.ts';
import { explainConnectionFault } from '../../core/lib/network/connection-error.ts';
import { sendRequest } from '../../core/lib/network/send-request.ts';
import type { Collector } from './collector.ts';
import { encodeSpans } from './encode-spans.ts';
import type { OutgoingSpan } from './span.ts';

const batchSize = 256;

const mostWaiting = 10_000;

const pauseMs = 2000;

const defaultLimitMs = 10_000;

/** The number of consecutive failed batches after which sending stops. */
const mostFailures = 3;

/** A sender of spans in batches. It never delays its caller, and never fails. */
export interface SpanSender {
  add(spans: readonly OutgoingSpan[]): void;
  /** Resolves when all spans are sent or dropped, at the latest after the time limit of its collector. */
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
      const fault = await postJson(() => JSON.stringify(encodeSpans(batch, redact)), collector, end.signal);
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
      }, collector.timeLimitMs ?? defaultLimitMs);
      while (waiting.length > 0 && !end.signal.aborted) await send();
      await sending;
      clearTimeout(tooLate);
    },
  };
}

const pausesMs = [200, 1000];

/** The status codes after which the specification of OTLP allows a retry. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends JSON to a collector, with retries after transient errors. Never throws; returns the reason of a failure, or
 * undefined.
 * @param encode - Returns the body.
 * @param signal - Cancels the sending.
 */
export async function postJson(
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
  { url, headers, timeLimitMs = defaultLimitMs }: Collector,
  signal: AbortSignal,
): Promise<{ fault?: string; isTransient?: boolean }> {
  try {
    const request = {
      url: new URL(url),
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
    };
    const response = await sendRequest(await sharedAgent(), request, mostReplyBytes);
    const text = await readUpTo(response.body, mostReplyBytes);
    if (response.status >= 200 && response.status < 300) return readRejection(text);
    const isTransient = retryableStatuses.has(response.status);
    return { fault: `it answers with status ${response.status}`, isTransient };
  } catch (error) {
    const { reason, isPermanent } = explainConnectionFault(error, new URL(url));
    return { fault: reason.replace(/\.$/, ''), isTransient: !isPermanent };
  }
}

/** The most bytes of a reply that are read. */
const mostReplyBytes = 1024 * 1024;

async function readUpTo(body: Readable, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > most) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reads from a successful response how many spans the collector rejected. */
function readRejection(text: string): { fault?: string } {
  const rejected = Number(/"rejectedSpans"\s*:\s*"?(\d+)/.exec(text)?.[1] ?? 0);
  return rejected > 0 ? { fault: `it rejected ${rejected} spans` } : {};
}
