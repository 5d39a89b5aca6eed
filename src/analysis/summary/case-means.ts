import type { Outcome } from '../../schema/result.ts';
import {
  type ClusteredMoments,
  type ClusteredMomentsAccumulator,
  createClusteredMoments,
} from '../../stats/means/clustered-moments.ts';
import { type ClusterNumbers, createTruthCount, type Truths } from './estimates.ts';

/** Of an outcome, which case it is of, and which cases that depends on. */
export type OfCase = {
  readonly trial: Pick<Outcome['trial'], 'caseId'>;
  readonly case: Pick<Outcome['case'], 'cluster'>;
  readonly weight?: Outcome['weight'];
};

/** Collects values of cases; those of a case come one after the other. */
export interface CaseMeans {
  add(of: OfCase, value: number): void;
  /** To be asked for once, after the last value. */
  moments(): ClusteredMoments;
  /** undefined without values, and unless all were 0 or 1. */
  truths(): Truths | undefined;
}

/**
 * The mean over cases of each case's own mean, so that repeats are not taken for independent cases.
 * @param attempts - Values that there may be of a case.
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
