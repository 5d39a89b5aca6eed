import type { Verdict } from '../../../core/schema/verdict.ts';
import { passedBy } from '../../../core/schema/verdict.ts';
import { type ConfusionCounts, confusionCounts } from '../../../core/stats/agreement/confusion.ts';
import type { MarkedResult } from './marked-result.ts';
import type { ProposedCheck } from './propose-checks.ts';

/** A check with what it found: a positive is an answer with the mode. */
export interface CountedCheck extends ProposedCheck {
  /** On the half that it was chosen on, and on the other one. */
  readonly tune: ConfusionCounts;
  readonly certify: ConfusionCounts;
  /** Answers that it could not measure; they are in no table. */
  readonly notMeasured: number;
  /** True when it made no error on the other half, in at least 20 answers with the mode and 20 without. */
  readonly isEnough: boolean;
}

/** The least number of answers of each kind that show that a check needs no judge. */
const leastOfKind = 20;

/** The number of checks that are reported. */
const mostShown = 3;

/** Marked answers with the verdicts of checks, each by its place in the list of checks. */
export interface CheckVerdicts {
  readonly checks: readonly ProposedCheck[];
  readonly answers: readonly MarkedResult[];
  readonly verdictOf: (answer: MarkedResult, check: number) => Verdict | undefined;
}

/**
 * Chooses the checks that find a mode best on the tune half, by the mean of both rates of being right, and counts them on the other
 * half. Checks that find it no better than chance are omitted.
 */
export function chooseChecks({ checks, answers, verdictOf }: CheckVerdicts): CountedCheck[] {
  const counted = checks.map((check, index): CountedCheck => {
    const measured = answers.flatMap((answer) => {
      const passed = passedBy(verdictOf(answer, index));
      return passed === null ? [] : [{ ...answer, found: !passed }];
    });
    const tableOf = (half: MarkedResult['half']) => {
      const own = measured.filter((answer) => answer.half === half);
      return confusionCounts({
        truth: own.map(({ present }) => present),
        predicted: own.map(({ found }) => found),
      });
    };
    const certify = tableOf('certify');
    return {
      ...check,
      tune: tableOf('tune'),
      certify,
      notMeasured: answers.length - measured.length,
      isEnough:
        certify.falsePositives === 0 &&
        certify.falseNegatives === 0 &&
        certify.truePositives >= leastOfKind &&
        certify.trueNegatives >= leastOfKind,
    };
  });
  return counted
    .filter(({ tune }) => balancedAccuracy(tune) > 0.5)
    .toSorted((one, other) => balancedAccuracy(other.tune) - balancedAccuracy(one.tune))
    .slice(0, mostShown);
}

/** Returns the mean of the rates at which both kinds are recognized; 0 where one kind is missing. */
function balancedAccuracy(table: ConfusionCounts): number {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = table;
  const positives = truePositives + falseNegatives;
  const negatives = trueNegatives + falsePositives;
  if (positives === 0 || negatives === 0) return 0;
  return (truePositives / positives + trueNegatives / negatives) / 2;
}
