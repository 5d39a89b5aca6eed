import type { Outcome } from '../../../core/schema/result.ts';
import { type BoundedMeans, createBoundedMeans } from '../../../core/stats/means/bounded-means.ts';
import { type ClusterNumbers, createTruthCount, type MeasuredValues } from './estimates.ts';

/** The case of an outcome, with its cluster and its weight among the cases. */
export type OfCase = {
  readonly trial: Pick<Outcome['trial'], 'caseId'>;
  readonly case: Pick<Outcome['case'], 'cluster' | 'weight'>;
  /** The weight of the attempt within its case. */
  readonly weight?: Outcome['weight'];
};

/** Collected values of cases, added case by case; to be read after the last value. */
export interface CaseMeans extends MeasuredValues {
  add(of: OfCase, value: number): void;
}

/**
 * Creates the mean over cases of each case's own mean, so that repeats do not count as independent cases. It is weighted
 * where the cases have different weights.
 * @param attempts - Largest number of values for a case.
 */
export function createCaseMeans(attempts: number, clusters: ClusterNumbers): CaseMeans {
  const means = createBoundedMeans();
  const truths = createTruthCount();
  const ofCases =
    attempts > 1
      ? createMeansOfAttempts(means, clusters)
      : {
          add: (of: OfCase, value: number) =>
            means.add(value, clusters.of(of.case.cluster), clusters.weightOf(of.case)),
          flush: () => {},
        };
  return {
    add: (of, value) => {
      truths.add(value);
      ofCases.add(of, value);
    },
    moments: () => {
      ofCases.flush();
      return means.current();
    },
    interval: (confidence) => {
      ofCases.flush();
      return means.interval(confidence);
    },
    truths: truths.current,
  };
}

/** Averages the attempts at a case before adding the case; `flush` adds the last one. */
function createMeansOfAttempts(
  means: BoundedMeans,
  clusters: ClusterNumbers,
): Pick<CaseMeans, 'add'> & { flush(): void } {
  let caseId: string | undefined;
  let cluster: number | undefined;
  let caseWeight: number | undefined;
  let sum = 0;
  let weights = 0;

  const flush = () => {
    if (weights > 0) means.add(sum / weights, cluster, caseWeight);
    sum = 0;
    weights = 0;
  };

  return {
    add: (of, value) => {
      if (of.trial.caseId !== caseId) {
        flush();
        caseId = of.trial.caseId;
        cluster = clusters.of(of.case.cluster);
        caseWeight = clusters.weightOf(of.case);
      }
      sum += (of.weight ?? 1) * value;
      weights += of.weight ?? 1;
    },
    flush,
  };
}
