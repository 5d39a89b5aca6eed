import { type CheckResult, readCheckResults } from '../../core/schema/checks/check-result.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { besideSuffix } from './autoevals.ts';

/** The verdicts on one recorded answer, by the names of the metrics. */
export interface JudgedAnswer {
  readonly caseId: string;
  readonly target: string;
  readonly attempt: number;
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** A check on which the recorded verdict and ours differ. */
export interface Difference extends Omit<JudgedAnswer, 'verdicts'> {
  /** The name that the recorded verdict and the check share. */
  readonly check: string;
  /** True when it passed in the other tool; the value there where the tool does not say what passes. */
  readonly recorded: boolean | number;
  /** True when it passes here; the value next to a value. */
  readonly own: boolean | number;
}

/** Counts of the recorded verdicts that checks of cases, or our metrics next to them, give, too. */
export interface Agreement {
  /** The number of answers of which both tools made the same check, and both could tell whether it passes. */
  readonly answers: number;
  /** The number of these answers on which all such checks agree. */
  readonly agreeing: number;
  /** The number of such checks. */
  readonly checks: number;
  readonly differences: readonly Difference[];
}

/** Values that are shown as the same, since exports round them. */
const tolerance = 0.005;

/** Compares recorded verdicts with the checks of the same names that cases brought along. */
export function compareWithRecorded(answers: readonly JudgedAnswer[]): Agreement {
  let [compared, agreeing, checks] = [0, 0, 0];
  const differences: Difference[] = [];
  for (const { verdicts, ...answer } of answers) {
    const pairs = [...pairVerdicts(verdicts), ...pairValues(verdicts)];
    if (pairs.length === 0) continue;
    const differing = pairs.filter(
      ({ recorded, own }) => Math.abs(Number(recorded) - Number(own)) > tolerance,
    );
    compared += 1;
    checks += pairs.length;
    if (differing.length === 0) agreeing += 1;
    differences.push(...differing.map((pair) => ({ ...answer, ...pair })));
  }
  return { answers: compared, agreeing, checks, differences };
}

function pairVerdicts(
  verdicts: Readonly<Record<string, Verdict>>,
): Pick<Difference, 'check' | 'recorded' | 'own'>[] {
  const own = Object.values(verdicts).flatMap((verdict) =>
    verdict.status === 'not-applicable' ? [] : readCheckResults(verdict.evidence),
  );
  return [...Map.groupBy(own, ({ name }) => name)].flatMap(([check, results]) => {
    // A check of weight 0 always passes in promptfoo, whatever it found.
    if (results.every(({ weight }) => weight === 0)) return [];
    const recorded = Object.hasOwn(verdicts, check) ? verdicts[check] : undefined;
    const passes = passOf(results);
    if (recorded?.status !== 'scored' || recorded.passed === undefined || passes === undefined) return [];
    return [{ check, recorded: recorded.passed, own: passes }];
  });
}

/** Pairs the recorded values with the values of our metrics next to them. */
function pairValues(
  verdicts: Readonly<Record<string, Verdict>>,
): Pick<Difference, 'check' | 'recorded' | 'own'>[] {
  return Object.entries(verdicts).flatMap(([name, own]) => {
    const check = name.endsWith(besideSuffix) ? name.slice(0, -besideSuffix.length) : undefined;
    const recorded = check !== undefined && Object.hasOwn(verdicts, check) ? verdicts[check] : undefined;
    if (check === undefined || recorded?.status !== 'scored' || own.status !== 'scored') return [];
    return recorded.unit === undefined ? [{ check, recorded: recorded.value, own: own.value }] : [];
  });
}

/** Returns whether all checks that share a name pass; undefined when that is not known, as where one was not measured. */
function passOf(results: readonly CheckResult[]): boolean | undefined {
  const isKnown = results.every(({ passed }) => passed !== null);
  return isKnown ? results.every(({ passed }) => passed) : undefined;
}
