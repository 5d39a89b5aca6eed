import { createKnownSecrets } from '../../config/known-secrets.ts';
import { readDataFile } from '../../config/load-config.ts';
import type { ReadRequest } from '../../../evaluate/datasets/otlp/read-request.ts';
import { formatPlace, TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { isRecordedTrace, type Span } from '../../../core/schema/message.ts';
import type { TraceHead } from '../../../core/schema/trace/stored-trace.ts';
import { forgetTraces as forget, type ForgottenTraces } from '../../../cases/traces/forget-traces.ts';
import type { DescribedTrace } from '../../../core/schema/trace/described-trace.ts';
import { describeTrace } from '../../../cases/traces/describe-trace.ts';
import { receiveSpans, type TraceReceipt, trimTraces } from '../../../cases/traces/receive-spans.ts';
import { type StoreChoice, withStore, withWritableStore } from '../open-store.ts';
import { matchFeedback } from '../../../stores/feedback/feedback-records.ts';
import { traceKind } from '../../../stores/kinds/trace.ts';
import { listTraces as list, type TraceChoice } from '../../../stores/traces/trace-records.ts';

/** The spans of a file that are stored in one transaction. */
const spansAtOnce = 2000;

/**
 * Adds the traces of a file to a store, as `touchstone traces import` does: OTLP as JSON, with names of GenAI or OpenInference.
 * Each span is stored once and redacted, and its trace can be proposed at once.
 * @param file - Relative to the folder; `-` is standard input.
 * @throws TouchstoneError for a file that cannot be read, or that contains no traces.
 */
export async function importTraces(file: string, choice: StoreChoice = {}): Promise<TraceReceipt> {
  const folder = choice.folder ?? process.cwd();
  const secrets = createKnownSecrets(undefined, process.env);
  return await withWritableStore(choice, async (store) => {
    let sum: TraceReceipt = { added: 0, known: 0, traces: 0, rejected: {} };
    let batch: ReadRequest['spans'][number][] = [];
    const keep = async () => {
      const now = new Date().toISOString();
      const request = { spans: batch, rejected: new Map<string, number>() };
      sum = addReceipts(sum, await receiveSpans(request, { store, secrets, now, isFile: true }));
      batch = [];
    };
    for await (const { value, place } of readDataFile(file, folder)) {
      if (typeof value !== 'object' || value === null || !isRecordedTrace(value)) {
        throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: this is no trace`, {
          remedy: 'Export the traces as OTLP JSON: docs/production.md.',
        });
      }
      for (const span of value.spans) batch.push(withId(span));
      if (batch.length >= spansAtOnce) await keep();
    }
    await keep();
    const now = new Date().toISOString();
    await matchFeedback(store, now);
    await trimTraces(store, now);
    return sum;
  });
}

/** Returns a span with an id: one that its file names, or else a hash of the span, so that it is stored once as well. */
function withId(span: Span): Span & { readonly spanId: string } {
  const { place: _place, ...content } = span;
  return { ...span, spanId: span.spanId ?? hashContent(content).slice(0, 16) };
}

function addReceipts(one: TraceReceipt, other: TraceReceipt): TraceReceipt {
  const rejected = { ...one.rejected };
  for (const [reason, count] of Object.entries(other.rejected))
    rejected[reason] = (rejected[reason] ?? 0) + count;
  return {
    added: one.added + other.added,
    known: one.known + other.known,
    traces: one.traces + other.traces,
    rejected,
  };
}

/** Lists the traces of a store, the newest first, as `touchstone traces list` does. */
export async function listTraces(choice: StoreChoice & TraceChoice = {}): Promise<TraceHead[]> {
  return await withStore(choice, async ({ documents }) => await list(documents, choice));
}

/** Counts the traces of a store. */
export async function countTraces(choice: StoreChoice = {}): Promise<number> {
  return await withStore(choice, async ({ documents }) => await documents.count(traceKind));
}

/**
 * Reads a trace with its feedback, its proposals, and how runs did on the cases made of it, as `touchstone traces show` does.
 * @param id - The id of a trace, or the beginning of it.
 * @throws TouchstoneError for an unknown trace, and for several that match.
 */
export async function readTrace(id: string, choice: StoreChoice = {}): Promise<DescribedTrace> {
  return await withStore(choice, async (store) => await describeTrace(store, id));
}

/** The traces to forget. */
export interface ForgetTracesOptions extends StoreChoice {
  /** The ids of traces. */
  readonly traces?: readonly string[];
  /** The ids of users, as their traces name them. */
  readonly users?: readonly string[];
}

/**
 * Erases traces with everything that was made of them in the store, as `touchstone traces forget` does: feedback loses its match,
 * and proposals are removed. Lines of golden sets are named, and not changed.
 */
export async function forgetTraces(options: ForgetTracesOptions): Promise<ForgottenTraces> {
  return await withWritableStore(options, async (store) => await forget(store, options));
}
