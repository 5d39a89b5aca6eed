import { plainTargets } from '../plain-targets.ts';
import { markOf } from '../question-row.ts';
import type { ReportInput } from '../reporter.ts';

/** The questions that did not pass, over all targets that are not under a condition. */
export interface Unresolved {
  /** Places in the plan of the first trial that did not pass, of the first such questions. */
  readonly ordinals: readonly number[];
  /** All such questions, a question counting once for each target. */
  readonly count: number;
}

/** Finds the questions that did not pass by the numbers alone; keeps at most so many of them. */
export async function findUnresolved(input: ReportInput, most: number): Promise<Unresolved> {
  const targets = new Set(plainTargets(input.run));
  const ordinals: number[] = [];
  let count = 0;
  let last = '';
  for await (const outcome of input.outcomes()) {
    const { caseId, target, ordinal } = outcome.trial;
    const mark = markOf(input.run, outcome);
    if (mark === 'passed' || mark === 'unscored' || !targets.has(target)) continue;
    // Attempts of a target at a question stand next to each other in the plan.
    const question = JSON.stringify([caseId, target]);
    if (question === last) continue;
    last = question;
    count += 1;
    if (ordinals.length < most) ordinals.push(ordinal);
  }
  return { ordinals, count };
}
