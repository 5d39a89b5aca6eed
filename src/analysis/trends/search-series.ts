import { uncategorized } from '../../schema/case.ts';
import type { Estimate } from '../../schema/estimate.ts';
import type { Run } from '../../schema/run.ts';
import type { TrendPlace, TrendSearch } from '../../schema/trends.ts';
import { defaultConfidence } from '../../stats/interval.ts';
import type { PlacedPoint } from './join-series.ts';
import { type QuestionStep, questionNoise } from './question-noise.ts';
import { searchChanges, type SeriesValue, standardErrorOf } from './search-changes.ts';
import type { TrendMeasure } from './trend-rules.ts';

/** Times and costs that vary by less are not worth a mark. */
const leastRatio = Math.log(1.05);

/** What the series of a target are looked through for. */
export interface SeriesView {
  readonly measure: TrendMeasure;
  /** The only category that the measure is of. */
  readonly category: string | undefined;
  /** Reads the runs of a series question by question; undefined where that is too much, or they are not there. */
  readonly readSteps: (runs: readonly Run[]) => Promise<readonly QuestionStep[][] | undefined>;
}

/** Looks through every series of a target: the measure itself, latency and cost; and the categories of the newest one. */
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
    searches.push(searchMeasure(series, view), ...searchUsage(series));
    if (hasCategories) searches.push(...searchCategories(series));
  }
  return searches;
}

/** Runs that can be compared. */
interface Series {
  readonly number: number;
  readonly points: readonly PlacedPoint[];
  readonly steps: readonly (readonly QuestionStep[])[] | undefined;
}

/** How much a run varies by chance, by its questions or those of a category. */
function noiseOf({ steps }: Series, name: string | undefined): number | null {
  if (steps === undefined) return null;
  if (name === undefined) return questionNoise(steps);
  return questionNoise(steps.map((step) => step.filter(({ category }) => category === name)));
}

const lowerIsBetter: readonly (string | undefined)[] = ['ms', 'USD', 'tokens'];

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
    better: unit === undefined ? 'higher' : lowerIsBetter.includes(unit) ? 'lower' : null,
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

/** Each category at its share of the level, so that many categories do not make a mark more likely. */
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
  return { run, ...(git !== undefined && { git }) };
}
