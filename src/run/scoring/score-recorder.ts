import type { ScoredTrial } from '../../schema/result.ts';
import { pageSize, type Store } from '../../stores/store.ts';

/** The number of scores that are stored at the latest when none of them ends a page. */
const mostWaiting = 2 * pageSize;
/** Scores that come more slowly than this are stored at once. */
const longestWaitMs = 200;

/** Stores scores as they come, in batches when they come fast. */
export interface ScoreRecorder {
  add(scored: readonly ScoredTrial[]): Promise<void>;
  /** Stores the scores that are still waiting. */
  finish(): Promise<void>;
}

function isPageEnd(last: ScoredTrial | undefined): boolean {
  return last !== undefined && (last.trial.ordinal + 1) % pageSize === 0;
}

/**
 * Creates the score recorder of a run. Scores that a crash loses cost nothing, since their trials are stored and can be
 * scored again.
 */
export function createScoreRecorder(runId: string, store: Pick<Store, 'addScores'>): ScoreRecorder {
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
