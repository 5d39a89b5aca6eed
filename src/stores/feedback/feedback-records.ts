import type { Feedback, FeedbackMatch } from '../../core/schema/feedback/feedback.ts';
import type { DocumentChange, DocumentReader, DocumentStore } from '../documents/document-store.ts';
import { feedbackKind, type KeptFeedback } from '../kinds/feedback.ts';
import { traceKind } from '../kinds/trace.ts';
import type { Store } from '../store.ts';
import {
  answerQueryOf,
  chooseAnswer,
  chooseTurn,
  isSameFeedback,
  traceQueryOf,
  waitsUntil,
} from './choose-answer.ts';

/** The fate of feedback that was handed to a store. */
export interface AddedFeedback {
  readonly added: number;
  /** The number of records that were stored before with the same content. */
  readonly known: number;
  /** The ids of records that were refused, since the store has them with another content. */
  readonly conflicts: readonly string[];
  /** The number of added records whose answer or whose trace is in the store. */
  readonly matched: number;
}

/** The numbers of feedback in a store. */
export interface FeedbackCounts {
  readonly all: number;
  readonly matched: number;
  /** Without an answer or a trace so far, and matched again. */
  readonly waiting: number;
  /** Without an answer or a trace: none came in time. */
  readonly unmatched: number;
}

/** The number of waiting records that are matched at a time. */
const batchSize = 500;

/** The parts of a store that feedback needs: the answers of runs are found in its runs. */
export type FeedbackHome = Pick<Store, 'documents' | 'findAnswers'>;

/** A change of feedback looks for traces, too, which must not be removed in the meantime. */
const changing = [feedbackKind, traceKind];

/**
 * Stores feedback, each record for itself, and looks for its answers and traces. The id decides: a record that is stored already with
 * the same content is skipped, one with another content is refused.
 */
export async function addFeedback(store: FeedbackHome, records: readonly Feedback[]): Promise<AddedFeedback> {
  const answers = new Map<Feedback, FeedbackMatch | undefined>();
  for (const record of records) answers.set(record, await findMatch(store, record));
  return await store.documents.change(changing, async (change) => {
    const given: KeptFeedback[] = [];
    for (const feedback of records) {
      const match = answers.get(feedback) ?? null;
      const until = match === null ? waitsUntil(feedback) : undefined;
      given.push({ feedback, match, trace: await findTrace(change, feedback), waitsUntil: until });
    }
    const stored = new Set(await change.add(feedbackKind, given));
    const conflicts: string[] = [];
    for (const { feedback } of stored) {
      const kept = await change.get(feedbackKind, [feedback.id]);
      if (kept !== undefined && !isSameFeedback(kept.feedback, feedback)) conflicts.push(feedback.id);
    }
    const fresh = given.filter((each) => !stored.has(each));
    const matched = fresh.filter(isMatched).length;
    return { added: fresh.length, known: stored.size - conflicts.length, conflicts, matched };
  });
}

/**
 * Looks again for the answers and traces of waiting feedback, which may have come in since. Feedback waits for an answer for seven
 * days after it was received. Returns the number of newly matched records.
 * @param now - ISO 8601.
 */
export async function matchFeedback(store: FeedbackHome, now: string): Promise<number> {
  let [matched, batch]: [number, KeptFeedback[]] = [0, []];
  for await (const kept of store.documents.list(feedbackKind, { where: { waiting: 1 } })) {
    if (batch.push(kept) < batchSize) continue;
    matched += await matchAgain(store, batch, now);
    batch = [];
  }
  return batch.length === 0 ? matched : matched + (await matchAgain(store, batch, now));
}

async function matchAgain(store: FeedbackHome, batch: readonly KeptFeedback[], now: string): Promise<number> {
  const found = new Map<string, FeedbackMatch | undefined>();
  for (const { feedback, trace, waitsUntil: until = '' } of batch) {
    const match = await findMatch(store, feedback);
    const isTraced = trace === undefined && (await findTrace(store.documents, feedback)) !== undefined;
    if (match !== undefined || isTraced || until < now) found.set(feedback.id, match);
  }
  if (found.size === 0) return 0;
  return await store.documents.change(changing, async (change) => {
    let matched = 0;
    const changed: KeptFeedback[] = [];
    for (const [id, match = null] of found) {
      const kept = await change.get(feedbackKind, [id]);
      // Another process may have matched or removed it since.
      if (kept?.waitsUntil === undefined) continue;
      const trace = kept.trace ?? (await findTrace(change, kept.feedback));
      matched += Number(match !== null || trace !== kept.trace);
      const isOver = match !== null || kept.waitsUntil < now;
      changed.push({ ...kept, match, trace, waitsUntil: isOver ? undefined : kept.waitsUntil });
    }
    await change.put(feedbackKind, changed);
    return matched;
  });
}

function isMatched({ match, trace }: KeptFeedback): boolean {
  return match !== null || trace !== undefined;
}

async function findMatch(
  { findAnswers }: Pick<Store, 'findAnswers'>,
  feedback: Feedback,
): Promise<FeedbackMatch | undefined> {
  return chooseAnswer(feedback, await findAnswers(answerQueryOf(feedback.subject)));
}

async function findTrace(
  documents: DocumentReader,
  { subject }: Pick<Feedback, 'subject'>,
): Promise<string | undefined> {
  const query = traceQueryOf(subject);
  if (query === undefined) return undefined;
  if ('traceId' in query)
    return (await documents.heads(traceKind, ['id'], { where: { id: query.traceId } }))[0]?.id;
  const where = { conversation: query.conversation };
  const traces = await documents.heads(traceKind, ['id', 'started_at'], { where });
  const keys = traces.map(({ id, started_at: at }) => [at ?? '', id] as const);
  const sorted = keys.toSorted(([at, id], [otherAt, otherId]) =>
    at === otherAt ? Number(id > otherId) || -1 : Number(at > otherAt) || -1,
  );
  return chooseTurn(
    sorted.map(([, id]) => id),
    query.turn,
  );
}

/** Takes away, before traces are removed, that feedback is about them. `change` names {@link feedbackKind}. */
export async function forgetTracesOf(change: DocumentChange, traceId: string): Promise<void> {
  for (const { id } of await change.heads(feedbackKind, ['id'], { where: { trace: traceId } })) {
    const kept = await change.get(feedbackKind, [id]);
    if (kept !== undefined) await change.put(feedbackKind, [{ ...kept, trace: undefined }]);
  }
}

/**
 * Yields feedback by the time of the reaction, then by id.
 * @param onLost - Called with a description of each damaged record, which is skipped in place of the error.
 */
export async function* readAllFeedback(
  documents: DocumentStore,
  onLost?: (what: string) => void,
): AsyncGenerator<KeptFeedback> {
  for await (const { feedback, match, trace } of documents.list(feedbackKind, {}, onLost))
    yield { feedback, match, trace };
}

/** Reads the feedback about a stored trace, in the order in which it was given. */
export async function readFeedbackOf(documents: DocumentStore, trace: string): Promise<Feedback[]> {
  const kept = await Array.fromAsync(documents.list(feedbackKind, { where: { trace } }));
  return kept.map(({ feedback }) => feedback);
}

/** Counts feedback by its state. It reads none. */
export async function countFeedback(documents: DocumentStore): Promise<FeedbackCounts> {
  const [all, matched, waiting] = await Promise.all([
    documents.count(feedbackKind),
    documents.count(feedbackKind, { where: { state: 'matched' } }),
    documents.count(feedbackKind, { where: { state: 'waiting' } }),
  ]);
  return { all, matched, waiting, unmatched: all - matched - waiting };
}
