import type { RunHead } from '../../../core/schema/api/run-head.ts';
import type { RunProgress, RunRow, RunState } from '../../../core/schema/api/run-row.ts';
import type { Run } from '../../../core/schema/run.ts';

/** The state of a run, in a word or two. */
export const stateWords: Readonly<Record<RunState, string>> = {
  planning: 'planning',
  running: 'running',
  completed: 'completed',
  interrupted: 'interrupted',
  'never-started': 'never started',
  importing: 'importing',
  'not-imported': 'not imported',
};

/**
 * Returns the state of a run from its record and its process.
 * @param isEnded - True when the process of the run has died.
 */
export function runState(
  { status, isImporting }: Pick<Run, 'status' | 'isImporting'>,
  isEnded: boolean,
): RunState {
  if (isImporting === true) return isEnded ? 'not-imported' : 'importing';
  if (!isEnded) return status;
  return status === 'planning' ? 'never-started' : 'interrupted';
}

/** Returns the row of a run in the list of runs. */
export function makeRunRow(head: RunHead, state: RunState, progress?: RunProgress): RunRow {
  return { ...head, state, ...(progress !== undefined && { progress }) };
}
