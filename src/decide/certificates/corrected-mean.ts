import type { CorrectionMethod } from '../../core/schema/estimate.ts';
import { defaultConfidence } from '../../core/stats/interval.ts';
import type { LabelCaution } from '../../core/stats/judges/label-caution.ts';
import { type JudgeErrorRates, misclassifiedMean } from '../../core/stats/judges/misclassified-mean.ts';
import { ppiMean } from '../../core/stats/judges/ppi-mean.ts';
import { ppiWeightedMean } from '../../core/stats/judges/ppi-weighted-mean.ts';
import { verdictStrataRate, type VerdictStratum } from '../../core/stats/judges/verdict-strata.ts';
import type { NormalInterval } from '../../core/stats/normal-interval.ts';
import type { PeopleVerdict } from './judged-trials.ts';
import {
  type NumberedTrial,
  type NumberScope,
  numberTrials,
  toUnit,
  type TrialJudge,
} from './number-trials.ts';

/** The trials that a number is the mean of. */
export interface MeanScope extends NumberScope {
  /** True when only some categories or cases are in the scope, for which error rates of all together need not hold. */
  readonly isPart: boolean;
}

/** The one-sided limits of a corrected mean, each at the confidence that was asked for. */
export interface CorrectedLimits {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly caution: LabelCaution;
}

/** A mean as it would be by the verdicts of people. */
export interface CorrectedMean {
  readonly method: CorrectionMethod;
  /** The number of labelled answers behind it. */
  readonly labels: number;
  /** The mean over cases, as the judges say. */
  readonly said: number;
  /** The values of the cases by what people said, when every answer is labelled: then nothing has to be estimated. */
  readonly exact?: ReadonlyMap<number, number>;
  /**
   * Returns the limits at a one-sided confidence.
   * @param isOfRun - True when the mean is about these answers alone.
   */
  limitsAt(confidence: number, isOfRun: boolean): CorrectedLimits | { readonly reason: string };
  /** Returns the limits of the two-sided interval that reports show, of a bot rather than of these answers alone. */
  intervalAt(confidence: number): CorrectedLimits | { readonly reason: string };
}

/** A corrected mean before its interval is known. */
type Limited = Omit<CorrectedMean, 'said' | 'intervalAt'>;

function withInterval(found: Limited, said: number): CorrectedMean {
  return { ...found, said, intervalAt: (confidence) => found.limitsAt(oneSided(confidence), false) };
}

/**
 * Corrects a mean over cases for the errors of judges: by PPI++ where labels of these very answers were drawn, else by the error
 * rates. Returns the reason where no correction holds.
 */
export function correctMean(scope: MeanScope): CorrectedMean | { readonly reason: string } {
  const numbered = numberTrials(scope);
  if ('reason' in numbered) return numbered;
  if (numbered.length === 0) return { reason: 'there are no answers' };
  const said = numbered.reduce((sum, { number, share }) => sum + number * share, 0) / casesOf(numbered);
  const byLabels = fromLabels(scope, numbered);
  if (byLabels !== undefined) return withInterval(byLabels, said);
  if (scope.isPart) {
    const reason =
      'the error rates of the judge are known of all categories together, not of these questions alone';
    return { reason };
  }
  const rates = ratesOf(scope.judges);
  if (rates === undefined) return { reason: 'too few labels to know the error rates of the judge' };
  const units = numbered.map((each) => toUnit(each, 1, rates.places));
  const sizes = sizesOf(numbered);
  const found: Limited = {
    method: 'rogan-gladen',
    labels: Math.max(...scope.judges.map(({ errors }) => errors.labels)),
    limitsAt: (confidence, isOfRun) =>
      toLimits(
        misclassifiedMean({ units, rates: rates.list, sizes, isOfRun, confidence: twoSided(confidence) }),
      ),
  };
  return withInterval(found, said);
}

function casesOf(numbered: readonly NumberedTrial[]): number {
  return new Set(numbered.map(({ trial }) => trial.position)).size;
}

/** Returns the number of cases of each group. */
function sizesOf(numbered: readonly NumberedTrial[]): Map<string, number> {
  const cases = new Map(numbered.map(({ trial, group }) => [trial.position, group]));
  const sizes = new Map<string, number>();
  for (const group of cases.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return sizes;
}

/** Returns the error rates of judges, and the place of each in the list; undefined when labels are too few. */
function ratesOf(
  judges: readonly TrialJudge[],
): { readonly list: readonly JudgeErrorRates[]; readonly places: readonly number[] } | undefined {
  const list = judges.map(({ errors }) => errors.rates).filter((rates) => rates !== undefined);
  return list.length < judges.length ? undefined : { list, places: [...list.keys()] };
}

/** Corrects by labels of these very answers: of one judge, on answers that count alike. */
function fromLabels(
  { judges: [judge, ...others] }: MeanScope,
  numbered: readonly NumberedTrial[],
): Limited | undefined {
  const people = judge?.people;
  if (judge === undefined || people === undefined || others.length > 0) return undefined;
  const scale = casesOf(numbered) / numbered.length;
  const scaled = numbered.map((each) => {
    const given = people.get(each.trial.key);
    const label = given === undefined ? undefined : (each.values[Number(given.passes)] as number);
    const weight = each.share / scale;
    return { ...each, given, label, weight };
  });
  const labelled = scaled.flatMap(({ label, given, ...each }) =>
    label === undefined || given === undefined ? [] : [{ ...each, label, given }],
  );
  if (labelled.length === 0) return undefined;
  const base = { labels: labelled.length };
  if (labelled.length === scaled.length) return { ...base, ...exactOf(labelled) };
  const isClustered = new Set(scaled.map(({ group }) => group)).size < scaled.length;
  const { draw } = judge.errors.calibration;
  const values = {
    labels: labelled.map(({ label, weight }) => label * weight),
    scores: labelled.map(({ number, weight }) => number * weight),
  };
  if (draw.type === 'random' || draw.type === 'every-nth') {
    const rest = scaled.filter(({ label }) => label === undefined);
    const otherScores = rest.map(({ number, weight }) => number * weight);
    const groups = { labelled: labelled.map(({ group }) => group), others: rest.map(({ group }) => group) };
    const options = { ...values, otherScores, ...(isClustered && { clusters: groups }) };
    const limitsAt = (confidence: number) =>
      toLimits(ppiMean({ ...options, confidence: twoSided(confidence) }));
    // Labels that are all alike have no spread, but the error rates have.
    if ('reason' in limitsAt(defaultConfidence)) return undefined;
    return { ...base, method: 'ppi', limitsAt };
  }
  if (isClustered) return undefined;
  const strata = strataOf(scaled);
  if (strata !== undefined) {
    const limitsAt = (confidence: number, isOfRun: boolean) =>
      toLimits(
        verdictStrataRate({
          strata,
          target: isOfRun ? 'run' : 'population',
          confidence: twoSided(confidence),
        }),
      );
    return { ...base, method: 'stratified', limitsAt };
  }
  const options = {
    ...values,
    probabilities: labelled.map(({ given }) => given.probability),
    allScores: scaled.map(({ number, weight }) => number * weight),
  };
  return {
    ...base,
    method: 'weighted-ppi',
    limitsAt: (confidence, isOfRun) =>
      toLimits(
        ppiWeightedMean({
          ...options,
          confidence: twoSided(confidence),
          target: isOfRun ? 'run' : 'population',
        }),
      ),
  };
}

/** A trial with its number by what people said, if they said anything. */
type LabelledTrial = NumberedTrial & {
  readonly label: number | undefined;
  readonly given: PeopleVerdict | undefined;
  readonly weight: number;
};

/**
 * Returns the trials by the verdict of the judge, when labels were drawn within its verdicts with equal probabilities and numbers
 * are 0 or 1: then the limits keep their promise for a judge that is nearly always right, too.
 */
function strataOf(trials: readonly LabelledTrial[]): VerdictStratum[] | undefined {
  const groups = [...Map.groupBy(trials, ({ said }) => said).values()];
  const isOdd = (group: readonly LabelledTrial[]) => {
    const labelled = group.filter(({ label }) => label !== undefined);
    const isYesNo = labelled.every(({ label }) => label === 0 || label === 1);
    return !isYesNo || new Set(labelled.map(({ given }) => given?.probability)).size > 1;
  };
  if (groups.some(isOdd) || trials.some(({ weight }) => Math.abs(weight - 1) > 1e-9)) return undefined;
  return groups.map((group) => {
    const labels = group.flatMap(({ label }) => label ?? []);
    return {
      size: group.length,
      labels: labels.length,
      passes: labels.filter((label) => label === 1).length,
    };
  });
}

function exactOf(
  labelled: readonly (NumberedTrial & { readonly label: number })[],
): Pick<CorrectedMean, 'method' | 'exact' | 'limitsAt'> {
  const exact = new Map<number, number>();
  for (const { trial, label, share } of labelled)
    exact.set(trial.position, (exact.get(trial.position) ?? 0) + label * share);
  const value = [...exact.values()].reduce((sum, each) => sum + each, 0) / exact.size;
  return {
    method: 'people-alone',
    exact,
    limitsAt: () => ({ value, lower: value, upper: value, caution: null }),
  };
}

/**
 * Returns the confidence of limits that keep the promise of a confidence: by four fifths of the error, since the limits of
 * corrected numbers are approximations, of which simulations show 5 to 6 % wrong at 95 %, for a judge with TPR 0.9 and TNR 0.4
 * (corrected-mean.test.ts, bench/corrected-comparisons.ts).
 */
export function byFourFifths(confidence: number): number {
  return 1 - 0.8 * (1 - confidence);
}

/** Returns the two-sided confidence of limits whose one-sided error is at most the error of a confidence. */
function twoSided(confidence: number): number {
  return byFourFifths(2 * confidence - 1);
}

/** Returns the confidence of limits by which `twoSided` gives a confidence. */
function oneSided(confidence: number): number {
  return 1 - (1 - confidence) / 1.6;
}

/** Returns the limits of an interval; the reason when it has none. */
function toLimits(
  found: NormalInterval & { readonly caution: LabelCaution },
): CorrectedLimits | { readonly reason: string } {
  if (found.status === 'undefined') return { reason: found.reason };
  const { estimate: value, lower, upper, caution } = found;
  return { value, lower, upper, caution };
}
