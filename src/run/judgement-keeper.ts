import type { JudgementKeeper } from '../judges/judge.ts';
import { randomId } from '../lib/random-id.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { Store } from '../stores/store.ts';

/** How a run keeps its judgements. */
export interface KeeperOptions {
  readonly store: Store;
  /** Whether answers from earlier runs count. Those of this run always do: nothing is paid twice. */
  readonly reuses: boolean;
  /** Told of judgements once they are on disk. */
  readonly onKept?: ((judgements: readonly Judgement[]) => void) | undefined;
}

/** Where the judgements of a run go: into the store, those of one turn of the event loop in one write. */
export function createJudgementKeeper(
  runId: string,
  { store, reuses, onKept }: KeeperOptions,
): JudgementKeeper {
  let waiting: Judgement[] = [];
  let flushed: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    const judgements = waiting;
    waiting = [];
    flushed = undefined;
    await store.addJudgements(runId, judgements);
    onKept?.(judgements);
  };

  return {
    find: async (key) => await store.findJudgement(key, reuses ? undefined : runId),
    keep: async (draft) => {
      const judgement: Judgement = { id: randomId(), ...draft, askedIn: runId };
      waiting.push(judgement);
      flushed ??= flush();
      await flushed;
      return judgement;
    },
  };
}
