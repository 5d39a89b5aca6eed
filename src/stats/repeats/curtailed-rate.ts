import { checkDomain } from '../check-domain.ts';
import { checkProgress } from '../stopping/progress.ts';
import type { Progress, StoppingDecision } from '../stopping/progress.ts';
import { type AttemptRule, checkRule } from './settle-attempts.ts';

/** What attempts that may stop early say of the chance that a single one passes. */
export type CurtailedRate = {
  readonly n: number;
  readonly decision: StoppingDecision;
} & (
  | { readonly status: 'defined'; readonly estimate: number }
  | { readonly status: 'undefined'; readonly estimate: null; readonly reason: string }
);

/**
 * Pass rate of one case whose attempts stop as soon as they settle "at least `required` of `planned` pass". The plain
 * share of passes is biased then; this is not. It can be far from the share: where a single failure settles, it is what
 * the first attempt gave.
 *
 * Method: Girshick, Mosteller & Savage (1946), share of the ways to the end that begin with a pass:
 * (c − 1) / (N − 1) when the c-th pass settles it, passes / (N − 1) when a failure does; 1 or 0 for N = 1.
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

/** Attempts as they count: without the one that settled the verdict. */
export type CountedAttempts = {
  readonly decision: StoppingDecision;
  readonly n: number;
  readonly marked: number;
};

/** How many attempts count, and how many of them passed. @throws RangeError as {@link curtailedRate}. */
export function beforeLast(options: Progress & AttemptRule): CountedAttempts {
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
