import { TouchstoneError } from '../../errors.ts';
import { gatherTurn } from '../../lib/gather-turn.ts';
import type { Store } from '../../stores/store.ts';

/** Questions that a run has for itself while it puts them to a judge. */
export interface QuestionTaker {
  /** The id of the run whose question it is to ask: of this one, or of another that is asking it. */
  take(key: string): Promise<string>;
  giveBack(key: string): Promise<void>;
}

/** Takes questions for a run, those of one turn of the event loop in one write. */
export function createQuestionTaker(runId: string, store: Store): QuestionTaker {
  return {
    take: gatherTurn(async (keys) => {
      const takers = await store.takeQuestions(runId, keys);
      for (const taker of new Set(takers)) if (taker !== runId) await freeOfDead(taker, store);
      return takers;
    }),
    giveBack: gatherTurn(async (keys) => {
      await store.giveBackQuestions(runId, keys);
      return keys.map(() => undefined);
    }),
  };
}

/** Releases what a run has claimed that is not worked on any more: its process died while it asked. */
async function freeOfDead(runId: string, store: Store): Promise<void> {
  try {
    using claims = new DisposableStack();
    claims.defer(await store.claimRun(runId));
    await store.giveBackQuestions(runId);
  } catch (error) {
    // It lives, or it was deleted meanwhile with all that it had taken.
    const isOver = error instanceof TouchstoneError && endings.has(error.code);
    if (!isOver) throw error;
  }
}

const endings: ReadonlySet<string> = new Set(['run-in-progress', 'run-not-found']);
