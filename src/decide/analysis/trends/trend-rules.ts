import type { Run, RunMetric } from '../../../core/schema/run.ts';
import type { Trend, TrendBreak } from '../../../core/schema/trends.ts';
import { watchOf } from '../../../core/schema/watch/watch-record.ts';
import { fingerprintScorecard } from '../summary/fingerprint-scorecard.ts';

/** The measure of a trend. */
export type TrendMeasure = Trend['measure'];

/** Everything except the answers that determines a number, in parts. Runs with equal parts can be compared. */
export interface TrendRules {
  readonly dataset: { readonly hash: string; readonly cases: number };
  /** The watch whose days have other questions each, drawn in the same way; undefined for a run of a dataset. */
  readonly watch: string | undefined;
  readonly user: string | undefined;
  /** The fingerprint of the scorecard; undefined when it does not determine the number, or there is none. */
  readonly scorecard: string | undefined;
  /** The metrics that determine the number, by name. */
  readonly metrics: ReadonlyMap<string, RunMetric>;
}

/** Returns the rules that determine the number of a run. */
export function rulesOf(run: Run, { type, name }: TrendMeasure): TrendRules {
  const { dataset, scorecard, user } = run;
  const names = new Set(type === 'metric' ? [name] : scorecard?.criteria.map(({ metric }) => metric));
  return {
    dataset: { hash: dataset.hash, cases: dataset.cases },
    watch: watchOf(run),
    user: user?.fingerprint,
    scorecard: type === 'metric' || scorecard === null ? undefined : fingerprintScorecard(scorecard),
    metrics: new Map(
      run.metrics.filter((metric) => names.has(metric.name)).map((metric) => [metric.name, metric]),
    ),
  };
}

/** Finds the changes of rules from the previous run; empty when the numbers can be compared. */
export function findBreaks(before: TrendRules, after: TrendRules): TrendBreak[] {
  return [
    ...datasetBreak(before, after),
    ...(before.scorecard === after.scorecard ? [] : [scorecardBreak(before, after)]),
    ...[...after.metrics.values()].flatMap((metric) => metricBreak(before.metrics.get(metric.name), metric)),
    ...(before.user === after.user ? [] : [userBreak]),
  ];
}

const userBreak: TrendBreak = { kind: 'user', message: 'another user talks to the target' };

function datasetBreak(before: TrendRules, { dataset, watch }: TrendRules): TrendBreak[] {
  const { hash, cases } = before.dataset;
  if (watch === before.watch && (watch !== undefined || dataset.hash === hash)) return [];
  if (watch !== undefined)
    return [{ kind: 'dataset', message: `the questions are those of the watch ${watch}` }];
  const size = cases === dataset.cases ? `still ${cases} questions` : `${cases} → ${dataset.cases} questions`;
  return [{ kind: 'dataset', message: `the dataset changed: ${size}` }];
}

function scorecardBreak({ scorecard: a }: TrendRules, { scorecard: b }: TrendRules): TrendBreak {
  const message =
    a === undefined
      ? 'a scorecard was added'
      : b === undefined
        ? 'the scorecard was removed'
        : 'the scorecard changed';
  return { kind: 'scorecard', message };
}

/**
 * Finds the change of a metric. A metric that the previous run lacks belongs to another scorecard, which is reported
 * already.
 */
function metricBreak(before: RunMetric | undefined, after: RunMetric): TrendBreak[] {
  if (before === undefined) return [];
  const { name } = after;
  if (before.version !== after.version) {
    return [{ kind: 'metric', name, message: `changed: version ${before.version} → ${after.version}` }];
  }
  if (before.judge?.fingerprint !== after.judge?.fingerprint) {
    return [{ kind: 'judge', name, message: 'is judged by another judge' }];
  }
  if (before.fingerprint === after.fingerprint) return [];
  return [{ kind: 'metric', name, message: 'has other options or files' }];
}
