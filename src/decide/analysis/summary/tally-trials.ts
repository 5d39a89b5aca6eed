import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { TargetSummary, TrialCounts } from '../../../core/schema/summary.ts';
import { isTargetError, untakenCode } from '../../../core/schema/trial.ts';
import { gapIn, someVerdict } from '../../../core/schema/verdict.ts';
import { createCaseMeans, type OfCase } from './case-means.ts';
import { type ClusterNumbers, estimateMean, estimateRate } from './estimates.ts';

type TrialNumbers = Pick<
  TargetSummary,
  'score' | 'passRate' | 'counts' | 'coverage' | 'weightCoverage' | 'worstCase' | 'bestCase'
>;

/** The number of planned trials and of attempts at each case, with what is needed to count them. */
export interface TrialPlan {
  readonly planned: number;
  readonly attempts: number;
  readonly clusters: ClusterNumbers;
  /** True with a scorecard; without one, a trial is measured when every metric has a verdict. */
  readonly hasScorecard: boolean;
  /** True when there are metrics to score a trial by. */
  readonly hasMetrics: boolean;
  /** Returns whether an answer is an error report. */
  readonly isErrorReport: (outcome: Outcome) => boolean;
  /** The sum of the weights of all cases; undefined where they weigh the same. */
  readonly caseWeight?: number;
}

/** Creates a tally that counts trials by outcome and averages their totals. */
export function createTrialTally(plan: TrialPlan) {
  const { planned, attempts, clusters, hasScorecard, hasMetrics, isErrorReport, caseWeight } = plan;
  const counts = {
    measured: 0,
    errors: 0,
    notMeasured: 0,
    cancelled: 0,
    passed: 0,
    failed: 0,
    errorReports: 0,
  };
  const totals = createCaseMeans(attempts, clusters);
  const passes = createShareTally(attempts, clusters);
  // As variables of the closure, these would be new heap objects at every change.
  const sums = { lower: 0, upper: 0, seen: 0, measured: 0, notNeeded: 0 };
  let seen = 0;
  let notNeeded = 0;
  const gaps = createGapTally(hasMetrics);
  let measuredInPart = 0;
  const isMeasured = ({ verdicts, scorecard }: Outcome): boolean =>
    hasScorecard
      ? typeof scorecard?.total === 'number' && scorecard.passed !== null
      : !someVerdict(verdicts, ({ status }) => status === 'failed');

  const addTotal = (outcome: Outcome): void => {
    const { scorecard } = outcome;
    if (typeof scorecard?.total !== 'number') return;
    counts[scorecard.passed === true ? 'passed' : 'failed'] += 1;
    totals.add(outcome, scorecard.total);
    passes.add(outcome, scorecard.passed === true);
  };

  return {
    add: (outcome: Outcome): void => {
      const { trial } = outcome;
      seen += 1;
      const missing = gaps.add(outcome);
      if (trial.status === 'completed' && isErrorReport(outcome) && gapIn(outcome.verdicts) !== 'invalidated')
        counts.errorReports += 1;
      const ofCase = clusters.weightOf(outcome.case) ?? 1;
      const weight = ofCase * (outcome.weight ?? 1);
      notNeeded += outcome.notNeeded ?? 0;
      const { lower, upper } = boundsOf(outcome);
      sums.lower += weight * lower;
      sums.upper += weight * upper;
      sums.seen += weight;
      sums.notNeeded += ofCase * (outcome.notNeeded ?? 0);
      if (trial.status === 'cancelled') counts.cancelled += 1;
      else if (isTargetError(trial)) counts.errors += 1;
      else if (trial.status === 'failed' || missing === 'all' || !isMeasured(outcome))
        counts.notMeasured += 1;
      else {
        counts.measured += 1;
        if (missing === 'a verdict') measuredInPart += 1;
        else sums.measured += ofCase;
        addTotal(outcome);
      }
    },
    /** The values of the score and of the pass rate. */
    values: { scores: totals, passes: passes.means },
    summarize: (): TrialNumbers => {
      const notRun = planned - seen - notNeeded;
      const spared = notNeeded > 0 && { notNeeded };
      const all: TrialCounts = { planned, ...counts, notRun, ...spared, ...gaps.summarize() };
      const needed = planned - notNeeded;
      // The weight of all planned trials, and of those that were not made.
      const whole = caseWeight === undefined ? planned : caseWeight * attempts;
      const left = caseWeight === undefined ? notRun : Math.max(0, whole - sums.seen);
      const due = whole - sums.notNeeded;
      return {
        score: estimateMean(totals),
        passRate: passes.estimate(),
        counts: all,
        coverage: needed === 0 ? 0 : (counts.measured - measuredInPart) / needed,
        ...(caseWeight !== undefined && { weightCoverage: due <= 0 ? 0 : Math.min(1, sums.measured / due) }),
        worstCase: planned === 0 || !hasScorecard ? null : sums.lower / whole,
        bestCase: planned === 0 || !hasScorecard ? null : (sums.upper + left) / whole,
      };
    },
  };
}

const anything = { lower: 0, upper: 1 };

/**
 * Returns the bounds of a trial's total. A trial without an answer could have any total, whatever its scorecard makes
 * of the error.
 */
function boundsOf({ trial, scorecard }: Outcome): { readonly lower: number; readonly upper: number } {
  return trial.status === 'completed' && scorecard !== null ? scorecard : anything;
}

/** Creates a tally of the share of trials with a boolean property. */
export function createShareTally(attempts: number, clusters: ClusterNumbers) {
  const means = createCaseMeans(attempts, clusters);
  return {
    means,
    add: (of: OfCase, isTrue: boolean): void => {
      means.add(of, Number(isTrue));
    },
    estimate: (): Estimate => estimateRate(means),
  };
}

/** A tally of recorded trials that are not, or not completely, scored. */
interface GapTally {
  /** Adds a trial, and returns the part that is missing. */
  add(outcome: Outcome): 'nothing' | 'a verdict' | 'all';
  summarize(): Pick<
    TrialCounts,
    'spoilt' | 'notRecorded' | 'untaken' | 'judgeFaults' | 'unchecked' | 'unscored'
  >;
}

/**
 * Creates a gap tally.
 * @param hasMetrics - True when there are metrics to score a trial by.
 */
function createGapTally(hasMetrics: boolean): GapTally {
  let [spoilt, notRecorded, untaken, judgeFaults, unchecked, unscored] = [0, 0, 0, 0, 0, 0];
  return {
    add: ({ trial, verdicts, scorecard }) => {
      const gap = gapIn(verdicts);
      if (gap === 'invalidated') {
        spoilt += 1;
        return 'all';
      }
      if (trial.error?.code === untakenCode) untaken += 1;
      else if (trial.status === 'failed' && !isTargetError(trial)) notRecorded += 1;
      if (gap === 'judge-fault') {
        judgeFaults += 1;
        return 'a verdict';
      }
      if (trial.status === 'completed' && isUnchecked(verdicts, scorecard)) unchecked += 1;
      if (!hasMetrics || trial.status === 'cancelled' || scorecard !== null || gap === undefined)
        return 'nothing';
      unscored += 1;
      return 'all';
    },
    summarize: () => ({
      ...(spoilt > 0 && { spoilt }),
      ...(notRecorded > 0 && { notRecorded }),
      ...(untaken > 0 && { untaken }),
      ...(judgeFaults > 0 && { judgeFaults }),
      ...(unchecked > 0 && { unchecked }),
      ...(unscored > 0 && { unscored }),
    }),
  };
}

/**
 * Returns whether a trial has no total although no verdict is missing: its case expects nothing that can be checked.
 */
function isUnchecked(verdicts: Outcome['verdicts'], scorecard: Outcome['scorecard']): boolean {
  if (scorecard === null || scorecard.total !== null) return false;
  return !someVerdict(verdicts, ({ status }) => status === 'failed');
}
