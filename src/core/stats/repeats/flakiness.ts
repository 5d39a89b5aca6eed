import { varianceComponents } from '../means/variance-components.ts';
import { momentsOf } from '../moments.ts';
import { type AttemptCounts, checkAttempts } from '../pass-at-k.ts';

type Shares = {
  /** Share of tasks with passed and failed attempts. */
  readonly flakyShare: number;
  /** Share of tasks whose attempts all have the same result. */
  readonly totalAgreement: number;
  /**
   * Chance that two attempts at a task have different results, averaged over tasks: an unbiased estimate of 2 p (1 −
   * p).
   */
  readonly disagreement: number;
};

/** The variation between attempts at the same task, or the reason why it is unknown. */
export type Flakiness = {
  /** The number of tasks with at least two attempts. */
  readonly n: number;
  /** The number of tasks with fewer attempts, which are ignored. */
  readonly leftOut: number;
} & (
  | (Shares & {
      readonly status: 'defined';
      /** Share of the variance that is difficulty of tasks, not chance; null when nothing varies or for one task. */
      readonly intraclassCorrelation: number | null;
    })
  | ({ readonly [Share in keyof Shares]: null } & {
      readonly status: 'undefined';
      readonly intraclassCorrelation: null;
      readonly reason: string;
    })
);

/**
 * Measures the flakiness of pass and fail over repeated attempts. It is a lower limit: a flake of rate q stays unseen
 * in n attempts with chance (1 − q)^n.
 *
 * Method: disagreement 2 c (n − c) / (n (n − 1)), the chance that two different attempts differ; intraclass correlation
 * of {@link varianceComponents}.
 *
 * @throws RangeError unless counts are whole with 0 ≤ c ≤ n.
 */
export function flakiness({ counts }: { readonly counts: readonly AttemptCounts[] }): Flakiness {
  checkAttempts(counts);
  const tasks = counts.filter(({ n }) => n >= 2);
  const basis = { n: tasks.length, leftOut: counts.length - tasks.length };
  if (tasks.length === 0) {
    const nothing = {
      flakyShare: null,
      totalAgreement: null,
      disagreement: null,
      intraclassCorrelation: null,
    };
    return { ...basis, ...nothing, status: 'undefined', reason: 'no task has two attempts' };
  }
  const flaky = tasks.filter(({ n, c }) => c > 0 && c < n).length;
  const table = tasks.map(({ n, c }) => Array.from({ length: n }, (_, place) => (place < c ? 1 : 0)));
  return {
    ...basis,
    status: 'defined',
    flakyShare: flaky / tasks.length,
    totalAgreement: (tasks.length - flaky) / tasks.length,
    disagreement: momentsOf(tasks.map(({ n, c }) => (2 * c * (n - c)) / (n * (n - 1)))).mean,
    intraclassCorrelation: varianceComponents({ table }).intraclassCorrelation,
  };
}
