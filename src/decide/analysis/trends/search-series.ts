import { uncategorized } from '../../../core/schema/case.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import { betterIn } from '../../../core/schema/metric.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TrendPlace, TrendPoint, TrendSearch } from '../../../core/schema/trends.ts';
import { defaultConfidence } from '../../../core/stats/interval.ts';
import { normalQuantile } from '../../../core/stats/normal.ts';
import { studentTQuantile } from '../../../core/stats/student-t.ts';
import { searchChanges, type SeriesValue, standardErrorOf } from './search-changes.ts';
import type { LonePoint } from './trend-points.ts';
import { findBreaks, rulesOf, type TrendMeasure, type TrendRules } from './trend-rules.ts';

/** The scope of the search in a target's series. */
export interface SeriesView {
  readonly measure: TrendMeasure;
  /** The only category that the measure covers. */
  readonly category: string | undefined;
  /** Reads the runs of a series question by question; undefined when they are too large or not available. */
  readonly readSteps: (runs: readonly Run[]) => Promise<readonly QuestionStep[][] | undefined>;
}

/**
 * Searches every series of a target: the measure itself, latency and cost, and the categories of the newest series.
 */
export async function searchSeries(placed: readonly PlacedPoint[], view: SeriesView): Promise<TrendSearch[]> {
  const members = placed.filter(({ point }) => point.series !== null);
  const all = [...Map.groupBy(members, ({ point }) => point.series as number)];
  const joined = all.filter(([, points]) => points.length >= 2);
  const newest = members.findLast(({ point }) => joined.some(([number]) => number === point.series))?.point
    .series;
  const searches: TrendSearch[] = [];
  for (const [number, points] of joined) {
    const steps = await view.readSteps(points.map(({ run }) => run));
    const series = { number, points, steps };
    const hasCategories = view.category === undefined && view.measure.type === 'score' && number === newest;
    const judged = withoutUnlike(points);
    searches.push(judged(searchMeasure(series, view)), ...searchUsage(series));
    if (hasCategories) searches.push(...searchCategories(series).map(judged));
  }
  return searches;
}

/** A series of comparable runs. */
interface Series {
  readonly number: number;
  readonly points: readonly PlacedPoint[];
  readonly steps: readonly (readonly QuestionStep[])[] | undefined;
}

/**
 * Returns a function that takes the changes from a search of values that a judge decides with error rates that are not the same
 * for all runs of the series, or not known to be: they would be changes of the judge's errors.
 */
function withoutUnlike(points: readonly PlacedPoint[]): (search: TrendSearch) => TrendSearch {
  if (new Set(points.map(({ judge }) => judge)).size < 2) return (search) => search;
  const reason =
    'it rests on a certified judge, whose error rates are not the same for all versions of the target, or not known to be; compare two runs by `touchstone compare`';
  return ({ reason: _before, ...search }) => ({ ...search, changes: [], reason });
}

function searchMeasure(series: Series, { measure, category }: SeriesView): TrendSearch {
  const { type, name, unit } = measure;
  const { points } = series;
  return searchChanges({
    measure: type,
    name,
    series: series.number,
    unit,
    scale: 'difference',
    confidence: defaultConfidence,
    better: betterIn(unit),
    values: points.flatMap(({ point }) => toValue(point, point.value, unit)),
    newest: points.at(-1)?.point.value,
    questionNoise: noiseOf(series, category),
  });
}

function searchUsage({ points, number: series }: Series): TrendSearch[] {
  const usage = { latency: 'ms', cost: 'USD' } as const;
  return (['latency', 'cost'] as const).flatMap((measure) => {
    const values = points.flatMap(({ point }) => {
      const value = (measure === 'latency' ? point.latency?.p50 : point.cost) ?? 0;
      // A time or a cost of 0 has no logarithm.
      return value > 0 ? [{ place: placeOf(point), value, standardError: null, step: leastRatio }] : [];
    });
    if (values.length === 0) return [];
    const about = { measure, name: measure, series, unit: usage[measure], scale: 'ratio' } as const;
    return [searchChanges({ ...about, confidence: defaultConfidence, better: 'lower', values })];
  });
}

/** The ratio below which changes of time and cost are not worth reporting. */
const leastRatio = Math.log(1.05);

/**
 * Searches each category with its share of the error, so that many categories do not make a false finding more
 * likely.
 */
function searchCategories(series: Series): TrendSearch[] {
  const { points } = series;
  const names = (points.at(-1)?.summary?.categories ?? []).map(({ category }) => category);
  if (names.length < 2) return [];
  const scoreIn = ({ summary }: PlacedPoint, name: string) =>
    summary?.categories.find(({ category }) => category === name)?.score;
  return names
    .filter((name) => name !== uncategorized)
    .map((name) =>
      searchChanges({
        measure: 'category',
        name,
        series: series.number,
        unit: undefined,
        scale: 'difference',
        confidence: 1 - (1 - defaultConfidence) / names.length,
        better: 'higher',
        values: points.flatMap((each) => toValue(each.point, scoreIn(each, name), undefined)),
        newest: points.map((each) => scoreIn(each, name)).at(-1),
        questionNoise: noiseOf(series, name),
      }),
    );
}

/** Returns the chance variation of a run, over all of its questions or the questions of a category. */
function noiseOf({ steps }: Series, name: string | undefined): number | null {
  if (steps === undefined) return null;
  if (name === undefined) return questionNoise(steps);
  return questionNoise(steps.map((step) => step.filter(({ category }) => category === name)));
}

function toValue(
  point: TrendPlace & Pick<PlacedPoint['point'], 'run'>,
  estimate: Estimate | undefined,
  unit: string | undefined,
): SeriesValue[] {
  if (estimate === undefined || estimate.value === null) return [];
  const step = unit === undefined && estimate.n > 0 ? 1 / estimate.n : 0;
  const standardError = standardErrorOf(estimate, step);
  return [{ place: placeOf(point), value: estimate.value, standardError, step }];
}

function placeOf({ run, git }: TrendPlace): TrendPlace {
  return { run, git };
}

/** The change of one question between two consecutive runs. */
export interface QuestionStep {
  readonly difference: number;
  readonly category: string;
  /** The cluster of questions that do not vary independently; undefined for an independent question. */
  readonly cluster: string | undefined;
  /** Its weight; 1 where all questions weigh the same. */
  readonly weight: number;
}

/** The least number of questions, or clusters, from which chance variation is estimated. */
const leastUnits = 5;

/**
 * Estimates the standard error of a run's mean when the same questions are asked again: from half of the variance of
 * the mean step from one run to the next, which is clustered (CR1) and pooled over all steps. A change of level
 * enters one of the steps, and only by as much as it differs between questions. Student's t over the normal quantile
 * enlarges it for the uncertainty of few steps. Returns null when fewer than 5 questions, or clusters, were asked
 * twice.
 */
export function questionNoise(steps: readonly (readonly QuestionStep[])[]): number | null {
  let [variances, freedom, count] = [0, 0, 0];
  for (const step of steps) {
    const { variance, units } = varianceOfMean(step);
    if (units < leastUnits) continue;
    variances += variance;
    freedom += units - 1;
    count += 1;
  }
  if (count === 0) return null;
  const p = 0.025;
  const allowance = studentTQuantile({ p, degreesOfFreedom: freedom }) / normalQuantile(p);
  return Math.sqrt(variances / count / 2) * allowance;
}

/** Computes the variance of a mean step, cluster-robust (CR1) as in `clusterInterval`. */
function varianceOfMean(steps: readonly QuestionStep[]): { variance: number; units: number } {
  const total = steps.reduce((sum, { weight }) => sum + weight, 0);
  const mean = steps.reduce((sum, { difference, weight }) => sum + weight * difference, 0) / total;
  const sums = new Map<string | number, number>();
  for (const [place, { difference, cluster, weight }] of steps.entries()) {
    const unit = cluster ?? place;
    sums.set(unit, (sums.get(unit) ?? 0) + weight * (difference - mean));
  }
  const units = sums.size;
  if (units < 2) return { variance: 0, units };
  const squares = [...sums.values()].reduce((sum, each) => sum + each * each, 0);
  return { variance: (squares * units) / (units - 1) / total ** 2, units };
}

/** A point with its series. */
interface PlacedPoint extends LonePoint {
  readonly point: TrendPoint;
}

/**
 * Joins comparable runs to series, even if other runs lie between them, and records what changed from one run to the
 * next. Runs that are excluded belong to no series and are compared with none.
 */
export function joinSeries(lone: readonly LonePoint[], measure: TrendMeasure): PlacedPoint[] {
  const series: TrendRules[] = [];
  let above: TrendRules | undefined;
  return lone.map((each) => {
    if (each.point.leftOut !== undefined)
      return { ...each, point: { ...each.point, series: null, breaks: [] } };
    const rules = rulesOf(each.run, measure);
    const breaks = above === undefined ? [] : findBreaks(above, rules);
    above = rules;
    const known = series.findIndex((other) => findBreaks(other, rules).length === 0);
    const number = known === -1 ? series.push(rules) : known + 1;
    return { ...each, point: { ...each.point, series: number, breaks } };
  });
}
