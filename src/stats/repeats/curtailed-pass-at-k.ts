import { checkDomain } from '../check-domain.ts';
import { momentsOf } from '../moments.ts';
import type { PassEstimate } from '../pass-at-k.ts';
import type { AttemptCounts } from './attempt-counts.ts';
import { beforeLast, type CountedAttempts } from './curtailed-rate.ts';
import { type AttemptRule, checkRule } from './settle-attempts.ts';

/** Attempts of every task that stopped as soon as they settled the rule, and how many at a time are asked about. */
export type CurtailedPassOptions = AttemptRule & {
  /** For every task its measured attempts `n` and how many of them passed, `c`. */
  readonly counts: readonly AttemptCounts[];
  /** A whole number above 0. */
  readonly k: number;
};

/**
 * pass@k of curtailed attempts: chance that at least one of k attempts passes, averaged over tasks; without bias. Undefined
 * where attempts stop before k failures: so many in a row are never seen.
 *
 * Method: Girshick, Mosteller & Savage (1946): 1 − the share of the ways to the end that begin with k failures.
 *
 * @throws RangeError unless k is a whole number above 0 and all counts are such as {@link curtailedRate} takes.
 */
export function curtailedPassAtK(options: CurtailedPassOptions): PassEstimate {
  const stop = options.planned - options.required + 1;
  const what = `attempts stop at ${stop} failed, so ${options.k} failures in a row are never seen`;
  return meanOverTasks(options, options.k > stop ? what : undefined, (task, { n, c }) => {
    if (task.n === 0) return c;
    const failed = task.n - task.marked;
    const isAll = n === options.k && c === 0;
    return isAll ? 0 : 1 - shareBeginning(task.n, failed, options.k);
  });
}

/**
 * pass^k of curtailed attempts: chance that all of k attempts pass, averaged over tasks; without bias. Undefined where
 * attempts stop before k passes: so many in a row are never seen.
 *
 * Method: Girshick, Mosteller & Savage (1946): the share of the ways to the end that begin with k passes.
 *
 * @throws RangeError unless k is a whole number above 0 and all counts are such as {@link curtailedRate} takes.
 */
export function curtailedPassHatK(options: CurtailedPassOptions): PassEstimate {
  const what = `attempts stop at ${options.required} passed, so ${options.k} passes in a row are never seen`;
  return meanOverTasks(options, options.k > options.required ? what : undefined, (task, { n, c }) => {
    const isAll = n === options.k && c === n;
    return isAll ? 1 : shareBeginning(task.n, task.marked, options.k);
  });
}

function meanOverTasks(
  { counts, k, planned, required }: CurtailedPassOptions,
  refusal: string | undefined,
  estimate: (task: CountedAttempts, counts: AttemptCounts) => number,
): PassEstimate {
  checkDomain(Number.isSafeInteger(k) && k > 0, 'k', k, 'a whole number above 0');
  checkRule({ planned, required });
  const tasks = counts.map(({ n, c }) => {
    const task = beforeLast({ trials: n, successes: c, planned, required });
    // Not settled, since attempts could not be measured: too few are left.
    if (task.decision === 'continue' && n < k) return null;
    return estimate(task, { n, c });
  });
  const { n, mean } = momentsOf(tasks.filter((task) => task !== null));
  const basis = { k, n, leftOut: counts.length - n, tasks };
  if (refusal === undefined && n > 0) return { ...basis, status: 'defined', estimate: mean };
  const none = counts.length === 0 ? 'no tasks' : `no task has ${k} attempts`;
  const nothing = { n: 0, leftOut: counts.length, tasks: counts.map(() => null) };
  return { ...basis, ...nothing, status: 'undefined', estimate: null, reason: refusal ?? none };
}

/** Share of the orders of n attempts, `marked` of them of one kind, that begin with k of that kind. */
function shareBeginning(n: number, marked: number, k: number): number {
  if (marked < k) return 0;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= (marked - drawn) / (n - drawn);
  return share;
}
