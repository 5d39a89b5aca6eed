import { aspectOf } from '../schema/metric.ts';
import type { VerdictNumbers, VerdictsByMetric } from '../schema/verdict.ts';
import type { ContradictionRule, Side } from './contradiction-rules.ts';
import type { RunOfMetrics } from './verdict-evidence.ts';

/** The tolerance for shares, which result from divisions. */
const tolerance = 1e-9;

/** The metrics that decide the two sides of a kind for an answer, by their places in the run. */
interface Compared {
  readonly high: number;
  readonly low: number;
  /** True when the two verdicts contradict each other. */
  readonly contradicts: boolean;
}

/**
 * Creates the search for contradictions between the verdicts on an answer. A verdict that was not measured contradicts nothing.
 */
export function createContradictionFinder<Rule extends ContradictionRule>(
  run: RunOfMetrics,
  wanted: readonly Rule[],
) {
  const metrics = run.metrics.map(({ name }) => name);
  const values = new Float64Array(metrics.length);
  const deciders = createDeciders(run, values);
  const possible = wanted.flatMap((kind) => {
    const [high, low] = [deciders.add(kind.high, 'least'), deciders.add(kind.low, 'most')];
    return high === undefined || low === undefined ? [] : [{ kind, high, low }];
  });
  const relevant = deciders.places();

  return {
    /** The kinds that the metrics of the run allow. */
    kinds: possible.map(({ kind }) => kind),
    /** Calls a function for each kind whose two sides have a verdict on an answer, with its place among the kinds. */
    compare: (verdicts: VerdictsByMetric, each: (kind: number, compared: Compared) => void): void => {
      if (possible.length === 0) return;
      for (const metric of relevant) values[metric] = valueOf(verdicts[metrics[metric] as string]);
      const deciding = deciders.find();
      for (const [place, { kind, ...sides }] of possible.entries()) {
        const [high, low] = [deciding[sides.high] as number, deciding[sides.low] as number];
        if (high === noMetric || low === noMetric) continue;
        const [most, least] = [values[high] as number, values[low] as number];
        const contradicts = most >= kind.high.limit - tolerance && least <= kind.low.limit + tolerance;
        each(place, { high, low, contradicts });
      }
    },
    /** Returns the name of a metric of the run, with its value on the answer that was compared last. */
    sideAt: (metric: number): { readonly metric: string; readonly value: number } => {
      return { metric: metrics[metric] as string, value: values[metric] as number };
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
function createDeciders(run: RunOfMetrics, values: Float64Array) {
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
      const known = sides.findIndex((other) => JSON.stringify(other) === JSON.stringify(side));
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

function rankMetrics({ metrics }: RunOfMetrics, by: Side['by']): number[][] {
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
