import type { Outcome } from '../schema/result.ts';
import { type ClusteredMoments, createClusteredMoments } from '../stats/means/clustered-moments.ts';
import type { ClusterNumbers } from './cluster-numbers.ts';

/** Of an outcome, which case it is of, and which cases that depends on. */
export type OfCase = {
  readonly trial: Pick<Outcome['trial'], 'caseId'>;
  readonly case: Pick<Outcome['case'], 'cluster'>;
  readonly weight?: Outcome['weight'];
};

/**
 * The mean over cases of each case's own mean, so that repeats are not taken for independent cases.
 * The values of a case come one after the other.
 */
export function createCaseMeans(clusters: ClusterNumbers) {
  const means = createClusteredMoments();
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
    add: (of: OfCase, value: number): void => {
      if (of.trial.caseId !== caseId) {
        flush();
        caseId = of.trial.caseId;
        cluster = clusters.of(of.case.cluster);
      }
      sum += (of.weight ?? 1) * value;
      weights += of.weight ?? 1;
    },
    /** To be asked for once, after the last value. */
    moments: (): ClusteredMoments => {
      flush();
      return means.current();
    },
  };
}
