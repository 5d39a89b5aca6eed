import { isDeepStrictEqual } from 'node:util';
import { aspectOf } from '../../core/schema/metric.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Contradiction, Disagreement } from '../../core/schema/summary.ts';
import type { Correlations } from '../../core/schema/metric.ts';
import type { VerdictNumbers } from '../../core/schema/verdict.ts';
import { createRandom } from '../../core/stats/random.ts';
import { spearman } from '../../core/stats/correlation/spearman.ts';
import { type DisagreementKind, disagreementKinds, type Side } from './disagreement-kinds.ts';

/** Options of a disagreement tally. */
export interface DisagreementChoices extends WidestLimits {
  readonly kinds: readonly DisagreementKind[];
}

/** The options for a summary, which lists a few examples. */
const forSummary: DisagreementChoices = { kinds: disagreementKinds, most: 5, oncePerCase: true };

/** The tolerance for shares, which result from divisions. */
const tolerance = 1e-9;

/**
 * Creates a tally of the answers on which metrics of a run contradict each other, by kind, with those that are widest
 * apart, in memory that does not grow with the number of answers. A verdict that was not measured contradicts
 * nothing.
 */
export function createDisagreementTally(run: Run, { kinds, ...limits } = forSummary) {
  const metrics = run.metrics.map(({ name }) => name);
  const targets = run.targets.map(({ name }) => name);
  const values = new Float64Array(metrics.length);
  const deciders = createDeciders(run, values);
  const tallies = kinds.flatMap((kind) => {
    const [high, low] = [deciders.add(kind.high, 'least'), deciders.add(kind.low, 'most')];
    if (high === undefined || low === undefined) return [];
    const counts = targets.map((target) => ({ target, compared: 0, count: 0 }));
    return [{ kind, high, low, counts, widest: createWidest(limits) }];
  });

  const relevant = deciders.places();

  return {
    /** Adds an answer; returns whether metrics contradict each other on it. */
    add: ({ trial: { ordinal, caseId, target }, verdicts }: Outcome): boolean => {
      const place = targets.indexOf(target);
      if (tallies.length === 0 || place === -1) return false;
      for (const metric of relevant) values[metric] = valueOf(verdicts[metrics[metric] as string]);
      let isContradictory = false;
      const deciding = deciders.find();
      for (const { kind, high, low, counts, widest } of tallies) {
        const above = deciding[high] as number;
        const below = deciding[low] as number;
        const count = counts[place];
        if (above === noMetric || below === noMetric || count === undefined) continue;
        count.compared += 1;
        const most = values[above] as number;
        const least = values[below] as number;
        if (most < kind.high.limit - tolerance || least > kind.low.limit + tolerance) continue;
        isContradictory = true;
        count.count += 1;
        const sides = {
          high: { metric: metrics[above] as string, value: most },
          low: { metric: metrics[below] as string, value: least },
        };
        widest.add({ ordinal, caseId, target, ...sides });
      }
      return isContradictory;
    },
    /**
     * Returns the kinds that the metrics of the run allow, the most frequent first; undefined when they allow none.
     */
    summarize: (): Disagreement[] | undefined => {
      if (tallies.length === 0) return undefined;
      const all = tallies.map(({ kind: { name, title, reading }, counts, widest }): Disagreement => {
        const compared = counts.reduce((sum, one) => sum + one.compared, 0);
        const count = counts.reduce((sum, one) => sum + one.count, 0);
        return { kind: name, title, reading, compared, count, targets: counts, widest: widest.all() };
      });
      return all.toSorted((a, b) => b.count - a.count);
    },
  };
}

/** The value for a metric that failed; a metric without a verdict is NaN. */
const failed = Number.NEGATIVE_INFINITY;

/** Returns the value of a verdict. Quantities are neither high nor low, so they are NaN. */
function valueOf(verdict: VerdictNumbers | undefined): number {
  if (verdict?.status === 'failed') return failed;
  return verdict?.status === 'scored' && verdict.unit === undefined ? verdict.value : Number.NaN;
}

/** Limits of the listed answers. */
interface WidestLimits {
  readonly most: number;
  /** True to list a case once, with the answer on which metrics are widest apart. */
  readonly oncePerCase: boolean;
}

/**
 * Creates a list of the answers on which metrics are widest apart, widest first; of equals, the first comes first.
 */
function createWidest({ most, oncePerCase }: WidestLimits) {
  const kept: Contradiction[] = [];
  return {
    add: (found: Contradiction): void => {
      const last = kept.at(-1);
      if (most === 0 || (last !== undefined && kept.length >= most && gapOf(found) <= gapOf(last))) return;
      const same = oncePerCase ? kept.findIndex(({ caseId }) => caseId === found.caseId) : -1;
      const other = kept[same];
      if (other !== undefined && gapOf(other) >= gapOf(found)) return;
      if (other !== undefined) kept.splice(same, 1);
      const place = kept.findIndex((one) => gapOf(one) < gapOf(found));
      kept.splice(place === -1 ? kept.length : place, 0, found);
      if (kept.length > most) kept.pop();
    },
    /** Returns the answers, the widest apart first. */
    all: (): Contradiction[] => kept,
  };
}

function gapOf({ high, low }: Contradiction): number {
  return high.value - low.value;
}

/** The place for no metric. */
const noMetric = -1;

/** A side of a contradiction, resolved to the metrics of a run. */
interface RankedSide {
  readonly ranks: readonly (readonly number[])[];
  /** 1 when the metric with the least value decides, −1 when the one with the greatest does. */
  readonly sign: 1 | -1;
}

/**
 * Creates the selection of the metrics that decide the sides of contradictions.
 * @param values - The value of every metric of the run, updated for each answer.
 */
function createDeciders(run: Run, values: Float64Array) {
  const sides: RankedSide[] = [];
  let deciding = new Int32Array(0);
  return {
    /**
     * Adds a side; returns its place in the result of `find`, or undefined when the run has no metric for it.
     * @param which - The metric that decides among several: the one with the least or the greatest value.
     */
    add: ({ by }: Side, which: 'least' | 'most'): number | undefined => {
      const side: RankedSide = { ranks: rankMetrics(run, by), sign: which === 'least' ? 1 : -1 };
      if (side.ranks.length === 0) return undefined;
      const known = sides.findIndex((other) => isDeepStrictEqual(other, side));
      if (known !== -1) return known;
      sides.push(side);
      deciding = new Int32Array(sides.length);
      return sides.length - 1;
    },
    /** Returns the places of the metrics that may decide. */
    places: (): number[] => [...new Set(sides.flatMap(({ ranks }) => ranks.flat()))],
    /** Finds the place of the deciding metric for every added side, or `noMetric`. */
    find: (): Int32Array => {
      for (let side = 0; side < sides.length; side += 1) {
        deciding[side] = decidingMetric(sides[side] as RankedSide, values);
      }
      return deciding;
    },
  };
}

function rankMetrics({ metrics }: Run, by: Side['by']): number[][] {
  const ranks = by.map((wanted) =>
    metrics.flatMap((metric, place) =>
      ('aspect' in wanted ? aspectOf(metric) === wanted.aspect : metric.family === wanted.family)
        ? [place]
        : [],
    ),
  );
  return ranks.filter(({ length }) => length > 0);
}

function decidingMetric({ ranks, sign }: RankedSide, values: Float64Array): number {
  for (const places of ranks) {
    let decider = noMetric;
    let least = Number.POSITIVE_INFINITY;
    for (const place of places) {
      const value = values[place] as number;
      // The verdict of a metric that failed is unknown, and no metric of lower priority replaces it.
      if (value === failed) return noMetric;
      if (sign * value >= least || Number.isNaN(value)) continue;
      decider = place;
      least = sign * value;
    }
    if (decider !== noMetric) return decider;
  }
  return noMetric;
}

/** The size of the sample: enough for a coefficient with an error of about 0.06, and few enough to rank quickly. */
const mostSampled = 1000;
const leastPairs = 10;

/**
 * Creates the correlation of every two metrics of a run, which shows those that measure the same: Spearman's
 * coefficient over the answers that both measured. Of many answers a sample is ranked, drawn with equal probabilities
 * in bounded memory (reservoir sampling, algorithm R of J. S. Vitter, ACM TOMS 11 (1985)).
 */
export function createMetricCorrelation(run: Run) {
  const metrics = run.metrics.map(({ name }) => name);
  const random = createRandom(run.seed).fork('correlations');
  const sample: Float64Array[] = [];
  let trials = 0;
  return {
    add: ({ verdicts }: Outcome): void => {
      if (metrics.length < 2) return;
      trials += 1;
      const place = trials <= mostSampled ? trials - 1 : random.integer(trials);
      if (place >= mostSampled) return;
      sample[place] = Float64Array.from(metrics, (metric) => {
        const verdict = verdicts[metric];
        return verdict?.status === 'scored' ? verdict.value : Number.NaN;
      });
    },
    /** Returns the correlations; undefined when no two metrics can be compared. */
    summarize: (): Correlations | undefined => {
      const pairs = metrics.flatMap((second, to) =>
        metrics.slice(0, to).flatMap((first, from): Correlations['pairs'] => {
          const both = sample.filter((row) => !Number.isNaN(row[from]) && !Number.isNaN(row[to]));
          if (both.length < leastPairs) return [];
          const valuesOf = (column: number) => Float64Array.from(both, (row) => row[column] as number);
          const { value, n } = spearman({ a: valuesOf(from), b: valuesOf(to) });
          return value === null ? [] : [{ metrics: [first, second], spearman: value, n }];
        }),
      );
      return pairs.length === 0 ? undefined : { trials, sampled: sample.length, pairs };
    },
  };
}
