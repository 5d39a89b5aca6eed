import type { ScoredTrial } from '../../schema/result.ts';
import { pageSize, type Store } from '../../stores/store.ts';

/** Where scores come in no order, and none ends a page. */
const mostWaiting = 2 * pageSize;
/** What is scored more slowly than this is kept at once. */
const longestWaitMs = 200;

/** Keeps scores as they come, many at a time where they come fast. */
export interface ScoreKeeper {
  add(scored: readonly ScoredTrial[]): Promise<void>;
  /** Keeps what is left. */
  finish(): Promise<void>;
}

function isPageEnd(last: ScoredTrial | undefined): boolean {
  return last !== undefined && (last.trial.ordinal + 1) % pageSize === 0;
}

/** A keeper of the scores of a run. Those that a crash takes away cost nothing: their trials are kept, to be scored again. */
export function createScoreRecorder(runId: string, store: Pick<Store, 'addScores'>): ScoreKeeper {
  let waiting: ScoredTrial[] = [];
  let keptAt = -Infinity;

  const keep = async (): Promise<void> => {
    const kept = waiting;
    waiting = [];
    await store.addScores(runId, kept);
    keptAt = performance.now();
  };

  return {
    add: async (scored) => {
      waiting.push(...scored);
      const isTime = waiting.length >= mostWaiting || performance.now() - keptAt > longestWaitMs;
      if (isTime || isPageEnd(waiting.at(-1))) await keep();
    },
    finish: async () => {
      if (waiting.length > 0) await keep();
    },
  };
}
