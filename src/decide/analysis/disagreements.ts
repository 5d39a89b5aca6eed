import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Contradiction, Disagreement } from '../../core/schema/summary.ts';
import type { Correlations } from '../../core/schema/metric.ts';
import { createRandom } from '../../core/stats/random.ts';
import { spearman } from '../../core/stats/correlation/spearman.ts';
import { createContradictionFinder } from '../../core/trials/find-contradictions.ts';
import { type DisagreementKind, disagreementKinds } from './disagreement-kinds.ts';

/** Options of a disagreement tally. */
export interface DisagreementChoices extends WidestLimits {
  readonly kinds: readonly DisagreementKind[];
}

/** The options for a summary, which lists a few examples. */
const forSummary: DisagreementChoices = { kinds: disagreementKinds, most: 5, oncePerCase: true };

/**
 * Creates a tally of the answers on which metrics of a run contradict each other, by kind, with those that are widest
 * apart, in memory that does not grow with the number of answers. A verdict that was not measured contradicts
 * nothing.
 */
export function createDisagreementTally(run: Run, { kinds, ...limits } = forSummary) {
  const targets = run.targets.map(({ name }) => name);
  const finder = createContradictionFinder(run, kinds);
  const tallies = finder.kinds.map((kind) => {
    const counts = targets.map((target) => ({ target, compared: 0, count: 0 }));
    return { kind, counts, widest: createWidest(limits) };
  });

  return {
    /** Adds an answer; returns whether metrics contradict each other on it. */
    add: ({ trial: { ordinal, caseId, target }, verdicts }: Outcome): boolean => {
      const place = targets.indexOf(target);
      if (place === -1) return false;
      let isContradictory = false;
      finder.compare(verdicts, (kind, { high, low, contradicts }) => {
        const { counts, widest } = tallies[kind] as (typeof tallies)[number];
        const count = counts[place] as (typeof counts)[number];
        count.compared += 1;
        if (!contradicts) return;
        isContradictory = true;
        count.count += 1;
        widest.add({ ordinal, caseId, target, high: finder.sideAt(high), low: finder.sideAt(low) });
      });
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
