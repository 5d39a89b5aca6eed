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
  'sent-in-part': 'incomplete: sent in part',
};

/** The states of runs that are not whole, so that they have no totals. */
export const incompleteStates: ReadonlySet<RunState> = new Set([
  'planning',
  'running',
  'importing',
  'sent-in-part',
]);

/**
 * Returns the state of a run from its record and its process.
 * @param isEnded - True when the process of the run has died.
 */
export function runState(
  { status, isImporting, isSent }: Pick<Run, 'status' | 'isImporting' | 'isSent'>,
  isEnded: boolean,
): RunState {
  if (isSent === true) return 'sent-in-part';
  if (isImporting === true) return isEnded ? 'not-imported' : 'importing';
  if (!isEnded) return status;
  return status === 'planning' ? 'never-started' : 'interrupted';
}

/** Returns the row of a run in the list of runs. */
export function makeRunRow(head: RunHead, state: RunState, progress?: RunProgress): RunRow {
  return { ...head, state, ...(progress !== undefined && { progress }) };
}
