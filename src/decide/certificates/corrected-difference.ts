import { defaultConfidence } from '../../core/stats/interval.ts';
import type { LabelCaution } from '../../core/stats/judges/label-caution.ts';
import {
  type JudgedUnit,
  type JudgeErrorRates,
  misclassifiedMean,
} from '../../core/stats/judges/misclassified-mean.ts';
import { ppiDifference } from '../../core/stats/judges/ppi-difference.ts';
import type { NormalInterval } from '../../core/stats/normal-interval.ts';
import { byFourFifths } from './corrected-mean.ts';
import {
  type NumberedTrial,
  type NumberScope,
  numberTrials,
  toUnit,
  type TrialJudge,
} from './number-trials.ts';

/** The trials of one of two runs that are compared, with the keys of their cases. */
export interface DifferenceSide extends NumberScope {
  /** Returns the key of the case at a position, which is the same in both runs. */
  readonly caseAt: (position: number) => string | undefined;
}

/** The number of a case in both runs by what people said, with the group of cases that depend on each other. */
export interface PeoplePair {
  readonly first: number;
  readonly second: number;
  readonly group: string;
}

/** A difference of two runs as it would be by the verdicts of people. */
export interface CorrectedDifference {
  readonly method: 'people-alone' | 'ppi' | 'rogan-gladen';
  /** All pairs by what people said, when every answer of both is labelled: then nothing has to be estimated. */
  readonly exact?: readonly PeoplePair[];
  /** The numbers of labelled answers behind it: of the first run and of the second. */
  readonly labels: readonly [number, number];
  /** The corrected mean of each run over the cases that both measured. */
  readonly means: readonly [number, number];
  /** Returns the difference, second minus first, with two-sided limits, which use four fifths of the error. */
  at(confidence: number): NormalInterval & { readonly caution: LabelCaution };
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
  isPart = false,
): CorrectedDifference | { readonly reason: string } {
  const sides = [first, second] as const;
  const numbered = sides.map((side) => numberTrials(side));
  const fault = numbered.find((each) => 'reason' in each);
  if (fault !== undefined && 'reason' in fault) return fault;
  const [ofFirst, ofSecond] = numbered as [NumberedTrial[], NumberedTrial[]];
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
      return [{ ...each, group, key }];
    });
  const [before, after] = [pairedOf(ofFirst, first), pairedOf(ofSecond, second)];
  if (before.length === 0 || after.length === 0) return { reason: 'no question is measured in both' };
  const labels = [labelsOf(first.judges), labelsOf(second.judges)] as const;
  const byLabels = fromPairs({ sides, before, after });
  if (byLabels !== undefined) return byLabels;
  if (isPart)
    return {
      reason:
        'the error rates of the judge are known of all categories together, not of these questions alone',
    };
  const rates = joinRates(first.judges, second.judges);
  if (rates === undefined) return { reason: 'too few labels to know the error rates of the judge' };
  const sizes = new Map<string, number>();
  for (const group of groups.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const unitsOf = (some: readonly NumberedTrial[], sign: 1 | -1, places: readonly number[]): JudgedUnit[] =>
    some.map((each) => toUnit(each, sign, places));
  const units = [...unitsOf(before, -1, rates.ofFirst), ...unitsOf(after, 1, rates.ofSecond)];
  const meanOf = (some: readonly NumberedTrial[], places: readonly number[]) =>
    misclassifiedMean({ units: unitsOf(some, 1, places), rates: rates.list, sizes }).estimate ?? Number.NaN;
  return {
    method: 'rogan-gladen',
    labels,
    means: [meanOf(before, rates.ofFirst), meanOf(after, rates.ofSecond)],
    at: cautiously((confidence) => misclassifiedMean({ units, rates: rates.list, sizes, range, confidence })),
  };
}

/** Returns limits that keep their promise: limits of a higher confidence, by the name of the one that was asked for. */
function cautiously(at: CorrectedDifference['at']): CorrectedDifference['at'] {
  return (confidence) => ({ ...at(byFourFifths(confidence)), confidence });
}

/** A trial with the key of its case. */
type KeyedTrial = NumberedTrial & { readonly key: string };

/** The least number of cases with labels on both sides. */
const leastPairs = 30;

/** Corrects by labels of both answers to the same cases, drawn at random or complete; undefined where there are too few. */
function fromPairs({
  sides,
  before,
  after,
}: {
  readonly sides: readonly [DifferenceSide, DifferenceSide];
  readonly before: readonly KeyedTrial[];
  readonly after: readonly KeyedTrial[];
}): CorrectedDifference | undefined {
  const [first, second] = sides.map(({ judges: [judge, ...others] }) =>
    others.length === 0 ? judge : undefined,
  );
  if (first?.people === undefined || second?.people === undefined) return undefined;
  const casesOf = (trials: readonly KeyedTrial[], { people }: TrialJudge) =>
    new Map([...Map.groupBy(trials, ({ key }) => key)].map(([key, own]) => [key, numbersOf(own, people)]));
  const [ofFirst, ofSecond] = [casesOf(before, first), casesOf(after, second)];
  const pairs = [...ofFirst].flatMap(([key, one]) => {
    const other = ofSecond.get(key);
    return other === undefined ? [] : [{ one, other, group: one.group }];
  });
  const labelled = pairs.flatMap(({ one, other, group }) =>
    one.people === undefined || other.people === undefined
      ? []
      : [{ first: one.people, second: other.people, said: [one.said, other.said] as const, group }],
  );
  if (labelled.length < leastPairs) return undefined;
  const isWhole = labelled.length === pairs.length;
  const isRandom = [first, second].every(
    ({
      errors: {
        calibration: { draw },
      },
    }) => draw.type === 'random' || draw.type === 'every-nth',
  );
  if (!isWhole && !isRandom) return undefined;
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const found = {
    labels: [labelled.length, labelled.length],
    means: [meanOf(labelled.map((pair) => pair.first)), meanOf(labelled.map((pair) => pair.second))],
  } as const;
  const rest = pairs.filter(({ one, other }) => one.people === undefined || other.people === undefined);
  const side = (of: 'first' | 'second', place: 0 | 1) => ({
    labels: labelled.map((pair) => pair[of]),
    scores: labelled.map(({ said }) => said[place]),
    otherScores: rest.map(({ one, other }) => (place === 0 ? one : other).said),
  });
  const clusters = { labelled: labelled.map(({ group }) => group), others: rest.map(({ group }) => group) };
  const isClustered = new Set(pairs.map(({ group }) => group)).size < pairs.length;
  const options = { a: side('second', 1), b: side('first', 0), ...(isClustered && { clusters }) };
  const at = cautiously((confidence) => ppiDifference({ ...options, confidence }));
  // Labels that are all alike have no spread, but the error rates have.
  if (!isWhole && at(defaultConfidence).status === 'undefined') return undefined;
  return {
    ...found,
    method: isWhole ? 'people-alone' : 'ppi',
    ...(isWhole && { exact: labelled }),
    at,
  };
}

/** Returns the mean of the attempts at a case, as the judge says and, when all are labelled, as people say. */
function numbersOf(trials: readonly KeyedTrial[], people: TrialJudge['people']) {
  let [said, sum, isLabelled] = [0, 0, true];
  for (const { trial, number, values, share } of trials) {
    said += number * share;
    const given = people?.get(trial.key);
    if (given === undefined) isLabelled = false;
    else sum += (values[Number(given.passes)] as number) * share;
  }
  return { said, people: isLabelled ? sum : undefined, group: trials[0]?.group ?? '' };
}

function labelsOf(judges: readonly TrialJudge[]): number {
  return Math.max(...judges.map(({ errors }) => errors.labels));
}

/**
 * The least number of labels of one kind, yes or no, behind an error rate that corrects a difference. With 4 to 14, equal versions
 * were called different in up to 11 % of simulated comparisons; see `bench/corrected-comparisons.ts`.
 */
const leastOfKind = 20;

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
      if (
        rates === undefined ||
        rates.sensitivity.trials < leastOfKind ||
        rates.specificity.trials < leastOfKind
      )
        return undefined;
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
