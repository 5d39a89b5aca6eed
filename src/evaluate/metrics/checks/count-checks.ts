import type { CheckResult } from '../../../core/schema/checks/check-result.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { CompiledCheck } from './compile-checks.ts';

/** The knowledge of a check: between which values it lies, and whether it passes. */
export interface CountedCheck {
  readonly check: CompiledCheck;
  readonly status: CheckResult['status'];
  /** The least and the greatest value that it can have, which are equal when it was measured. */
  readonly lower: number;
  readonly upper: number;
  /** Null when it is not known. */
  readonly passed: boolean | null;
  /** The verdict of the metric, for a check without others inside. */
  readonly verdict?: Verdict;
  readonly inside: readonly CountedCheck[];
}

const tolerance = 1e-9;

/** Counts checks from the verdicts of their metrics, given in the order of `listMetrics`. */
export function countChecks(checks: readonly CompiledCheck[], verdicts: Iterator<Verdict>): CountedCheck[] {
  return checks.map((check) => {
    if (check.metric !== undefined) return countMetric(check, verdicts.next().value as Verdict);
    const inside = countChecks(check.inside, verdicts);
    if (check.use === 'not') return countOpposite(check, inside);
    return check.use === 'any' ? countAny(check, inside) : countAll(check, inside);
  });
}

const open = { status: 'not-measured', lower: 0, upper: 1, passed: null } as const;
const notApplicable = { status: 'not-applicable', lower: 0, upper: 1, passed: null } as const;

function countMetric(check: CompiledCheck, verdict: Verdict): CountedCheck {
  const counted = { check, verdict, inside: [] };
  if (verdict.status === 'failed') return { ...counted, ...open };
  if (verdict.status === 'not-applicable') return { ...counted, ...notApplicable };
  const { value, unit, passed } = verdict;
  // A quantity such as milliseconds is no share: it is within its limit or not.
  if (unit !== undefined)
    return passed === undefined ? { ...counted, ...open } : { ...counted, ...full(passed) };
  return { ...counted, ...exactly(value, passesBy(check.threshold, value) ?? passed) };
}

function full(passed: boolean) {
  return exactly(Number(passed), passed);
}

/** Returns a measured value. Where nothing else says what passes, only the full value does. */
function exactly(value: number, passed = value >= 1 - tolerance) {
  return { status: 'measured', lower: value, upper: value, passed } as const;
}

function passesBy(threshold: number | undefined, value: number): boolean | undefined {
  return threshold === undefined ? undefined : value >= threshold - tolerance;
}

/**
 * Counts the opposite of a check: 1 minus its value. It passes where the check does not, so the pass mark of the check
 * counts; where nothing but the full value passes, its opposite passes with nothing but 0.
 */
function countOpposite(check: CompiledCheck, [inner, ...others]: readonly CountedCheck[]): CountedCheck {
  if (inner === undefined) throw new TypeError('The opposite of a check needs one.');
  const inside = [inner, ...others];
  const { status } = inner;
  if (status === 'not-applicable') return { check, inside, ...notApplicable };
  const [lower, upper] = [1 - inner.upper, 1 - inner.lower];
  if (check.threshold !== undefined) {
    return { check, inside, status, lower, upper, passed: reaches(check.threshold, { lower, upper }) };
  }
  const passed = hasPassMark(inner) ? opposite(inner.passed) : reaches(1, { lower, upper });
  return { check, inside, status, lower, upper, passed };
}

function opposite(passed: boolean | null): boolean | null {
  return passed === null ? null : !passed;
}

/** Returns whether something else than the full value can pass a check. */
function hasPassMark({ check, verdict, inside: [inner] }: CountedCheck): boolean {
  if (check.threshold !== undefined) return true;
  if (check.use === 'not' && inner !== undefined) return hasPassMark(inner);
  return verdict === undefined || (verdict.status === 'scored' && verdict.passed !== undefined);
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Returns whether a value in a range reaches a threshold; null when that is not known. */
function reaches(threshold: number, { lower, upper }: Range): boolean | null {
  if (lower >= threshold - tolerance) return true;
  return upper < threshold - tolerance ? false : null;
}

/** Returns the checks that count: those that apply and have a weight. */
function countingOf(inside: readonly CountedCheck[]): CountedCheck[] {
  return inside.filter(({ status, check }) => status !== 'not-applicable' && check.weight > 0);
}

/**
 * Counts a group as a whole: its value is the weighted mean of the checks that count. It passes when all of them pass,
 * or with a threshold when the mean reaches it; in both cases each required one must pass.
 */
export function countAll(check: CompiledCheck, inside: readonly CountedCheck[]): CountedCheck {
  const counting = countingOf(inside);
  if (counting.length === 0) return { check, inside, ...notApplicable };
  const weights = counting.reduce((sum, each) => sum + each.check.weight, 0);
  const mean = (read: (each: CountedCheck) => number) =>
    Math.min(1, counting.reduce((sum, each) => sum + each.check.weight * read(each), 0) / weights);
  const range = { lower: mean((each) => each.lower), upper: mean((each) => each.upper) };
  const required = counting.filter((each) => each.check.isRequired);
  const passed =
    check.threshold === undefined
      ? allPass(counting)
      : both(allPass(required), reaches(check.threshold, range));
  return { check, inside, ...range, passed, status: statusOf(range, passed) };
}

/** Counts a group of which one check must pass: its value is the greatest. */
function countAny(check: CompiledCheck, inside: readonly CountedCheck[]): CountedCheck {
  const counting = countingOf(inside);
  if (counting.length === 0) return { check, inside, ...notApplicable };
  const range = {
    lower: Math.max(...counting.map(({ lower }) => lower)),
    upper: Math.max(...counting.map(({ upper }) => upper)),
  };
  const passed = opposite(allPass(counting.map((each) => ({ passed: opposite(each.passed) }))));
  return { check, inside, ...range, passed, status: statusOf(range, passed) };
}

/** A group is measured when what was not measured in it could change neither its value nor whether it passes. */
function statusOf({ lower, upper }: Range, passed: boolean | null): CheckResult['status'] {
  return upper - lower <= tolerance && passed !== null ? 'measured' : 'not-measured';
}

/** Joins by Kleene's three-valued logic: one that fails decides, otherwise one that is not known leaves the whole open. */
function allPass(counted: readonly Pick<CountedCheck, 'passed'>[]): boolean | null {
  if (counted.some(({ passed }) => passed === false)) return false;
  return counted.every(({ passed }) => passed === true) ? true : null;
}

function both(one: boolean | null, other: boolean | null): boolean | null {
  return allPass([{ passed: one }, { passed: other }]);
}

/** Returns the result of a check as it is stored. */
export function toResult({ check, status, lower, passed, verdict, inside }: CountedCheck): CheckResult {
  const { name, use, weight, isRequired, threshold } = check;
  return {
    name,
    use,
    weight,
    ...(isRequired && { required: true as const }),
    threshold,
    status,
    value: status === 'measured' ? lower : null,
    passed,
    ...(verdict !== undefined && detailsOf(verdict)),
    ...(inside.length > 0 && { checks: inside.map(toResult) }),
  };
}

function detailsOf(verdict: Verdict): Pick<CheckResult, 'explanation' | 'evidence' | 'label' | 'quantity'> {
  if (verdict.status === 'not-applicable') return { explanation: verdict.reason };
  if (verdict.status === 'failed') return { explanation: `${verdict.code}: ${verdict.reason}` };
  const { value, unit, passed, label, explanation, evidence } = verdict;
  const unlimited = unit !== undefined && passed === undefined;
  const said = unlimited ? `${value} ${unit} neither passes nor fails: the check needs a limit` : explanation;
  return {
    ...(unit !== undefined && { quantity: { value, unit } }),
    label,
    explanation: said,
    evidence,
  };
}
