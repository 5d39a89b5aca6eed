import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Contradiction, Correlations, Disagreement } from '../schema/summary.ts';
import type { VerdictNumbers } from '../schema/verdict.ts';
import { createRandom } from '../stats/random.ts';
import { spearman } from '../stats/spearman.ts';
import { type DisagreementKind, disagreementKinds, type Side } from './disagreement-kinds.ts';

/** What is looked for, and how much of it is named. */
export interface DisagreementChoices extends WidestLimits {
  readonly kinds: readonly DisagreementKind[];
}

/** What a summary names: enough to begin with. */
const forSummary: DisagreementChoices = { kinds: disagreementKinds, most: 5, oncePerCase: true };

/** Shares are made by dividing. */
const tolerance = 1e-9;

/**
 * Counts the answers on which metrics of a run contradict each other, kind by kind, and names those that are widest apart;
 * in memory that does not grow with the number of answers. A verdict that was not measured contradicts nothing.
 */
export function createDisagreementTally(run: Run, { kinds, ...limits } = forSummary) {
  const metrics = run.metrics.map(({ name }) => name);
  const targets = run.targets.map(({ name }) => name);
  const values = new Float64Array(metrics.length);
  const speakers = createSpeakers(run, values);
  const tallies = kinds.flatMap((kind) => {
    const [high, low] = [speakers.add(kind.high, 'least'), speakers.add(kind.low, 'most')];
    if (high === undefined || low === undefined) return [];
    const counts = targets.map((target) => ({ target, compared: 0, count: 0 }));
    return [{ kind, high, low, counts, widest: createWidest(limits) }];
  });

  const heard = speakers.heard();

  return {
    /** Counts an answer; says whether metrics contradict each other on it. */
    add: ({ trial: { ordinal, caseId, target }, verdicts }: Outcome): boolean => {
      const place = targets.indexOf(target);
      if (tallies.length === 0 || place === -1) return false;
      for (const metric of heard) values[metric] = valueOf(verdicts[metrics[metric] as string]);
      let isContradictory = false;
      const speaking = speakers.find();
      for (const { kind, high, low, counts, widest } of tallies) {
        const above = speaking[high] as number;
        const below = speaking[low] as number;
        const count = counts[place];
        if (above === nobody || below === nobody || count === undefined) continue;
        count.compared += 1;
        const most = values[above] as number;
        const least = values[below] as number;
        if (most < kind.high.limit - tolerance || least > kind.low.limit + tolerance) continue;
        isContradictory = true;
        count.count += 1;
        const opinions = {
          high: { metric: metrics[above] as string, value: most },
          low: { metric: metrics[below] as string, value: least },
        };
        widest.offer({ ordinal, caseId, target, ...opinions });
      }
      return isContradictory;
    },
    /** The kinds that the metrics of the run allow, those seen most often first; undefined when they allow none. */
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

/** Quantities are neither high nor low, and so are nobody's opinion. */
function valueOf(verdict: VerdictNumbers | undefined): number {
  if (verdict?.status === 'failed') return failed;
  return verdict?.status === 'scored' && verdict.unit === undefined ? verdict.value : Number.NaN;
}

/** How many answers are kept. */
interface WidestLimits {
  readonly most: number;
  /** Whether a case is kept once, with the answer on which metrics are widest apart. */
  readonly oncePerCase: boolean;
}

/** Keeps the answers on which metrics are widest apart; the first of equals first. */
function createWidest({ most, oncePerCase }: WidestLimits) {
  const kept: Contradiction[] = [];
  return {
    offer: (found: Contradiction): void => {
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
    /** The widest apart first. */
    all: (): Contradiction[] => kept,
  };
}

function gapOf({ high, low }: Contradiction): number {
  return high.value - low.value;
}

/** The value of a metric that failed; one that said nothing is NaN. */
const failed = Number.NEGATIVE_INFINITY;

/** The place of no metric. */
const nobody = -1;

/** One side, as it is asked for. */
interface Asked {
  readonly ranks: readonly (readonly number[])[];
  /** Of several metrics, the one with the least value speaks; with −1 the one with the most. */
  readonly sign: 1 | -1;
}

/**
 * Finds out which metrics speak for the sides of contradictions.
 * @param values - The value of every metric of the run, filled in anew for each answer.
 */
function createSpeakers(run: Run, values: Float64Array) {
  const sides: Asked[] = [];
  let speaking = new Int32Array(0);
  return {
    /**
     * Takes up a side; gives its place in what `find` returns, or undefined when the run has no metric for it.
     * @param which - Which of several metrics speaks: the one with the least or the most value.
     */
    add: ({ by }: Side, which: 'least' | 'most'): number | undefined => {
      const side: Asked = { ranks: rankMetrics(run, by), sign: which === 'least' ? 1 : -1 };
      if (side.ranks.length === 0) return undefined;
      const known = sides.findIndex((other) => isDeepStrictEqual(other, side));
      if (known !== -1) return known;
      sides.push(side);
      speaking = new Int32Array(sides.length);
      return sides.length - 1;
    },
    /** The places of the metrics that may speak. */
    heard: (): number[] => [...new Set(sides.flatMap(({ ranks }) => ranks.flat()))],
    /** For every side that was taken up, the place of the metric that speaks for it in an answer, or `nobody`. */
    find: (): Int32Array => {
      for (let side = 0; side < sides.length; side += 1) {
        speaking[side] = speakerOf(sides[side] as Asked, values);
      }
      return speaking;
    },
  };
}

function rankMetrics({ metrics }: Run, by: Side['by']): number[][] {
  const ranks = by.map((wanted) =>
    metrics.flatMap(({ use, family }, place) =>
      ('use' in wanted ? use.use === wanted.use : family === wanted.family) ? [place] : [],
    ),
  );
  return ranks.filter(({ length }) => length > 0);
}

function speakerOf({ ranks, sign }: Asked, values: Float64Array): number {
  for (const places of ranks) {
    let speaker = nobody;
    let least = Number.POSITIVE_INFINITY;
    for (const place of places) {
      const value = values[place] as number;
      // What a metric that failed would have said is not known, and no lesser authority replaces it.
      if (value === failed) return nobody;
      if (sign * value >= least || Number.isNaN(value)) continue;
      speaker = place;
      least = sign * value;
    }
    if (speaker !== nobody) return speaker;
  }
  return nobody;
}

/** Enough for a coefficient that is good to about 0.06, and few enough to rank in no time. */
const mostSampled = 1000;
const leastPairs = 10;

/**
 * Shows which metrics of a run measure the same: Spearman's coefficient of every two of them over the answers that both
 * measured. Of many answers a sample is ranked, drawn with equal chances in bounded memory (reservoir sampling, algorithm R
 * of J. S. Vitter, ACM TOMS 11 (1985)).
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
    /** Undefined where no two metrics can be held against each other. */
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
