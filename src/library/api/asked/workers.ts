import type { SharedRecord, SharedRecords } from '../../../stores/shared/shared-records.ts';

/** The milliseconds between two signs of life of a worker that waits. */
export const signEveryMs = 5000;
/** The milliseconds after which a worker without a sign of life counts as dead. */
const longestSilenceMs = 20_000;

const prefix = 'waiting-workers/';

/** The sign of life of a worker that waits. */
interface Sign {
  /** Milliseconds since 1970, on the clock of the store. */
  readonly at: number;
}

/** Records that a worker waits for runs that people and agents ask for, and is alive. */
export async function noteWorker(shared: SharedRecords, worker: string): Promise<void> {
  await shared.change<Sign, void>(prefix + worker, (_, at) => ({ value: { at }, result: undefined }));
}

/** Removes the sign of life of a worker that ends. */
export async function forgetWorker(shared: SharedRecords, worker: string): Promise<void> {
  await shared.remove(prefix + worker);
}

/** Returns the function that says which workers are alive at a time on the clock of the store. */
export async function readWorkers(shared: SharedRecords): Promise<(now: number) => readonly string[]> {
  const signs: readonly SharedRecord<Sign>[] = await shared.list<Sign>(prefix);
  return (now) =>
    signs
      .filter(({ value }) => now - value.at < longestSilenceMs)
      .map(({ name }) => name.slice(prefix.length));
}
