import { TouchstoneError } from '../errors.ts';

/** Makes the error for a run that is not there. */
export function runNotFound(runId: string): TouchstoneError {
  return new TouchstoneError('run-not-found', `There is no run ${runId}.`);
}

/** Makes the error for cases or trials that are added to a run which reads those of another. */
export function trialsAreShared(runId: string): TouchstoneError {
  return new TouchstoneError(
    'run-not-resumable',
    `Run ${runId} shares the trials of another run and gets none of its own.`,
    { remedy: 'Resume the run that its trials were made for, or start a new run.' },
  );
}

/** Makes the error for a store of which something is not as it was written. */
export function storeDamaged(address: string, what: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('store-damaged', `The store ${address} is damaged: ${what}.`, { cause });
}
