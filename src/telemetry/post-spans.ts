import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { describeConnectionError } from '../lib/connection-error.ts';
import type { Collector } from './collector.ts';

const timeLimitMs = 10_000;
const pausesMs = [200, 1000];

/** Replies after which the specification of OTLP lets a sender try again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector, again after a passing fault. Never throws: gives what went wrong, or undefined.
 * @param encode - Makes the body.
 * @param signal - Ends the attempt.
 */
export async function postSpans(
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
