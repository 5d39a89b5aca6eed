import type { TrendPoint } from '../../schema/trends.ts';
import type { LonePoint } from './trend-points.ts';
import { findBreaks, type TrendMeasure, type TrendRules, rulesOf } from './trend-rules.ts';

/** A point with its place among those that it can be compared with. */
export interface PlacedPoint extends LonePoint {
  readonly point: TrendPoint;
}

/**
 * Joins the runs that can be compared to series, whatever other runs lie between, and notes what changed from one run to
 * the next. Runs that are left out are in no series, and nothing is held against them.
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
