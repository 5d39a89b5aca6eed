import { TouchstoneError } from '../core/errors.ts';

/** Returns the `run-not-found` error for an unknown run. */
export function runNotFound(runId: string): TouchstoneError {
  return new TouchstoneError('run-not-found', `There is no run ${runId}.`);
}

/** Returns the `run-not-resumable` error for adding cases or trials to a run that shares the cases and trials of another run. */
export function trialsAreShared(runId: string): TouchstoneError {
  return new TouchstoneError(
    'run-not-resumable',
    `Run ${runId} shares the attempts of another run: none can be added to it.`,
    { remedy: 'Resume the run that its attempts were made for, or start a new run.' },
  );
}

/** Returns the `store-damaged` error for a store with missing or changed data. */
export function storeDamaged(address: string, what: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('store-damaged', `The store ${address} is damaged: ${what}.`, { cause });
}
