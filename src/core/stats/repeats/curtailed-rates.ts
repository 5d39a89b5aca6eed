import { checkDomain } from '../check-domain.ts';
import { momentsOf } from '../moments.ts';
import type { AttemptCounts, PassEstimate } from '../pass-at-k.ts';
import { checkProgress, type Progress, type StoppingDecision } from '../stopping/sequence-decision.ts';
import { type AttemptRule, checkRule } from './settle-attempts.ts';

/** The estimated chance that a single attempt passes, from attempts that may stop early. */
export type CurtailedRate = {
  readonly n: number;
  readonly decision: StoppingDecision;
} & (
  | { readonly status: 'defined'; readonly estimate: number }
  | { readonly status: 'undefined'; readonly estimate: null; readonly reason: string }
);

/**
 * Returns the pass rate of one case whose attempts stop as soon as they settle "at least `required` of `planned` pass".
 * The plain share of passes is then biased; this rate is not. It can differ much from the share: when a single failure
 * settles the rule, it is the result of the first attempt.
 *
 * Method: Girshick, Mosteller & Savage (1946), share of the ways to the end that begin with a pass: (c − 1) / (N − 1)
 * when the c-th pass settles it, passes / (N − 1) when a failure does; 1 or 0 for N = 1.
 *
 * @throws RangeError unless the counts are whole, 1 ≤ required ≤ planned, 0 ≤ successes ≤ trials ≤ planned, and
 * attempts that follow the rule can end there.
 */
export function curtailedRate(options: Progress & AttemptRule): CurtailedRate {
  const { successes, trials } = options;
  const { decision, marked, n } = beforeLast(options);
  if (trials === 0) {
    return { n: 0, decision, status: 'undefined', estimate: null, reason: 'no attempt was measured' };
  }
  return { n: trials, decision, status: 'defined', estimate: n === 0 ? successes : marked / n };
}

/** The attempts that count: all without the one that settled the verdict. */
type CountedAttempts = {
  readonly decision: StoppingDecision;
  readonly n: number;
  readonly marked: number;
};

/**
 * Returns the number of attempts that count and of those that passed.
 * @throws RangeError as {@link curtailedRate}.
 */
function beforeLast(options: Progress & AttemptRule): CountedAttempts {
  const { successes, trials, planned, required } = options;
  checkProgress(options);
  checkRule(options);
  checkDomain(trials <= planned, 'trials', trials, `at most planned (${planned})`);
  const failures = trials - successes;
  const mostFailures = planned - required + 1;
  const isPassed = successes === required;
  const isFailed = failures === mostFailures;
  checkDomain(
    successes <= required,
    'successes',
    successes,
    `at most required (${required}): it stops there`,
  );
  const isInside = failures <= mostFailures && !(isPassed && isFailed);
  checkDomain(isInside, 'failures', failures, `at most ${mostFailures - Number(isPassed)}: it stops there`);
  if (isPassed) return { decision: 'pass', n: trials - 1, marked: successes - 1 };
  if (isFailed) return { decision: 'fail', n: trials - 1, marked: successes };
  return { decision: 'continue', n: trials, marked: successes };
}

/** The attempts at every task, which stopped as soon as they settled the rule, and the number k of attempts. */
export type CurtailedPassOptions = AttemptRule & {
  /** The measured attempts `n` at every task and the number `c` of them that passed. */
  readonly counts: readonly AttemptCounts[];
  /** The number of attempts, a whole number above 0. */
  readonly k: number;
};

/**
 * Returns pass@k of curtailed attempts: the chance that at least one of k attempts passes, averaged over tasks, without
 * bias. Undefined when attempts stop before k failures: k failures in a row are never observed.
 *
 * Method: Girshick, Mosteller & Savage (1946): 1 − the share of the ways to the end that begin with k failures.
 *
 * @throws RangeError unless k is a whole number above 0 and all counts are valid for {@link curtailedRate}.
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
 * Returns pass^k of curtailed attempts: the chance that all of k attempts pass, averaged over tasks, without bias.
 * Undefined when attempts stop before k passes: k passes in a row are never observed.
 *
 * Method: Girshick, Mosteller & Savage (1946): the share of the ways to the end that begin with k passes.
 *
 * @throws RangeError unless k is a whole number above 0 and all counts are valid for {@link curtailedRate}.
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
    // The rule is not settled, because some attempts could not be measured: too few attempts are left.
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

/** Returns the share of the orders of n attempts, `marked` of them of one kind, that begin with k of that kind. */
function shareBeginning(n: number, marked: number, k: number): number {
  if (marked < k) return 0;
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= (marked - drawn) / (n - drawn);
  return share;
}
