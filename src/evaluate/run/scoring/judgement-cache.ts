import { TouchstoneError } from '../../../core/errors.ts';
import type { BatchedQuestions, JudgeContext, JudgementCache } from '../../judges/judge.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import { batchPerTurn, wait } from '../../../core/lib/waiting.ts';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { QuestionHolder, Store } from '../../../stores/store.ts';
import type { LoadNotice } from '../prepare/load.ts';

/** Options of a run's judgement cache. */
export interface JudgementCacheOptions {
  readonly store: Store;
  /**
   * True when answers of earlier runs count. The answers of this run always count, so that nothing is paid for twice.
   */
  readonly reuses: boolean;
  /** The part of the run that this caller has claimed, when others work on other parts; empty for the whole run. */
  readonly part?: string;
  /** Called with judgements once they are on disk. */
  readonly onKept?: (judgements: readonly Judgement[]) => void;
  /** Called once for each other run whose answers are awaited. */
  readonly onNotice?: (notice: LoadNotice) => void;
  /** The questions that are answered in batches. */
  readonly batched?: BatchedQuestions;
}

/**
 * The pauses between two looks for another run's answer, and the wait after which a notice is given, in milliseconds.
 */
const pauses = { first: 10, longest: 500, notice: 5000 };

/** Creates the judgement cache of a run. Judgements of one turn of the event loop are stored in one write. */
export function createJudgementCache(
  runId: string,
  { store, reuses, part = '', onKept, onNotice, batched }: JudgementCacheOptions,
): JudgementCache {
  const questions = createQuestionLock({ runId, part }, store);
  const find = async (key: string) => await store.findJudgement(key, reuses ? undefined : runId);
  const keep = batchPerTurn(async (judgements: readonly Judgement[]) => {
    await store.addJudgements(runId, judgements);
    onKept?.(judgements);
    return judgements;
  });

  const announceWait = onceEach((holder: string) =>
    onNotice?.({ message: `Run ${holder} is asking a judge the same questions. Waiting for its answers.` }),
  );

  async function askAlone<Answer>(key: string, ask: () => Promise<Answer>): Promise<Judgement | Answer> {
    try {
      // The run that had the lock before may have the answer by now.
      return (await find(key)) ?? (await ask());
    } finally {
      await questions.release(key);
    }
  }

  async function findOrAsk<Answer>(
    key: string,
    ask: () => Promise<Answer>,
    { signal, stop }: Pick<JudgeContext, 'signal' | 'stop'>,
  ): Promise<Judgement | Answer> {
    let waitedMs = 0;
    for (let pauseMs = pauses.first; ; pauseMs = Math.min(2 * pauseMs, pauses.longest)) {
      const kept = await find(key);
      if (kept !== undefined) return kept;
      // A run that does not reuse judgements need not wait for other runs.
      if (!reuses && part === '') return await ask();
      const holder = await questions.lock(key);
      if (holder.runId === runId && holder.part === part) return await askAlone(key, ask);
      if (!reuses && holder.runId !== runId) return await ask();
      if (waitedMs >= pauses.notice && holder.runId !== runId) announceWait(holder.runId);
      await wait(pauseMs, stop === undefined ? signal : AbortSignal.any([signal, stop]));
      waitedMs += pauseMs;
    }
  }

  return {
    findOrAsk,
    keep: async (draft) => await keep({ id: randomId(), ...draft, askedIn: runId }),
    ...(batched && { batched }),
  };
}

/** Wraps a function so that it runs once for each text. */
function onceEach(work: (text: string) => void): (text: string) => void {
  const done = new Set<string>();
  return (text) => {
    if (!done.has(text)) work(text);
    done.add(text);
  };
}

/** The lock that a run takes on a question while a judge answers it. */
interface QuestionLock {
  /** Tries to lock a question. Resolves to the holder of the lock: this run and part, or others that are asking now. */
  lock(key: string): Promise<QuestionHolder>;
  release(key: string): Promise<void>;
}

/** Creates the question lock of a run. The questions of one turn of the event loop are locked in one write. */
function createQuestionLock({ runId, part }: QuestionHolder, store: Store): QuestionLock {
  const isMine = (holder: QuestionHolder) => holder.runId === runId && holder.part === part;
  return {
    lock: batchPerTurn(async (keys) => {
      const holders = await store.takeQuestions(runId, keys, part);
      const others = holders.filter((holder) => !isMine(holder));
      const each = new Map(others.map((holder) => [JSON.stringify(holder), holder]));
      for (const holder of each.values()) await releaseLocksOfDead(holder, store);
      return holders;
    }),
    release: batchPerTurn(async (keys) => {
      await store.releaseQuestions(runId, keys, part);
      return keys.map(() => undefined);
    }),
  };
}

/** Releases the questions of a run, or of a part of it, whose process died while it asked. */
async function releaseLocksOfDead({ runId, part }: QuestionHolder, store: Store): Promise<void> {
  try {
    await using _claim = await store.claimRun(runId, part);
    await store.releaseQuestions(runId, undefined, part);
  } catch (error) {
    // The run is alive, or it was deleted meanwhile together with its locks.
    if (!(error instanceof TouchstoneError && expectedCodes.has(error.code))) throw error;
  }
}

const expectedCodes: ReadonlySet<string> = new Set(['run-in-progress', 'run-not-found']);
