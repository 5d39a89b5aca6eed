import type { Json } from '../../../core/schema/json.ts';
import type { CheckResult } from '../../../core/schema/checks/check-result.ts';
import { judgementsOf, type Verdict, type VerdictSample } from '../../../core/schema/verdict.ts';
import type { CompiledCheck } from './compile-checks.ts';
import { countAll, countChecks, type CountedCheck, toResult } from './count-checks.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Combines the verdicts of checks to one. It is scored only when what was not measured could change neither the value
 * nor whether the answer passes; a mean over the other checks would be another measurement.
 * @param verdicts - The verdicts of the metrics, in the order of `listMetrics`.
 * @param passMark - The least mean that passes; without it, all checks must pass.
 */
export function verdictOfChecks(
  checks: readonly CompiledCheck[],
  verdicts: readonly Verdict[],
  passMark: number | undefined,
): Verdict {
  const whole = countWhole(checks, verdicts, passMark);
  const results = whole.inside.map(toResult);
  const ids = judgementsOf(Object.fromEntries(verdicts.entries()));
  const judgements = ids.length === 0 ? {} : { judgements: ids };
  if (whole.status === 'not-applicable') return notApplicable(whyNone(results));
  const evidence = { checks: results as unknown as Json[], ...(passMark !== undefined && { passMark }) };
  if (whole.status === 'not-measured') {
    return { status: 'failed', ...explainOpen(whole), evidence, ...judgements };
  }
  return {
    status: 'scored',
    value: whole.lower,
    passed: whole.passed === true,
    explanation: explain(whole, passMark),
    evidence,
    ...samplesOf(checks, verdicts, passMark),
    ...judgements,
  };
}

function countWhole(
  checks: readonly CompiledCheck[],
  verdicts: readonly Verdict[],
  passMark: number | undefined,
): CountedCheck {
  const group = { name: '', use: 'all', weight: 1, isRequired: false, isNamed: false, inside: checks };
  return countAll({ ...group, threshold: passMark }, countChecks(checks, verdicts.values()));
}

/** Returns the verdict of each sample of the judges by itself; an empty object when each was asked once. */
function samplesOf(
  checks: readonly CompiledCheck[],
  verdicts: readonly Verdict[],
  passMark: number | undefined,
): { samples?: VerdictSample[] } {
  const counts = verdicts.flatMap((verdict) =>
    verdict.status === 'scored' ? (verdict.samples?.length ?? []) : [],
  );
  if (counts.length === 0) return {};
  const samples = Array.from({ length: Math.min(...counts) }, (_, place) => {
    const ofSample = verdicts.map((verdict) => atSample(verdict, place));
    return countWhole(checks, ofSample, passMark);
  });
  if (samples.some(({ status }) => status !== 'measured')) return {};
  return { samples: samples.map(({ lower, passed }) => ({ value: lower, passed: passed === true })) };
}

function atSample(verdict: Verdict, place: number): Verdict {
  const sample = verdict.status === 'scored' ? verdict.samples?.[place] : undefined;
  return sample === undefined ? verdict : { ...verdict, ...sample };
}

function whyNone(results: readonly CheckResult[]): string {
  const reasons = new Set(results.flatMap(({ explanation }) => explanation ?? []));
  return reasons.size === 0 ? 'no check counts' : `no check applies: ${[...reasons].join('; ')}`;
}

/** Lists the checks that count, in a group the checks of the group. */
function countingIn(counted: CountedCheck): CountedCheck[] {
  return counted.inside.filter(({ check, status }) => check.weight > 0 && status !== 'not-applicable');
}

function explain(whole: CountedCheck, passMark: number | undefined): string | undefined {
  const counting = countingIn(whole);
  const failed = counting.filter(({ passed }) => passed === false);
  if (failed.length === 0) return undefined;
  const share = `${failed.length} of ${plural(counting.length)} failed`;
  const mark =
    passMark === undefined ? '' : `, with a mean of ${round(whole.lower)} where ${passMark} is enough`;
  return `${share}${mark}: ${failed.map(describe).join('; ')}`;
}

function describe(counted: CountedCheck): string {
  const { name, explanation } = toResult(counted);
  const why =
    explanation ??
    countingIn(counted)
      .filter(({ passed }) => passed === false)
      .map(describe)
      .join(', ');
  return why === '' ? name : `${name} (${why})`;
}

/** Explains which checks were not measured, and what is known all the same. */
function explainOpen(whole: CountedCheck): { code: string; reason: string } {
  const missing = findOpen(whole);
  const [first] = missing;
  const code = first?.verdict?.status === 'failed' ? first.verdict.code : 'no-verdict';
  const share = `${missing.length} of ${plural(countMetrics(whole))} could not be measured`;
  const known = whole.passed === false ? '; the answer does not pass, whatever they would say' : '';
  return { code, reason: `${share}: ${missing.map(describe).join('; ')}${known}` };
}

/** Lists the checks by metrics that were not measured and count. */
function findOpen(counted: CountedCheck): CountedCheck[] {
  if (counted.status !== 'not-measured') return [];
  return counted.verdict === undefined ? countingIn(counted).flatMap(findOpen) : [counted];
}

function countMetrics(counted: CountedCheck): number {
  if (counted.verdict !== undefined) return 1;
  return countingIn(counted).reduce((sum, each) => sum + countMetrics(each), 0);
}

function plural(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
