import type { ScoredTrial } from '../../schema/result.ts';
import type { Store } from '../../stores/store.ts';

const mostWaiting = 200;
/** What is scored more slowly than this is kept at once. */
const longestWaitMs = 200;

/** Keeps scores as they come, many at a time where they come fast. */
export interface ScoreKeeper {
  add(scored: readonly ScoredTrial[]): Promise<void>;
  /** Keeps what is left. */
  finish(): Promise<void>;
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
      if (waiting.length >= mostWaiting || performance.now() - keptAt > longestWaitMs) await keep();
    },
    finish: async () => {
      if (waiting.length > 0) await keep();
    },
  };
}
