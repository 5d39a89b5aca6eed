import { randomBytes } from 'node:crypto';
import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { Feedback, FeedbackMatch } from '../../core/schema/feedback/feedback.ts';
import {
  type AnswerAtHand,
  type AnswerQuery,
  answerQueryOf,
  chooseAnswer,
  type TraceQuery,
  traceQueryOf,
  isSameFeedback,
  waitsUntil,
} from './choose-answer.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { FeedbackCounts, FeedbackStore, UserKey } from './feedback-store.ts';
import { type MemoryTexts, valuesOf } from '../texts/memory-texts.ts';

/** Creates a key for the hashes of users. */
export function createUserKey(): UserKey {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('hex') };
}

/** Returns the order of two records: by the time of the reaction, then by id. */
function compareFeedback(one: Feedback, other: Feedback): number {
  const [a, b] = [`${one.at} ${one.id}`, `${other.at} ${other.id}`];
  return a < b ? -1 : Number(a > b);
}

/**
 * Creates an empty collection of feedback in memory. `countWrites` returns a number that grows with every write.
 * @param findAnswers - Returns the answers of the store that meet a query, of the newest run first.
 * @param findTrace - Returns the id of the stored trace that a query is about.
 */
export function createMemoryFeedback(
  findAnswers: (query: AnswerQuery) => readonly AnswerAtHand[],
  findTrace: (query: TraceQuery) => string | undefined,
): {
  readonly feedback: FeedbackStore;
  readonly countWrites: () => number;
  /** The records whose texts may be erased. */
  readonly texts: Pick<MemoryTexts, 'feedback' | 'feedback-match'>;
} {
  const kept = new Map<string, Feedback>();
  const matches = new Map<string, FeedbackMatch>();
  const traces = new Map<string, string>();
  const waiting = new Set<string>();
  let key: UserKey | undefined;
  let writes = 0;
  const match = (each: Feedback): boolean => {
    const found = chooseAnswer(each, findAnswers(answerQueryOf(each.subject)));
    return found !== undefined && matches.set(each.id, found).size > 0;
  };
  /** Looks for the trace of a feedback. Returns whether it was found now. */
  const matchTrace = ({ id, subject }: Feedback): boolean => {
    const query = traceQueryOf(subject);
    const trace = query === undefined || traces.has(id) ? undefined : findTrace(query);
    if (trace !== undefined) traces.set(id, trace);
    return trace !== undefined;
  };
  const withTrace = (id: string) => (traces.has(id) ? { trace: traces.get(id) as string } : {});
  const isMatched = (id: string) => matches.has(id) || traces.has(id);
  const feedback: FeedbackStore = {
    add: async (records) => {
      writes += 1;
      let [added, known, matched] = [0, 0, 0];
      const conflicts: string[] = [];
      for (const record of copyJson(records)) {
        const same = kept.get(record.id);
        if (same !== undefined && isSameFeedback(same, record)) known += 1;
        else if (same !== undefined) conflicts.push(record.id);
        else {
          added += 1;
          kept.set(record.id, record);
          if (!match(record)) waiting.add(record.id);
          matchTrace(record);
          matched += Number(isMatched(record.id));
        }
      }
      return { added, known, conflicts, matched };
    },
    match: async (now) => {
      let found = 0;
      for (const id of waiting) {
        const record = kept.get(id) as Feedback;
        const isAnswered = match(record);
        found += Number(matchTrace(record) || isAnswered);
        if (isAnswered || waitsUntil(record) < now) waiting.delete(id);
      }
      writes += Number(found > 0);
      return found;
    },
    read: async function* () {
      for (const each of [...kept.values()].sort(compareFeedback))
        yield copyJson({ feedback: each, match: matches.get(each.id) ?? null, ...withTrace(each.id) });
    },
    readOfTrace: async (traceId) => {
      const ofTrace = [...kept.values()].filter(({ id }) => traces.get(id) === traceId);
      return copyJson(ofTrace.sort(compareFeedback));
    },
    count: async () => countOf(kept, waiting, isMatched),
    trim: async (before, most) => {
      const old = oldOf(kept, before).slice(0, most);
      for (const each of [kept, matches, traces, waiting]) for (const id of old) each.delete(id);
      writes += old.length;
      return old.length;
    },
    readUserKey: async () => (key ??= createUserKey()),
    eraseUserKey: async () => {
      writes += 1;
      key = undefined;
    },
  };
  const texts = { feedback: () => valuesOf(kept), 'feedback-match': () => valuesOf(matches) };
  return { feedback, countWrites: () => writes, texts };
}

function oldOf(kept: ReadonlyMap<string, Feedback>, before: string): string[] {
  return [...kept.values()].filter(({ receivedAt }) => receivedAt < before).map(({ id }) => id);
}

function countOf(
  kept: ReadonlyMap<string, Feedback>,
  waiting: ReadonlySet<string>,
  isMatched: (id: string) => boolean,
): FeedbackCounts {
  const matched = [...kept.keys()].filter(isMatched).length;
  const waits = [...waiting].filter((id) => !isMatched(id)).length;
  return { all: kept.size, matched, waiting: waits, unmatched: kept.size - matched - waits };
}

/** A run in memory with its results. */
interface RunInMemory {
  readonly run: Pick<Run, 'id' | 'createdAt'>;
  readonly results: () => Iterable<Result>;
}

/** Returns the answers that meet a query, of the newest run first. */
export function findAnswersIn(runs: readonly RunInMemory[], query: AnswerQuery): AnswerAtHand[] {
  const newest = runs.toSorted(({ run: a }, { run: b }) =>
    `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1,
  );
  const found: AnswerAtHand[] = [];
  for (const { run, results } of newest) {
    if (query.run !== undefined && run.id !== query.run) continue;
    for (const result of results()) if (isAnswerOf(result, query)) found.push(answerAtHand(run, result));
  }
  return found;
}

function isAnswerOf({ trial }: Result, { trialKey, caseId, target, attempt }: AnswerQuery): boolean {
  return (
    (trialKey === undefined || trial.key === trialKey) &&
    (caseId === undefined || trial.caseId === caseId) &&
    (target === undefined || trial.target === target) &&
    (attempt === undefined || trial.attempt === attempt)
  );
}

function answerAtHand(
  { id, createdAt }: RunInMemory['run'],
  { case: { category }, trial }: Result,
): AnswerAtHand {
  return {
    run: id,
    runCreatedAt: createdAt,
    ordinal: trial.ordinal,
    trialKey: trial.key,
    caseId: trial.caseId,
    category: category ?? null,
    target: trial.target,
    answeredAt: trial.startedAt,
  };
}
