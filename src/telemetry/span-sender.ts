import type { Collector } from './collector.ts';
import { encodeSpans } from './encode-spans.ts';
import { postSpans } from './post-spans.ts';
import type { OutgoingSpan } from './span.ts';

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
