import { checkDomain } from './check-domain.ts';
import { momentsOf } from './moments.ts';

/** Attempts of every task, and how many at a time are asked about. */
export type PassOptions = {
  /** For every task its attempts `n` and how many of them passed, `c`. */
  readonly counts: readonly AttemptCounts[];
  /** A whole number above 0. */
  readonly k: number;
  /**
   * What becomes of tasks with fewer attempts than others. `own-n` (when not given): each counts with its own `n`,
   * and tasks with fewer than k are left out. `largest-n`: attempts that are missing count as failed.
   */
  readonly unequal?: 'own-n' | 'largest-n';
};

/** Mean over tasks of the chance that k attempts pass, or the reason why there is none. */
export type PassEstimate = {
  readonly k: number;
  /** Tasks that count. */
  readonly n: number;
  /** Tasks with fewer than k attempts: they do not count. */
  readonly leftOut: number;
  /** The estimate of every task, to be resampled; null for those left out. */
  readonly tasks: readonly (number | null)[];
} & (
  | { readonly status: 'defined'; readonly estimate: number }
  | { readonly status: 'undefined'; readonly estimate: null; readonly reason: string }
);

/**
 * pass@k: chance that at least one of k attempts at a task passes, averaged over tasks; without bias.
 *
 * Method: M. Chen et al., "Evaluating large language models trained on code", arXiv 2107.03374 (2021), eq. 1:
 * 1 − C(n − c, k) / C(n, k).
 *
 * @throws RangeError unless counts are whole with 0 ≤ c ≤ n and k is a whole number above 0.
 */
export function passAtK(options: PassOptions): PassEstimate {
  return meanOverTasks(options, ({ n, c }, k) => 1 - shareOfSubsets(n, n - c, k));
}

/**
 * pass^k: chance that all of k attempts at a task pass, averaged over tasks; without bias.
 *
 * Method: S. Yao et al., "τ-bench", arXiv 2406.12045 (2024): C(c, k) / C(n, k). Its program treats unequal numbers
 * of attempts as `largest-n` does.
 *
 * @throws RangeError unless counts are whole with 0 ≤ c ≤ n and k is a whole number above 0.
 */
export function passHatK(options: PassOptions): PassEstimate {
  return meanOverTasks(options, ({ n, c }, k) => shareOfSubsets(n, c, k));
}

function meanOverTasks(
  options: PassOptions,
  estimate: (task: AttemptCounts, k: number) => number,
): PassEstimate {
  const { counts, k, unequal = 'own-n' } = options;
  checkAttempts(counts);
  checkDomain(Number.isSafeInteger(k) && k > 0, 'k', k, 'a whole number above 0');
  const largest = counts.reduce((most, { n }) => Math.max(most, n), 0);
  const tasks = counts.map(({ n, c }) => {
    const attempts = unequal === 'own-n' ? n : largest;
    return attempts < k ? null : estimate({ n: attempts, c }, k);
  });
  const { n, mean } = momentsOf(tasks.filter((task) => task !== null));
  const basis = { k, n, leftOut: counts.length - n, tasks };
  if (n > 0) return { ...basis, status: 'defined', estimate: mean };
  const reason = counts.length === 0 ? 'no tasks' : `no task has ${k} attempts`;
  return { ...basis, status: 'undefined', estimate: null, reason };
}

/** C(marked, k) / C(n, k): share of the choices of k out of n that hold marked ones only. */
function shareOfSubsets(n: number, marked: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k && share > 0; drawn += 1) {
    share *= Math.max(0, marked - drawn) / (n - drawn);
  }
  return share;
}

/** Attempts at one task, and how many of them passed. */
export type AttemptCounts = { readonly n: number; readonly c: number };

/** @throws RangeError unless all counts are whole with 0 ≤ c ≤ n. */
export function checkAttempts(counts: readonly AttemptCounts[]): void {
  for (const [place, { n, c }] of counts.entries()) {
    const task = `of task ${place + 1}`;
    checkDomain(Number.isSafeInteger(n) && n >= 0, `n ${task}`, n, 'a whole number of at least 0');
    const isInside = Number.isSafeInteger(c) && c >= 0 && c <= n;
    checkDomain(isInside, `c ${task}`, c, `a whole number from 0 to n (${n})`);
  }
}
