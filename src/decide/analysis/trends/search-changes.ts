import type { Estimate } from '../../../core/schema/estimate.ts';
import type { TrendChange, TrendPlace, TrendSearch } from '../../../core/schema/trends.ts';
import { normalQuantile } from '../../../core/stats/normal.ts';
import {
  type ChangePoint,
  type ChangePointOptions,
  changePoints,
} from '../../../core/stats/trends/change-points.ts';
import { noiseFromSteps } from '../../../core/stats/trends/scan-windows.ts';

/** A value of a run with its standard error. */
export interface SeriesValue {
  readonly place: TrendPlace;
  readonly value: number;
  /** The standard error; null for a value without an interval. */
  readonly standardError: number | null;
  /** The least possible change of one run, such as one question of all. */
  readonly step: number;
}

/** A series to search for changes. */
export interface SearchSubject
  extends Pick<TrendSearch, 'measure' | 'name' | 'series' | 'unit' | 'scale' | 'confidence'> {
  readonly better: 'higher' | 'lower' | null;
  readonly values: readonly SeriesValue[];
  readonly newest?: Estimate;
  /** Standard error of each value, estimated from the same questions in the runs; null or absent when unknown. */
  readonly questionNoise?: number | null;
}

/** The number of runs from which the steps between them show how much they vary by chance. */
const enoughRuns = 8;

/** Searches for changes of level. Ratios are searched on a logarithmic scale. */
export function searchChanges(subject: SearchSubject): TrendSearch {
  const { measure, name, series, confidence, values, newest, scale, unit } = subject;
  const numbers = values.map(({ value }) => (scale === 'ratio' ? Math.log(value) : value));
  const { noise, ...known } = noiseOf(subject, numbers);
  const found = changePoints({ values: numbers, ...known, confidence });
  return {
    measure,
    name,
    series,
    confidence,
    runs: values.length,
    unit,
    scale,
    method: found.method,
    noise,
    looks: found.looks,
    assumption: assumptions[noise],
    newest,
    changes: (found.changePoints ?? []).map((change) => describe(change, subject)),
    ...(found.status === 'undefined' && { reason: found.reason.replace('value', 'run') }),
  };
}

/** The assumptions behind the confidence, which the numbers themselves cannot verify. */
const assumptions = {
  questions: 'nothing but the answers to the questions varies from run to run',
  intervals: 'nothing but the answers to the questions varies from run to run',
  steps: 'neighbouring runs are correlated by at most 0.5, and at most one run in ten is far out',
} as const;

type Noise = Pick<TrendSearch, 'noise'> & Pick<ChangePointOptions, 'standardErrors' | 'leastNoise'>;

/**
 * Chooses the estimate of chance variation. The same questions in all runs are best. The intervals of the runs cover
 * other questions too, so they hide small changes; with many runs, the steps between them are more informative. It is
 * never less than one question in a run.
 */
function noiseOf({ values, questionNoise = null }: SearchSubject, numbers: readonly number[]): Noise {
  const leastNoise = Math.max(0, ...values.map(({ step }) => step));
  const ofQuestions = questionNoise === null ? 0 : Math.max(questionNoise, leastNoise);
  if (ofQuestions > 0 && !isRestless(numbers, ofQuestions)) {
    return { noise: 'questions', standardErrors: numbers.map(() => ofQuestions) };
  }
  const standardErrors = values.flatMap(({ standardError }) =>
    standardError === null ? [] : [standardError],
  );
  if (values.length < enoughRuns && standardErrors.length === values.length) {
    return { noise: 'intervals', standardErrors };
  }
  return { noise: 'steps', leastNoise };
}

/**
 * Returns whether runs vary clearly more than the answers to their questions do, so that something else affects whole
 * runs.
 */
function isRestless(numbers: readonly number[], ofQuestions: number): boolean {
  const size = noiseFromSteps(Float64Array.from(numbers), 0)[numbers.length] as number;
  return size < Infinity && size > restless * ofQuestions;
}

/** The threshold of `isRestless`. By chance alone, 1 series in 25 exceeds it after 8 runs, 1 in 400 after 20. */
const restless = 2;

function describe(change: ChangePoint, { values, scale, better }: SearchSubject): TrendChange {
  const placeAt = (index: number) => (values[index] as SeriesValue).place;
  const toScale = (size: number) => (scale === 'ratio' ? Math.exp(size) : size);
  const isUp = change.difference > 0;
  return {
    before: placeAt(change.index - 1),
    after: placeAt(change.index),
    earliest: placeAt(change.earliest - 1),
    latest: placeAt(change.latest),
    difference: toScale(change.difference),
    lower: toScale(change.lower),
    upper: toScale(change.upper),
    pValue: change.pValue,
    finding: better === null ? 'different' : isUp === (better === 'higher') ? 'better' : 'worse',
  };
}

/**
 * Returns the standard error behind an interval: half its width over the normal quantile, slightly too large for few
 * values. If all values are equal it is the least step, since other values were possible. Null without an interval.
 */
export function standardErrorOf({ lower, upper, confidence }: Estimate, step: number): number | null {
  if (lower === null || upper === null) return null;
  const standardError = (upper - lower) / 2 / normalQuantile((1 + confidence) / 2);
  const least = Math.max(standardError, step);
  return least > 0 ? least : null;
}
