import type { Interval } from '../stats/interval.ts';
import { createMeanAccumulator } from '../stats/mean-interval.ts';
import { confidence } from './to-estimate.ts';

/**
 * The mean over cases of each case's own mean, so that repeats are not taken for independent cases.
 * The values of a case come one after the other.
 */
export function createCaseMeans() {
  const means = createMeanAccumulator();
  let caseId: string | undefined;
  let sum = 0;
  let n = 0;

  const flush = () => {
    if (n > 0) means.add(sum / n);
    sum = 0;
    n = 0;
  };

  return {
    add: (ofCase: string, value: number): void => {
      if (ofCase !== caseId) flush();
      caseId = ofCase;
      sum += value;
      n += 1;
    },
    /** To be asked for once, after the last value. */
    interval: (): Interval => {
      flush();
      return means.interval({ confidence });
    },
  };
}
