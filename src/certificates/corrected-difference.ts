import {
  type JudgedUnit,
  type JudgeErrorRates,
  type MisclassifiedMean,
  misclassifiedMean,
} from '../stats/judges/misclassified-mean.ts';
import {
  type MeanScope,
  numberTrials,
  type NumberedTrial,
  toUnit,
  type TrialJudge,
} from './corrected-mean.ts';

/** The trials of one of two runs that are compared, with the keys of their cases. */
export interface DifferenceSide extends Pick<MeanScope, 'trials' | 'judges' | 'read'> {
  /** Returns the key of the case at a position, which is the same in both runs. */
  readonly caseAt: (position: number) => string | undefined;
}

/** A difference of two runs as it would be by the verdicts of people. */
export interface CorrectedDifference {
  /** The numbers of labelled answers behind it: of the first run and of the second. */
  readonly labels: readonly [number, number];
  /** The corrected mean of each run over the cases that both measured. */
  readonly means: readonly [number, number];
  /** Returns the difference, second minus first, with two-sided limits. */
  at(confidence: number): MisclassifiedMean;
}

/** The range of a difference of shares. */
const range = { least: -1, greatest: 1 };

/**
 * Corrects the difference of two runs, second minus first, over the cases that both measured, by the error rates of the judges on
 * each. Returns the reason where no correction holds.
 */
export function correctDifference(
  first: DifferenceSide,
  second: DifferenceSide,
): CorrectedDifference | { readonly reason: string } {
  const sides = [first, second] as const;
  const numbered = sides.map((side) => numberTrials(side));
  const fault = numbered.find((each) => 'reason' in each);
  if (fault !== undefined && 'reason' in fault) return fault;
  const [ofFirst, ofSecond] = numbered as [NumberedTrial[], NumberedTrial[]];
  const rates = joinRates(first.judges, second.judges);
  if (rates === undefined) return { reason: 'too few labels to know the error rates of the judge' };
  const keysOf = (some: readonly NumberedTrial[], { caseAt }: DifferenceSide) =>
    new Set(some.map(({ trial }) => caseAt(trial.position)));
  const [inFirst, inSecond] = [keysOf(ofFirst, first), keysOf(ofSecond, second)];
  const groups = new Map<string, string>();
  const pairedOf = (some: readonly NumberedTrial[], { caseAt }: DifferenceSide) =>
    some.flatMap((each) => {
      const key = caseAt(each.trial.position);
      if (key === undefined || !inFirst.has(key) || !inSecond.has(key)) return [];
      const { cluster } = each.trial.outcome.case;
      const group = groups.get(key) ?? (cluster === undefined ? `#${key}` : `=${cluster}`);
      groups.set(key, group);
      return [{ ...each, group }];
    });
  const [before, after] = [pairedOf(ofFirst, first), pairedOf(ofSecond, second)];
  if (before.length === 0 || after.length === 0) return { reason: 'no case is measured in both' };
  const sizes = new Map<string, number>();
  for (const group of groups.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const unitsOf = (some: readonly NumberedTrial[], sign: 1 | -1, places: readonly number[]): JudgedUnit[] =>
    some.map((each) => toUnit(each, sign, places));
  const units = [...unitsOf(before, -1, rates.ofFirst), ...unitsOf(after, 1, rates.ofSecond)];
  const meanOf = (some: readonly NumberedTrial[], places: readonly number[]) =>
    misclassifiedMean({ units: unitsOf(some, 1, places), rates: rates.list, sizes }).estimate ?? Number.NaN;
  return {
    labels: [labelsOf(first.judges), labelsOf(second.judges)],
    means: [meanOf(before, rates.ofFirst), meanOf(after, rates.ofSecond)],
    at: (confidence) => misclassifiedMean({ units, rates: rates.list, sizes, range, confidence }),
  };
}

function labelsOf(judges: readonly TrialJudge[]): number {
  return Math.max(...judges.map(({ errors }) => errors.labels));
}

/**
 * Joins the error rates of both runs. The rates of one calibration that hold for both are one number, whose error does not add
 * to the difference.
 */
function joinRates(
  first: readonly TrialJudge[],
  second: readonly TrialJudge[],
):
  | {
      readonly list: readonly JudgeErrorRates[];
      readonly ofFirst: readonly number[];
      readonly ofSecond: readonly number[];
    }
  | undefined {
  const keys: string[] = [];
  const list: JudgeErrorRates[] = [];
  const placesOf = (judges: readonly TrialJudge[]) =>
    judges.map(({ errors: { rates, calibration } }) => {
      if (rates === undefined) return undefined;
      const key = JSON.stringify([calibration.labels.hash, calibration.metric.fingerprint, rates]);
      const known = keys.indexOf(key);
      if (known !== -1) return known;
      keys.push(key);
      return list.push(rates) - 1;
    });
  const [ofFirst, ofSecond] = [placesOf(first), placesOf(second)];
  const isKnown = (places: readonly (number | undefined)[]): places is readonly number[] =>
    !places.includes(undefined);
  return isKnown(ofFirst) && isKnown(ofSecond) ? { list, ofFirst, ofSecond } : undefined;
}
