import type { JudgementKeeper } from '../judges/judge.ts';
import { gatherTurn } from '../lib/gather-turn.ts';
import { randomId } from '../lib/random-id.ts';
import { wait } from '../lib/wait.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { Store } from '../stores/store.ts';
import { createQuestionTaker } from './take-question.ts';

/** How a run keeps its judgements. */
export interface KeeperOptions {
  readonly store: Store;
  /** Whether answers from earlier runs count. Those of this run always do: nothing is paid twice. */
  readonly reuses: boolean;
  /** Told of judgements once they are on disk. */
  readonly onKept?: ((judgements: readonly Judgement[]) => void) | undefined;
}

/** How long to wait before looking again whether another run has its answer, in milliseconds. */
const pauses = { first: 10, longest: 500 };

/** Where the judgements of a run go: into the store, those of one turn of the event loop in one write. */
export function createJudgementKeeper(
  runId: string,
  { store, reuses, onKept }: KeeperOptions,
): JudgementKeeper {
  const questions = createQuestionTaker(runId, store);
  const find = async (key: string) => await store.findJudgement(key, reuses ? undefined : runId);
  const keep = gatherTurn(async (judgements: readonly Judgement[]) => {
    await store.addJudgements(runId, judgements);
    onKept?.(judgements);
    return judgements;
  });

  async function askAlone<Asked>(key: string, ask: () => Promise<Asked>): Promise<Judgement | Asked> {
    try {
      // Whoever had it before may have its answer by now.
      return (await find(key)) ?? (await ask());
    } finally {
      await questions.giveBack(key);
    }
  }

  async function findOrAsk<Asked>(
    key: string,
    ask: () => Promise<Asked>,
    signal: AbortSignal,
  ): Promise<Judgement | Asked> {
    for (let pauseMs = pauses.first; ; pauseMs = Math.min(2 * pauseMs, pauses.longest)) {
      const kept = await find(key);
      if (kept !== undefined) return kept;
      // What is asked anew concerns no other run.
      if (!reuses) return await ask();
      if (await questions.take(key)) return await askAlone(key, ask);
      await wait(pauseMs, signal);
    }
  }

  return { findOrAsk, keep: async (draft) => await keep({ id: randomId(), ...draft, askedIn: runId }) };
}
