import type { ScoredTrial } from '../../schema/result.ts';
import type { Store } from '../../stores/store.ts';

/** The number of scores that are stored at the latest. */
const mostWaiting = 200;
/** Scores that come more slowly than this are stored at once. */
const longestWaitMs = 200;

/** Stores scores as they come, in batches when they come fast. */
export interface ScoreRecorder {
  add(scored: readonly ScoredTrial[]): Promise<void>;
  /** Stores the scores that are still waiting. */
  finish(): Promise<void>;
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
      if (waiting.length >= mostWaiting || performance.now() - keptAt > longestWaitMs) await keep();
    },
    finish: async () => {
      if (waiting.length > 0) await keep();
    },
  };
}
