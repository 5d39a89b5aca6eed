import { TouchstoneError } from '../../errors.ts';
import type { JudgeContext, JudgementCache } from '../../judges/judge.ts';
import { randomId } from '../../lib/random-id.ts';
import { gatherTurn, wait } from '../../lib/waiting.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Store } from '../../stores/store.ts';
import type { LoadNotice } from '../prepare/load.ts';

/** How a run keeps its judgements. */
export interface JudgementCacheOptions {
  readonly store: Store;
  /** Whether answers from earlier runs count. Those of this run always do: nothing is paid twice. */
  readonly reuses: boolean;
  /** Told of judgements once they are on disk. */
  readonly onKept?: ((judgements: readonly Judgement[]) => void) | undefined;
  /** Told once of each other run whose answers are waited for. */
  readonly onNotice?: ((notice: LoadNotice) => void) | undefined;
}

/** How long to wait before looking again whether another run has its answer, and until it is told of, in milliseconds. */
const pauses = { first: 10, longest: 500, told: 5000 };

/** Where the judgements of a run go: into the store, those of one turn of the event loop in one write. */
export function createJudgementCache(
  runId: string,
  { store, reuses, onKept, onNotice }: JudgementCacheOptions,
): JudgementCache {
  const questions = createQuestionLock(runId, store);
  const find = async (key: string) => await store.findJudgement(key, reuses ? undefined : runId);
  const keep = gatherTurn(async (judgements: readonly Judgement[]) => {
    await store.addJudgements(runId, judgements);
    onKept?.(judgements);
    return judgements;
  });

  const tell = onceEach((taker: string) =>
    onNotice?.({ message: `Run ${taker} is asking a judge the same: its answers are waited for.` }),
  );

  async function askAlone<Asked>(key: string, ask: () => Promise<Asked>): Promise<Judgement | Asked> {
    try {
      // The process that had it before may have its answer by now.
      return (await find(key)) ?? (await ask());
    } finally {
      await questions.release(key);
    }
  }

  async function findOrAsk<Asked>(
    key: string,
    ask: () => Promise<Asked>,
    { signal, stop }: Pick<JudgeContext, 'signal' | 'stop'>,
  ): Promise<Judgement | Asked> {
    let waitedMs = 0;
    for (let pauseMs = pauses.first; ; pauseMs = Math.min(2 * pauseMs, pauses.longest)) {
      const kept = await find(key);
      if (kept !== undefined) return kept;
      // What is asked anew concerns no other run.
      if (!reuses) return await ask();
      const taker = await questions.take(key);
      if (taker === runId) return await askAlone(key, ask);
      if (waitedMs >= pauses.told) tell(taker);
      await wait(pauseMs, stop === undefined ? signal : AbortSignal.any([signal, stop]));
      waitedMs += pauseMs;
    }
  }

  return { findOrAsk, keep: async (draft) => await keep({ id: randomId(), ...draft, askedIn: runId }) };
}

/** Does something once for each text. */
function onceEach(work: (text: string) => void): (text: string) => void {
  const done = new Set<string>();
  return (text) => {
    if (!done.has(text)) work(text);
    done.add(text);
  };
}

/** Questions that a run has for itself while it puts them to a judge. */
interface QuestionLock {
  /** The id of the run whose question it is to ask: of this one, or of another that is asking it. */
  take(key: string): Promise<string>;
  release(key: string): Promise<void>;
}

/** Takes questions for a run, those of one turn of the event loop in one write. */
function createQuestionLock(runId: string, store: Store): QuestionLock {
  return {
    take: gatherTurn(async (keys) => {
      const takers = await store.takeQuestions(runId, keys);
      for (const taker of new Set(takers)) if (taker !== runId) await releaseOfDeadRun(taker, store);
      return takers;
    }),
    release: gatherTurn(async (keys) => {
      await store.releaseQuestions(runId, keys);
      return keys.map(() => undefined);
    }),
  };
}

/** Releases what a run has claimed that is not worked on any more: its process died while it asked. */
async function releaseOfDeadRun(runId: string, store: Store): Promise<void> {
  try {
    await using _claim = await store.claimRun(runId);
    await store.releaseQuestions(runId);
  } catch (error) {
    // It lives, or it was deleted meanwhile with all that it had taken.
    const isOver = error instanceof TouchstoneError && endings.has(error.code);
    if (!isOver) throw error;
  }
}

const endings: ReadonlySet<string> = new Set(['run-in-progress', 'run-not-found']);
