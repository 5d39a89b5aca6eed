import type { Outcome } from '../schema/result.ts';
import type { Estimate, TargetSummary, TrialCounts } from '../schema/summary.ts';
import { wilsonInterval } from '../stats/proportion-interval.ts';
import { createCaseMeans } from './case-means.ts';
import { confidence, toBoundedEstimate, toEstimate } from './to-estimate.ts';

type TrialNumbers = Pick<
  TargetSummary,
  'score' | 'passRate' | 'counts' | 'coverage' | 'worstCase' | 'bestCase'
>;

/** Counts trials by where they went, and averages their totals. */
export function createTrialTally(planned: number, attempts: number) {
  const counts = { measured: 0, errors: 0, notMeasured: 0, cancelled: 0, passed: 0, failed: 0 };
  const totals = createCaseMeans();
  const passes = createShareTally(attempts);
  let lower = 0;
  let upper = 0;
  let seen = 0;

  return {
    add: ({ trial, scorecard }: Outcome): void => {
      seen += 1;
      lower += scorecard?.lower ?? 0;
      upper += scorecard?.upper ?? 1;
      if (trial.status === 'cancelled') counts.cancelled += 1;
      else if (trial.status === 'failed') counts.errors += 1;
      else if (typeof scorecard?.total !== 'number') counts.notMeasured += 1;
      else {
        counts.measured += 1;
        counts[scorecard.passed === true ? 'passed' : 'failed'] += 1;
        totals.add(trial.caseId, scorecard.total);
        passes.add(trial.caseId, scorecard.passed === true);
      }
    },
    summarize: (): TrialNumbers => {
      const notRun = planned - seen;
      const all: TrialCounts = { planned, ...counts, notRun };
      return {
        score: toBoundedEstimate(totals.interval()),
        passRate: passes.estimate(),
        counts: all,
        coverage: planned === 0 ? 0 : counts.measured / planned,
        worstCase: planned === 0 ? null : lower / planned,
        bestCase: planned === 0 ? null : (upper + notRun) / planned,
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
