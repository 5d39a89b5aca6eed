import { checkDomain } from './check-domain.ts';
import { momentsOf } from './moments.ts';

/** The attempts at every task, and the number k of attempts. */
export type PassOptions = {
  /** The attempts `n` at every task and the number `c` of them that passed. */
  readonly counts: readonly AttemptCounts[];
  /** The number of attempts, a whole number above 0. */
  readonly k: number;
  /**
   * The treatment of tasks with fewer attempts than others. `own-n` (the default): each task counts with its own `n`,
   * and tasks with fewer than k attempts are ignored. `largest-n`: missing attempts count as failed.
   */
  readonly unequal?: 'own-n' | 'largest-n';
};

/** The mean over tasks of the chance that k attempts pass, or the reason why there is none. */
export type PassEstimate = {
  readonly k: number;
  /** The number of tasks included. */
  readonly n: number;
  /** The number of tasks with fewer than k attempts, which are ignored. */
  readonly leftOut: number;
  /** The estimate of every task, for resampling; null for ignored ones. */
  readonly tasks: readonly (number | null)[];
} & (
  | { readonly status: 'defined'; readonly estimate: number }
  | { readonly status: 'undefined'; readonly estimate: null; readonly reason: string }
);

/**
 * Returns pass@k: the chance that at least one of k attempts at a task passes, averaged over tasks, without bias.
 *
 * Method: M. Chen et al., "Evaluating large language models trained on code", arXiv 2107.03374 (2021), eq. 1: 1 − C(n −
 * c, k) / C(n, k).
 *
 * @throws RangeError unless counts are whole with 0 ≤ c ≤ n and k is a whole number above 0.
 */
export function passAtK(options: PassOptions): PassEstimate {
  return meanOverTasks(options, ({ n, c }, k) => 1 - shareOfSubsets(n, n - c, k));
}

/**
 * Returns pass^k: the chance that all of k attempts at a task pass, averaged over tasks, without bias.
 *
 * Method: S. Yao et al., "τ-bench", arXiv 2406.12045 (2024): C(c, k) / C(n, k). Its program treats unequal numbers of
 * attempts as `largest-n` does.
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

/** Returns C(marked, k) / C(n, k): the share of the choices of k out of n that contain only marked ones. */
function shareOfSubsets(n: number, marked: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k && share > 0; drawn += 1) {
    share *= Math.max(0, marked - drawn) / (n - drawn);
  }
  return share;
}

/** The number of attempts at one task and of those that passed. */
export type AttemptCounts = { readonly n: number; readonly c: number };

/**
 * Checks counts.
 * @throws RangeError unless all counts are whole with 0 ≤ c ≤ n.
 */
export function checkAttempts(counts: readonly AttemptCounts[]): void {
  for (const [place, { n, c }] of counts.entries()) {
    const task = `of task ${place + 1}`;
    checkDomain(Number.isSafeInteger(n) && n >= 0, `n ${task}`, n, 'a whole number of at least 0');
    const isInside = Number.isSafeInteger(c) && c >= 0 && c <= n;
    checkDomain(isInside, `c ${task}`, c, `a whole number from 0 to n (${n})`);
  }
}
