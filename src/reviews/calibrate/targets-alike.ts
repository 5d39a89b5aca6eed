import type { Estimate } from '../../schema/estimate.ts';
import type { JudgeRates } from '../../schema/review/certificate.ts';
import { normalCdf, normalQuantile } from '../../stats/normal.ts';
import { judgeRates, type WeightedAnswer } from './agreement.ts';

/** A difference of an error rate of the judge between two targets. */
export interface TargetDifference {
  readonly rate: 'TPR' | 'TNR';
  readonly targets: readonly [string, string];
  /** The absolute difference, and the p-value of the test that there is none. */
  readonly difference: number;
  readonly pValue: number;
}

/** The differences between targets; those with too few labels are named. */
export interface TargetComparison {
  readonly differences: readonly TargetDifference[];
  /** The targets with fewer than `leastOfClass` labels of passes or of fails. */
  readonly short: readonly string[];
}

/** The labels of each kind that a target needs for its error rates to be compared. */
export const leastOfClass = 10;

/**
 * Compares the error rates of the judge between targets: a judge that is more lenient with one of them decides comparisons.
 *
 * Method: z-test of each pair, with standard errors from Wilson's limits, which for labels drawn by verdict are those of
 * weighted shares.
 */
export function compareTargets(
  answers: readonly (WeightedAnswer & { readonly target: string })[],
): TargetComparison {
  const groups = [...Map.groupBy(answers, ({ target }) => target)];
  const isShort = (own: readonly WeightedAnswer[]) => {
    const yes = own.filter(({ truth }) => truth).length;
    return Math.min(yes, own.length - yes) < leastOfClass;
  };
  const rated = groups
    .filter(([, own]) => !isShort(own))
    .map(([name, own]) => ({ name, rates: judgeRates(own) }));
  const differences = rated.flatMap((one, index) =>
    rated.slice(index + 1).flatMap((other) => {
      const targets = [one.name, other.name] as const;
      return [
        {
          rate: 'TPR',
          targets,
          ...compare(one.rates.truePositiveRate, other.rates.truePositiveRate),
        } as const,
        {
          rate: 'TNR',
          targets,
          ...compare(one.rates.trueNegativeRate, other.rates.trueNegativeRate),
        } as const,
      ];
    }),
  );
  return { differences, short: groups.filter(([, own]) => isShort(own)).map(([name]) => name) };
}

/**
 * Returns whether the error rates of a judge on two targets differ: by 10 points, or by more than chance would among so many
 * tests (Bonferroni).
 */
export function differs(one: JudgeRates, other: JudgeRates, tests: number): boolean {
  const found = [
    compare(one.truePositiveRate, other.truePositiveRate),
    compare(one.trueNegativeRate, other.trueNegativeRate),
  ];
  return found.some((each) => isDifferent(each, tests));
}

/** The difference of an error rate from which targets are not treated alike, whatever its p-value. */
const mostDifference = 0.1;

/** Returns whether a difference counts, as one of several tests. */
export function isDifferent(
  { pValue, difference }: Pick<TargetDifference, 'pValue' | 'difference'>,
  tests: number,
): boolean {
  return pValue <= 0.05 / tests || difference >= mostDifference;
}

function compare(one: Estimate, other: Estimate): Pick<TargetDifference, 'difference' | 'pValue'> {
  const difference = Math.abs((one.value ?? 0) - (other.value ?? 0));
  const z = difference / Math.hypot(errorOf(one), errorOf(other));
  return { difference, pValue: 2 * (1 - normalCdf(z)) };
}

function errorOf({ lower, upper, confidence }: Estimate): number {
  return ((upper ?? 1) - (lower ?? 0)) / (2 * normalQuantile((1 + confidence) / 2));
}
