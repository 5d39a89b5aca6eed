import type { Outcome } from '../../schema/result.ts';
import {
  type ClusteredMoments,
  type ClusteredMomentsAccumulator,
  createClusteredMoments,
} from '../../stats/means/clustered-moments.ts';
import { type ClusterNumbers, createTruthCount, type Truths } from './estimates.ts';

/** The case of an outcome, with its cluster. */
export type OfCase = {
  readonly trial: Pick<Outcome['trial'], 'caseId'>;
  readonly case: Pick<Outcome['case'], 'cluster'>;
  readonly weight?: Outcome['weight'];
};

/** Collected values of cases, added case by case. */
export interface CaseMeans {
  add(of: OfCase, value: number): void;
  /** Returns the moments; to be called once, after the last value. */
  moments(): ClusteredMoments;
  /** Returns the counts of a boolean measure; undefined without values, or unless all were 0 or 1. */
  truths(): Truths | undefined;
}

/**
 * Creates the mean over cases of each case's own mean, so that repeats do not count as independent cases.
 * @param attempts - Largest number of values for a case.
 */
export function createCaseMeans(attempts: number, clusters: ClusterNumbers): CaseMeans {
  const means = createClusteredMoments();
  const truths = createTruthCount();
  const ofCases =
    attempts > 1
      ? createMeansOfAttempts(means, clusters)
      : {
          add: (of: OfCase, value: number) => means.add(value, clusters.of(of.case.cluster)),
          moments: means.current,
        };
  return {
    add: (of, value) => {
      truths.add(value);
      ofCases.add(of, value);
    },
    moments: ofCases.moments,
    truths: truths.current,
  };
}

function createMeansOfAttempts(
  means: ClusteredMomentsAccumulator,
  clusters: ClusterNumbers,
): Omit<CaseMeans, 'truths'> {
  let caseId: string | undefined;
  let cluster: number | undefined;
  let sum = 0;
  let weights = 0;

  const flush = () => {
    if (weights > 0) means.add(sum / weights, cluster);
    sum = 0;
    weights = 0;
  };

  return {
    add: (of, value) => {
      if (of.trial.caseId !== caseId) {
        flush();
        caseId = of.trial.caseId;
        cluster = clusters.of(of.case.cluster);
      }
      sum += (of.weight ?? 1) * value;
      weights += of.weight ?? 1;
    },
    moments: () => {
      flush();
      return means.current();
    },
  };
}
