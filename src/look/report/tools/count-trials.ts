import type { TrialCount } from '../../../core/schema/api/tools-view.ts';

/** The most cases that are listed for a count: enough to open, few enough for an address. */
const mostCases = 20;

/** Creates a count of trials. */
export function noTrials(): TrialCount {
  return { trials: 0, caseIds: [] };
}

/** Counts a trial of a case. */
export function countTrial(count: TrialCount, caseId: string): void {
  count.trials += 1;
  if (count.caseIds.length < mostCases && !count.caseIds.includes(caseId)) count.caseIds.push(caseId);
}

/** Returns whether a count lists all of its cases. */
export function listsAll({ caseIds }: TrialCount): boolean {
  return caseIds.length < mostCases;
}
