import { type RunList, runListSchema } from '../../../src/schema/api/run-row.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** The choice of runs that a list shows. */
export interface RunChoice {
  readonly dataset?: string | undefined;
  readonly target?: string | undefined;
  readonly branch?: string | undefined;
}

/** Asks for the newest runs of a choice, again every second while one is under way. */
export function useRuns(choice: RunChoice = {}) {
  return useAnswer(withParameters('/runs', { ...choice }), runListSchema, { refetchMs: refetchWhileActive });
}

function refetchWhileActive(list: RunList | undefined): number | false {
  return list?.runs.some(({ state }) => activeStates.has(state)) === true ? 1_000 : 10_000;
}

/** The states of runs that are still changing. */
export const activeStates: ReadonlySet<string> = new Set(['planning', 'running', 'importing']);
