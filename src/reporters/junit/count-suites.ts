import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { exemptionOf } from '../../report/exemption.ts';
import { mergeMarks } from '../../report/rows/merge-marks.ts';
import { plainTargets } from '../../report/rows/plain-targets.ts';
import { markOf } from '../../schema/mark.ts';
import type { ReportInput } from '../reporter.ts';
import { groupByCase } from './group-by-case.ts';
import { addTest, noTests, sumTimes, type TestCounts, testOutcome } from './test-counts.ts';

/** One target's test cases in numbers, which stand before them in the file. */
export interface Suite {
  readonly target: string;
  readonly counts: TestCounts;
  /** Questions of the plan of which nothing is kept, as when a run was stopped. */
  readonly missing: number;
}

/** Counts the test cases of every target that is not under a condition. */
export async function countSuites(input: ReportInput): Promise<Suite[]> {
  const { run, narrowing } = input;
  const counts = new Map(plainTargets(run).map((target) => [target, noTests()]));
  for await (const attempts of groupByCase(toRows(run, input.results()))) {
    const own = counts.get(attempts[0].target);
    if (own === undefined) continue;
    const marks = attempts.map(({ mark }) => mark);
    const mark = mergeMarks(marks, plannedAttempts(input, marks), ruleOfCases(input));
    addTest(own, testOutcome(mark, attempts[0].exemption), sumTimes(attempts));
  }
  return Array.from(counts, ([target, own]) => {
    const missing = narrowing === undefined ? Math.max(0, run.dataset.cases - own.tests) : 0;
    if (missing > 0) addTest(own, isRestNeeded(input) ? 'error' : 'skipped', null);
    return { target, counts: own, missing };
  });
}

/** Whether what was not asked is missing; it is not where the gate was decided without it. */
export function isRestNeeded({ summary }: ReportInput): boolean {
  return summary.decision.sequential?.isDecided !== true;
}

/** How many attempts at a case a report tells of: all that were planned, or of a part of a run those in the part. */
export function plannedAttempts({ run, narrowing }: ReportInput, attempts: readonly unknown[]): number {
  return narrowing === undefined ? run.attempts : attempts.length;
}

/** The rule that cases pass by; undefined for a part of a run, in which attempts are missing. */
export function ruleOfCases({ run, narrowing }: ReportInput): Run['caseRule'] {
  return narrowing === undefined ? run.caseRule : undefined;
}

async function* toRows(run: Run, results: AsyncIterable<Result>) {
  for await (const result of results) {
    const { caseId, target, latency } = result.trial;
    const exemption = exemptionOf(run, result.case);
    yield { caseId, target, exemption, mark: markOf(run, result), totalMs: latency?.totalMs };
  }
}
