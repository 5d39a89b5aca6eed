import { weightAttempts } from '../../analysis/attempts.ts';
import type { Decision, RuleDecision, SequentialDecision } from '../../../core/schema/decision.ts';
import { sequentialOf } from '../../../core/schema/gate.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TargetSummary, TrialCounts } from '../../../core/schema/summary.ts';
import type { Store } from '../../../stores/store.ts';
import { joinDecisions, withExempt } from '../join-decisions.ts';
import { formatMoney, formatCount } from '../phrases.ts';
import { orderSeed } from '../watch/case-order.ts';
import { createGateWatch, type GateWatch, withLastLook } from './gate-watch.ts';

/** The result of a sequential gate for a stored run. */
export interface SequentialFinding {
  readonly sequential: SequentialDecision;
  /** The decision, if it was reached before the end; undefined when everything counts. */
  readonly decision: Decision | undefined;
  /** The final decisions of single rules. */
  readonly settled: readonly RuleDecision[];
  /** The run with its rules adjusted for the final look. */
  readonly run: Run;
}

/**
 * Replays the answers of a run in their random order, as the running gate saw them: the same answers give the same
 * decision. Returns undefined for a gate that needs every question asked.
 * @param targets - The summaries of the targets that the gate is about.
 */
export async function decideSequentially(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<SequentialFinding | undefined> {
  const watch = await createGateWatch(run, store);
  const [options, seed] = [sequentialOf(run.gate), orderSeed(run)];
  if (watch === undefined || options === undefined || seed === undefined) return undefined;
  for await (const outcomes of weightAttempts(run, store.readOutcomes(run.id))) {
    for (const outcome of outcomes) if (isCounted(run, outcome)) watch.add(outcome);
  }
  const isDecided = watch.status() !== 'continue';
  const { saved, ...counts } = sumSaved(targets);
  const sequential = { isDecided, error: options.error, seed, ...counts, ...(isDecided && { saved }) };
  const rules = watch.rules();
  return {
    sequential,
    decision: isDecided ? decisionOf(run, watch, sequential) : undefined,
    settled: rules.filter(({ status }) => status !== 'continue').map(({ rule }) => rule),
    run: { ...run, gate: withLastLook(run.gate, watch.statistical) },
  };
}

/** Returns whether a trial counts: one that was answered but not scored when the run ended does not. */
function isCounted({ metrics }: Run, { verdicts, scorecard }: Outcome): boolean {
  return metrics.length === 0 || scorecard !== null || Object.keys(verdicts).length > 0;
}

function decisionOf(run: Run, watch: GateWatch, sequential: SequentialDecision): Decision {
  const outcome = watch.status() === 'pass' ? 'pass' : 'fail';
  const rules = watch.rules();
  // One failed rule decides: the outcome of the others stays open.
  const decided = rules.map(({ rule, status }) =>
    status === 'continue' ? { ...rule, outcome: 'inconclusive' as const } : rule,
  );
  const counted = decided.filter((rule) => outcome === 'pass' || rule.outcome === 'fail');
  const joined = joinDecisions({ outcome: 'pass', reasons: [] }, counted, run.gate);
  const reasons = [...describeSequence(sequential, outcome), ...joined.reasons];
  return withExempt({ ...joined, reasons, rules: decided, sequential }, watch.marks.exempt);
}

/** Describes how much was asked and saved, in sentences, the most important first. */
function describeSequence(
  { error, seed, asked, planned, saved }: SequentialDecision,
  outcome: 'pass' | 'fail',
): string[] {
  const { calls = 0, cost = null, answeringMs = null } = saved ?? {};
  const share = planned === 0 ? 0 : Math.round((100 * calls) / planned);
  const parts = [
    `${formatCount(calls, 'call')} (${share} %)`,
    ...(cost === null || cost === 0 ? [] : [`about ${formatMoney(cost)}`]),
    ...(answeringMs === null || answeringMs === 0
      ? []
      : [`about ${formatDuration(answeringMs)} of answering`]),
  ];
  const other = outcome === 'pass' ? 'breaks a rule would pass' : 'keeps every rule would fail';
  const wrong = `a target that ${other} like this in at most ${Number((error * 100).toPrecision(3))} % of runs`;
  return [
    `decided after ${asked} of ${formatCount(planned, 'attempt')}: ${outcome}; ${wrong}; saved ${parts.join(', ')}`,
    ...(calls === 0
      ? []
      : [
          `only the intervals of the rules are valid wherever a run ends: all others assume a run of a fixed size (random order, seed ${seed})`,
        ]),
  ];
}

/** Formats a duration in its largest unit: `12 min`. */
function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${Number(seconds.toPrecision(2))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3600).toPrecision(2))} h`;
}

/** Sums the trials of some targets, and the estimated cost of the trials that were not made. */
function sumSaved(
  targets: readonly TargetSummary[],
): Required<Pick<SequentialDecision, 'asked' | 'planned' | 'saved'>> {
  const all = targets.map(savedOn);
  const sum = (part: (saved: (typeof all)[number]) => number | null) =>
    all.reduce<number | null>((total, each) => {
      const amount = part(each);
      return total === null || amount === null ? null : total + amount;
    }, 0);
  return {
    asked: all.reduce((total, { asked }) => total + asked, 0),
    planned: all.reduce((total, { planned }) => total + planned, 0),
    saved: {
      calls: all.reduce((total, { calls }) => total + calls, 0),
      cost: sum(({ cost }) => cost),
      answeringMs: sum(({ answeringMs }) => answeringMs),
    },
  };
}

function savedOn({ counts: { planned }, usage: { trials, cost, latency } }: TargetSummary) {
  const calls = Math.max(0, planned - trials);
  const each = cost.sum === null || cost.reported === 0 ? null : cost.sum / cost.reported;
  return {
    asked: trials,
    planned,
    calls,
    cost: each === null ? (calls === 0 ? 0 : null) : each * calls,
    answeringMs: latency === null ? (calls === 0 ? 0 : null) : latency.p50 * calls,
  };
}

/**
 * Returns the summary of a target whose remaining trials were not needed: trials that were not made, or no longer
 * scored, are counted apart from those that could not be measured, and excluded from the coverage.
 */
export function withoutNotNeeded(target: TargetSummary): TargetSummary {
  const { counts, coverage, worstCase, bestCase } = target;
  const { planned, notNeeded = 0 } = counts;
  const left = leftOf(counts);
  if (left === 0) return target;
  const due = planned - notNeeded;
  const isEmpty = due === left;
  return {
    ...target,
    counts: markLeft(counts),
    coverage: isEmpty ? 0 : (coverage * due) / (due - left),
    // The attempts that were made represent the attempts at their case that were not needed.
    worstCase: worstCase === null || isEmpty ? null : (worstCase * planned) / (planned - left),
    bestCase: bestCase === null || isEmpty ? null : (bestCase * planned - left) / (planned - left),
    metrics: target.metrics.map((metric) => ({ ...metric, planned: metric.planned - left })),
    categories: target.categories.map((category) => ({ ...category, counts: markLeft(category.counts) })),
  };
}

/** Returns the number of trials that were not made, or answered but not scored. */
function leftOf({ notRun, unscored = 0 }: TrialCounts): number {
  return notRun + unscored;
}

function markLeft({ unscored = 0, ...counts }: TrialCounts): TrialCounts {
  const { notRun, notMeasured, notNeeded = 0 } = counts;
  if (notRun + unscored === 0) return counts;
  return {
    ...counts,
    notMeasured: notMeasured - unscored,
    notRun: 0,
    notNeeded: notNeeded + notRun + unscored,
  };
}
