import type { Estimate } from '../../schema/estimate.ts';
import type { TrendChange, TrendPlace, TrendSearch } from '../../schema/trends.ts';
import { normalQuantile } from '../../stats/normal.ts';
import { type ChangePoint, type ChangePointOptions, changePoints } from '../../stats/trends/change-points.ts';
import { noiseFromSteps } from '../../stats/trends/scan-windows.ts';

/** A number of a run: an estimate, or one without an interval. */
export interface SeriesValue {
  readonly place: TrendPlace;
  readonly value: number;
  /** null where the number comes without an interval. */
  readonly standardError: number | null;
  /** The least change that could be seen in one run, such as one question of all. */
  readonly step: number;
}

/** What is looked through. */
export interface SearchSubject
  extends Pick<TrendSearch, 'measure' | 'name' | 'series' | 'unit' | 'scale' | 'confidence'> {
  readonly better: 'higher' | 'lower' | null;
  readonly values: readonly SeriesValue[];
  readonly newest?: Estimate | undefined;
  /** Standard error of each value from the same questions in the runs; null or missing where that is not known. */
  readonly questionNoise?: number | null;
}

/** From so many runs on, the steps between them tell how much they vary by chance. */
const enoughRuns = 8;

/** Looks for changes of level. A ratio is looked for among logarithms. */
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
    ...(unit !== undefined && { unit }),
    scale,
    method: found.method,
    noise,
    looks: found.looks,
    assumption: assumptions[noise],
    ...(newest !== undefined && { newest }),
    changes: (found.changePoints ?? []).map((change) => describe(change, subject)),
    ...(found.status === 'undefined' && { reason: `${found.reason.replace('value', 'run')} to tell` }),
  };
}

/** What the confidence rests on, and what no look at the numbers can show. */
const assumptions = {
  questions: 'nothing but the answers to the questions varies from run to run',
  intervals: 'nothing but the answers to the questions varies from run to run',
  steps: 'neighbouring runs are correlated by at most 0.5, and at most one run in ten is far out',
} as const;

type Noise = Pick<TrendSearch, 'noise'> & Pick<ChangePointOptions, 'standardErrors' | 'leastNoise'>;

/**
 * What tells chance from change. Best are the same questions in all runs. The intervals of the runs hold for other questions
 * too, so that by them small changes are not seen; for many runs the steps between them say more. Never is it less than one
 * question in a run.
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

/** Whether runs vary clearly more than the answers to their questions do, so that something else moves whole runs. */
function isRestless(numbers: readonly number[], ofQuestions: number): boolean {
  const size = noiseFromSteps(Float64Array.from(numbers), 0)[numbers.length] as number;
  return size < Infinity && size > restless * ofQuestions;
}

/** By chance alone, 1 series in 25 exceeds it after 8 runs, 1 in 400 after 20. */
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
 * The standard error behind an interval: half its width over the normal quantile, which is a little too much for few values.
 * Where all values are alike it is the least step, since other values could have been otherwise. null without an interval.
 */
export function standardErrorOf({ lower, upper, confidence }: Estimate, step: number): number | null {
  if (lower === null || upper === null) return null;
  const standardError = (upper - lower) / 2 / normalQuantile((1 + confidence) / 2);
  const least = Math.max(standardError, step);
  return least > 0 ? least : null;
}
