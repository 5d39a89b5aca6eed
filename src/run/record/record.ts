import type { CasedTrial } from '../../schema/scored-trial.ts';
import type { Store } from '../../stores/store.ts';

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
