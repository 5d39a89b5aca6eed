import { TouchstoneError } from '../errors.ts';

/** The refusal of cases or trials for a run that reads those of another. */
export function trialsAreShared(runId: string): TouchstoneError {
  return new TouchstoneError(
    'run-not-resumable',
    `Run ${runId} shares the trials of another run and gets none of its own.`,
    { remedy: 'Resume the run that its trials were made for, or start a new run.' },
  );
}
