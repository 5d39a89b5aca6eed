import type { Correlations } from '../../schema/correlation.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { createRandom } from '../../stats/random.ts';
import { spearman } from '../../stats/spearman.ts';

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
