import type { Outcome } from '../schema/result.ts';
import type { Estimate } from '../schema/estimate.ts';
import type { TargetSummary, TrialCounts } from '../schema/summary.ts';
import { wilsonInterval } from '../stats/proportion-interval.ts';
import { createCaseMeans } from './case-means.ts';
import { createGapTally } from './tally-gaps.ts';
import { confidence, toBoundedEstimate, toEstimate } from './to-estimate.ts';

type TrialNumbers = Pick<
  TargetSummary,
  'score' | 'passRate' | 'counts' | 'coverage' | 'worstCase' | 'bestCase'
>;

/** How many trials there should be, and how many of each case. */
export interface TrialPlan {
  readonly planned: number;
  readonly attempts: number;
  /** Without a scorecard a trial is measured when every metric has something to say of it. */
  readonly hasScorecard: boolean;
  /** Whether there is something to score a trial by. */
  readonly hasMetrics: boolean;
  /** Whether an answer is an error report. */
  readonly isErrorReport: (outcome: Outcome) => boolean;
}

/** Counts trials by where they went, and averages their totals. */
export function createTrialTally({ planned, attempts, hasScorecard, hasMetrics, isErrorReport }: TrialPlan) {
  const counts = {
    measured: 0,
    errors: 0,
    notMeasured: 0,
    cancelled: 0,
    passed: 0,
    failed: 0,
    errorReports: 0,
  };
  const totals = createCaseMeans();
  const passes = createShareTally(attempts);
  let lower = 0;
  let upper = 0;
  let seen = 0;
  const gaps = createGapTally(hasMetrics);
  let measuredInPart = 0;
  const isMeasured = ({ verdicts, scorecard }: Outcome): boolean =>
    hasScorecard
      ? typeof scorecard?.total === 'number' && scorecard.passed !== null
      : Object.values(verdicts).every(({ status }) => status !== 'failed');

  const addTotal = ({ trial, scorecard }: Outcome): void => {
    if (typeof scorecard?.total !== 'number') return;
    counts[scorecard.passed === true ? 'passed' : 'failed'] += 1;
    totals.add(trial.caseId, scorecard.total);
    passes.add(trial.caseId, scorecard.passed === true);
  };

  return {
    add: (outcome: Outcome): void => {
      const { trial, scorecard } = outcome;
      seen += 1;
      if (trial.status === 'completed' && isErrorReport(outcome)) counts.errorReports += 1;
      const missing = gaps.add(outcome);
      lower += scorecard?.lower ?? 0;
      upper += scorecard?.upper ?? 1;
      if (trial.status === 'cancelled') counts.cancelled += 1;
      else if (trial.status === 'failed') counts.errors += 1;
      else if (missing === 'all' || !isMeasured(outcome)) counts.notMeasured += 1;
      else {
        counts.measured += 1;
        if (missing === 'a verdict') measuredInPart += 1;
        addTotal(outcome);
      }
    },
    summarize: (): TrialNumbers => {
      const notRun = planned - seen;
      const all: TrialCounts = { planned, ...counts, notRun, ...gaps.summarize() };
      return {
        score: toBoundedEstimate(totals.interval()),
        passRate: passes.estimate(),
        counts: all,
        coverage: planned === 0 ? 0 : (counts.measured - measuredInPart) / planned,
        worstCase: planned === 0 || !hasScorecard ? null : lower / planned,
        bestCase: planned === 0 || !hasScorecard ? null : (upper + notRun) / planned,
      };
    },
  };
}

/**
 * The share of trials of which something is true. With one attempt for each case this is a proportion with Wilson's
 * interval; with more, the attempts of a case are averaged first, since they are not independent of each other.
 */
export function createShareTally(attempts: number) {
  let successes = 0;
  let trials = 0;
  const means = createCaseMeans();
  return {
    add: (caseId: string, isTrue: boolean): void => {
      successes += Number(isTrue);
      trials += 1;
      means.add(caseId, Number(isTrue));
    },
    estimate: (): Estimate =>
      attempts === 1
        ? toEstimate(wilsonInterval({ successes, trials, confidence }))
        : toBoundedEstimate(means.interval()),
  };
}
