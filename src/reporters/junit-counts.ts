import type { Mark } from '../schema/mark.ts';

/** How a test case is told in JUnit's four words. */
export type TestOutcome = 'passed' | 'failure' | 'error' | 'skipped';

const outcomes = {
  passed: 'passed',
  failed: 'failure',
  error: 'error',
  'not-measured': 'error',
  unscored: 'skipped',
} as const satisfies Record<Mark, TestOutcome>;

/**
 * How a test case is told. What should have been measured and was not is an error: never a pass, and never skipped, which
 * builds take for one. Skipped is only what nothing decides: an answer in a run without a scorecard, and a case that did
 * not pass and is exempt from the gate.
 */
export function testOutcome(mark: Mark, exemption: string | undefined): TestOutcome {
  return exemption === undefined || mark === 'passed' ? outcomes[mark] : 'skipped';
}

/** The numbers of a suite, and of all. */
export interface TestCounts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  /** Sum of the times that are known, in whole milliseconds; null when none is. */
  timeMs: number | null;
}

/** The numbers of a suite with nothing in it. */
export function noTests(): TestCounts {
  return { tests: 0, failures: 0, errors: 0, skipped: 0, timeMs: null };
}

/** Counts one test case. */
export function addTest(counts: TestCounts, outcome: TestOutcome, timeMs: number | null): void {
  counts.tests += 1;
  if (outcome === 'failure') counts.failures += 1;
  if (outcome === 'error') counts.errors += 1;
  if (outcome === 'skipped') counts.skipped += 1;
  if (timeMs !== null) counts.timeMs = (counts.timeMs ?? 0) + timeMs;
}

/** The sum of the numbers of several suites. */
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

/** Milliseconds as JUnit's seconds; undefined when unknown. */
export function toSeconds(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : (timeMs / 1000).toFixed(3);
}

/** How long the attempts at a case took together, in whole milliseconds; null when that is not known of each. */
export function sumTimes(attempts: readonly { readonly totalMs?: number | undefined }[]): number | null {
  let sum = 0;
  for (const { totalMs } of attempts) {
    if (totalMs === undefined) return null;
    sum += totalMs;
  }
  return Math.round(sum);
}

/** Puts together what belongs to the same case and target. Both stand next to each other in the order of a plan. */
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
