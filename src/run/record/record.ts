import { sumRewritings } from '../../schema/trial.ts';
import type { CasedTrial } from '../../schema/result.ts';
import { sumKnown, sumUsage } from '../../schema/usage.ts';
import type { Store } from '../../stores/store.ts';
import type { PartialReply } from '../../targets/target.ts';

/** Keeps a trial: resolves with it once it is on disk. */
export type Recorder = (trial: CasedTrial) => Promise<CasedTrial>;

/**
 * Keeps the trials of a run as soon as they are made; those that come in one turn of the event loop go into one write.
 * Who made a trial waits until it is kept before making the next: so after a crash, what is asked again is only what
 * was being asked.
 */
export function createRecorder(runId: string, store: Pick<Store, 'addTrials'>): Recorder {
  let waiting: CasedTrial[] = [];
  let flushed: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    const trials = waiting;
    waiting = [];
    flushed = undefined;
    await store.addTrials(runId, trials);
  };

  return async (trial) => {
    waiting.push(trial);
    flushed ??= flush();
    await flushed;
    return trial;
  };
}

/**
 * What a call came to, with what the calls before it had come to when they failed: that was paid for, too. A call that failed
 * and did not say what it took is not known to have taken anything.
 */
export function addTaken<Last extends PartialReply>(
  { usage: lastUsage, cost: lastCost, ...last }: Last,
  earlier: readonly PartialReply[],
) {
  const usage = sumUsage([...earlier.flatMap((part) => part.usage ?? []), lastUsage]);
  const cost = sumKnown([...earlier.flatMap((part) => part.cost ?? []), lastCost]);
  const rewriting = sumRewritings([...earlier, last].map((part) => part.rewriting));
  return {
    ...last,
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
    ...(rewriting !== undefined && { rewriting }),
  };
}
