import type { Gate } from '../../core/schema/gate.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import { joinTargets } from './join-decisions.ts';
import { formatAttempts, formatCount, formatShare } from './phrases.ts';

const tolerance = 1e-9;

/**
 * Decides the threshold and the coverage of a gate. A trial without a measurement is neither a pass nor a fail: the
 * gate passes only if it would even in the worst case, fails only if it would even in the best, and is `not-measured`
 * otherwise. The decisive reasons come first.
 */
export function decide(targets: readonly TargetSummary[], gate: Gate): Decision {
  return joinTargets(targets.map((target) => decideTarget(target, gate)));
}

/**
 * Returns the threshold of a gate, `failUnder`, for one target in the form of a rule, for pages that list all rules with
 * their numbers. Undefined for a gate without it.
 */
export function decideThreshold(summary: TargetSummary, gate: Gate): RuleDecision | undefined {
  if (gate.failUnder === undefined) return undefined;
  const { outcome, reasons } = decideTarget(summary, gate);
  const { target, score } = summary;
  return {
    name: 'failUnder',
    type: 'score',
    target,
    outcome,
    reason: reasons.map((reason) => reason.replace(`${target}: `, '')).join('; '),
    arithmetic:
      score.value === null
        ? 'nothing to compute with'
        : `${score.effectiveCases === undefined ? '' : 'weighted '}mean of ${formatCount(score.n, 'question')} ${formatShare(score.value)}`,
    value: score.value,
    threshold: gate.failUnder / 100,
    n: score.n,
  };
}

function decideTarget(summary: TargetSummary, gate: Gate): Decision {
  const { failUnder, minCoverage } = gate;
  const { target, coverage, score, bestCase } = summary;
  const threshold = failUnder === undefined ? 0 : failUnder / 100;
  if (failUnder !== undefined && bestCase !== null && bestCase < threshold - tolerance) {
    return {
      outcome: 'fail',
      reasons: [`${target}: ${percent(score.value ?? bestCase)} is under ${failUnder} %`],
    };
  }
  const covered = Math.min(coverage, summary.weightCoverage ?? coverage);
  if (covered < minCoverage - tolerance) return decideWithGaps(summary, gate);
  if (failUnder === undefined) return { outcome: 'pass', reasons: [] };
  if (score.value === null) {
    return {
      outcome: 'not-measured',
      reasons: [`${target}: there is no score to compare with ${failUnder} %`],
    };
  }
  const isUnder = score.value < threshold - tolerance;
  const relation = isUnder ? 'is under' : 'is at least';
  return {
    outcome: isUnder ? 'fail' : 'pass',
    reasons: [`${target}: ${percent(score.value)} ${relation} ${failUnder} %`],
  };
}

/** Decides with insufficient coverage: only a gate whose worst case passes is decided. */
function decideWithGaps(summary: TargetSummary, gate: Gate): Decision {
  const { target, counts, worstCase } = summary;
  const { failUnder } = gate;
  // Without a threshold nothing here reads the score: rules that do are decided by themselves.
  if (failUnder === undefined && isMissingUncheckedAlone(summary)) return { outcome: 'pass', reasons: [] };
  const reason = `${target}: ${describeMissing(summary, gate)}`;
  // A judge outage is no evidence for the target, even when the gate could do without the judged metrics.
  const isKnown = counts.judgeFaults === undefined && failUnder !== undefined && worstCase !== null;
  if (!isKnown || worstCase < failUnder / 100 - tolerance)
    return { outcome: 'not-measured', reasons: [reason] };
  return { outcome: 'pass', reasons: [`${reason}, and even the worst case is at least ${failUnder} %`] };
}

/** Returns whether a gate requires anything besides enough measurements. */
export function hasGate({ failUnder, rules, baseline }: Gate): boolean {
  return failUnder !== undefined || rules !== undefined || baseline !== undefined;
}

/**
 * Returns whether all missing trials belong to cases that expect nothing, which have no score and may have every verdict
 * of a metric that reads no expectation, such as a rubric.
 */
function isMissingUncheckedAlone({ counts, coverage }: TargetSummary): boolean {
  const { planned, notNeeded = 0, unchecked = 0 } = counts;
  const needed = planned - notNeeded;
  return unchecked > 0 && unchecked === Math.round(needed * (1 - coverage));
}

function describeMissing(
  { counts, coverage, weightCoverage }: TargetSummary,
  { failUnder }: Pick<Gate, 'failUnder'>,
): string {
  const { planned, judgeFaults = 0, spoilt = 0 } = counts;
  const unscored = counts.unchecked ?? 0;
  const unchecked = failUnder === undefined ? 0 : unscored;
  const missing = Math.round(planned * (1 - coverage)) - unscored + unchecked;
  const byJudge = judgeFaults === 0 ? '' : `, ${judgeFaults} of them because the judge failed`;
  const byUser = spoilt === 0 ? '' : `, ${spoilt} of them because the simulated user was at fault`;
  const byCase =
    unchecked === 0
      ? ''
      : `, ${unchecked} of them because their question expects nothing that can be checked`;
  const byWeight =
    weightCoverage === undefined ? '' : ` (${percent(1 - weightCoverage)} of the weight of the questions)`;
  return `${formatAttempts(missing, planned, 'not measured')}${byWeight}${byJudge}${byUser}${byCase}`;
}

function percent(share: number | null): string {
  return share === null ? 'nothing' : formatShare(share);
}
