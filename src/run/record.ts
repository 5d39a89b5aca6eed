import type { Executor } from '../executors/executor.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import type { Store } from '../stores/store.ts';
import { createBacklog } from './backlog.ts';

/** Most trials that are recorded and not yet scored before no more are made. */
const unscoredLimit = 200;

/**
 * Keeps trials before anyone sees them: a trial that comes out of here is on disk. Recording waits for nothing that
 * comes after it: a slow judge can hold up the next calls, and never leaves an answer that was paid for unrecorded.
 * @param makeTrials - Starts the calls, on an executor that makes no more of them than scoring can keep up with.
 */
export async function* record(
  runId: string,
  makeTrials: (executor: Executor) => AsyncIterable<CasedTrial[]>,
  { store, executor }: { store: Store; executor: Executor },
): AsyncGenerator<CasedTrial[]> {
  const backlog = createBacklog<CasedTrial>(unscoredLimit);
  const paced: Executor = {
    execute: (items, work, limits) => executor.execute(backlog.pace(items, limits.stop), work, limits),
  };
  let isLeft = false;
  const keepAll = async () => {
    for await (const batch of makeTrials(paced)) {
      await store.addTrials(runId, batch);
      backlog.put(batch);
      if (isLeft) return;
    }
  };
  const recording = keepAll().then(
    () => backlog.end(),
    (error: unknown) => backlog.end({ error }),
  );
  try {
    yield* backlog.take();
  } finally {
    isLeft = true;
    await recording;
  }
}
