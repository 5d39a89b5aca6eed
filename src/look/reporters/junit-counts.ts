import type { TrialOutcome } from '../../core/schema/result.ts';

/** The four outcomes of a test case in JUnit. */
export type TestOutcome = 'passed' | 'failure' | 'error' | 'skipped';

const outcomes = {
  passed: 'passed',
  failed: 'failure',
  error: 'error',
  'not-measured': 'error',
  unscored: 'skipped',
} as const satisfies Record<TrialOutcome, TestOutcome>;

/**
 * Returns the JUnit outcome of a test case. A case that should have been measured but was not is an error: never a pass,
 * and never skipped, since builds treat skipped as passed. Skipped are only cases that decide nothing: answers in a run
 * without a scorecard, and cases that did not pass and are exempt from the gate.
 */
export function testOutcome(mark: TrialOutcome, exemption: string | undefined): TestOutcome {
  return exemption === undefined || mark === 'passed' ? outcomes[mark] : 'skipped';
}

/** The counts of a suite, or of all suites. */
export interface TestCounts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  /** The sum of the known times in whole milliseconds; null when none is known. */
  timeMs: number | null;
}

/** Returns the counts of an empty suite. */
export function noTests(): TestCounts {
  return { tests: 0, failures: 0, errors: 0, skipped: 0, timeMs: null };
}

/** Adds one test case to the counts. */
export function addTest(counts: TestCounts, outcome: TestOutcome, timeMs: number | null): void {
  counts.tests += 1;
  if (outcome === 'failure') counts.failures += 1;
  if (outcome === 'error') counts.errors += 1;
  if (outcome === 'skipped') counts.skipped += 1;
  if (timeMs !== null) counts.timeMs = (counts.timeMs ?? 0) + timeMs;
}

/** Returns the sum of the counts of several suites. */
export function sumCounts(all: readonly TestCounts[]): TestCounts {
  const sum = noTests();
  for (const { tests, failures, errors, skipped, timeMs } of all) {
    sum.tests += tests;
    sum.failures += failures;
    sum.errors += errors;
    sum.skipped += skipped;
    if (timeMs !== null) sum.timeMs = (sum.timeMs ?? 0) + timeMs;
  }
  return sum;
}

/** Formats milliseconds as JUnit's seconds; undefined when unknown. */
export function toSeconds(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : (timeMs / 1000).toFixed(3);
}

/** Returns the total time of the attempts at a case in whole milliseconds; null unless the time of each is known. */
export function sumTimes(attempts: readonly { readonly totalMs?: number }[]): number | null {
  let sum = 0;
  for (const { totalMs } of attempts) {
    if (totalMs === undefined) return null;
    sum += totalMs;
  }
  return Math.round(sum);
}

/** Groups adjacent rows of the same case and target. In the order of a plan, all rows of a case and target are adjacent. */
export async function* groupByCase<Row extends { readonly caseId: string; readonly target: string }>(
  rows: AsyncIterable<Row>,
): AsyncGenerator<[Row, ...Row[]]> {
  let group: [Row, ...Row[]] | undefined;
  for await (const row of rows) {
    if (group?.[0].caseId === row.caseId && group[0].target === row.target) {
      group.push(row);
      continue;
    }
    if (group !== undefined) yield group;
    group = [row];
  }
  if (group !== undefined) yield group;
}
