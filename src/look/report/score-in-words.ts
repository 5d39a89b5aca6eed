import { type Estimate, hasFewClusters, isTooFew } from '../../core/schema/estimate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { FailedAgain } from '../../core/schema/selection.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { formatCount, formatPlural, formatPoints, hasInterval } from './format.ts';

/** A score in everyday words, in the order in which they are said. */
export interface ScoreWords {
  /** `84 %`, or `not measured`. */
  readonly score: string;
  /** The uncertainty: `likely 73 to 91`; empty where nothing was measured. */
  readonly sure: string;
  /** The questions behind it: `from 40 questions`, `from only 37 of 40 questions`. */
  readonly basis: string;
}

/** The part of a run that says whether there is a score, and of how many questions. */
type ScoredRun = Pick<Run, 'dataset' | 'scorecard'>;

/** The part of a target's numbers that is said. */
type SaidTarget = Pick<TargetSummary, 'score' | 'failedAgain'>;

/** The width of an interval below which whole points would say less than is known. */
const narrow = 0.02;

/**
 * Says the score of a target in everyday words. `likely` stands for the interval of 95 %, `or wider` for one that so few clusters
 * may leave too narrow, and `only` for a score that says next to nothing of other questions.
 */
export function sayScore({ score, failedAgain }: SaidTarget, run?: ScoredRun): ScoreWords {
  if (failedAgain !== undefined) return { score: describeFailedAgain(failedAgain), sure: '', basis: '' };
  if (run?.scorecard === null) return { score: 'no scorecard', sure: '', basis: '' };
  if (score.value === null) return { score: 'not measured', sure: '', basis: '' };
  const isNarrow = hasInterval(score) && score.upper - score.lower < narrow;
  const say = (share: number) => (isNarrow ? trimmed(formatPoints(share)) : wholePoints(share));
  return { score: `${say(score.value)} %`, sure: saySure(score, say), basis: sayBasis(score, run) };
}

/** Joins the words of a score to one text: `84 %, likely 73 to 91, from 40 questions`. */
export function scoreInWords(target: SaidTarget, run?: ScoredRun): string {
  const { score, sure, basis } = sayScore(target, run);
  return [score, sure, basis].filter(Boolean).join(', ');
}

/** Says how many of the questions that failed in an earlier run pass now: `3 of 8 failed ones pass now`. */
export function describeFailedAgain({ failed, asked, pass }: FailedAgain): string {
  const left = failed - asked;
  const passing = `${formatCount(pass)} of ${formatCount(asked)} failed ones ${pass === 1 ? 'passes' : 'pass'} now`;
  if (asked === 0) return left === 0 ? 'none of them had failed' : 'none of the failed ones was asked again';
  return left === 0 ? passing : `${passing}, ${formatCount(left)} more not asked again`;
}

/**
 * Says between which values the score lies whatever the answers that were not measured are: `between 70 and 85 % whatever the 6
 * others are`; empty where all were measured.
 */
export function rangeInWords({ counts, worstCase, bestCase }: TargetSummary): string {
  const missing = counts.planned - (counts.notNeeded ?? 0) - counts.measured;
  if (missing === 0 || counts.measured === 0 || worstCase === null || bestCase === null) return '';
  const others = missing === 1 ? 'the other one is' : `the ${formatCount(missing)} others are`;
  return `between ${wholePoints(worstCase)} and ${wholePoints(bestCase)} % whatever ${others}`;
}

function saySure(score: Estimate, say: (share: number) => string): string {
  if (isTooFew({ ...score, lower: null, upper: null })) return 'too few questions to say how sure';
  if (!hasInterval(score)) return 'how sure is not known';
  const likely = `likely ${say(score.lower)} to ${say(score.upper)}`;
  return hasFewClusters(score) ? `${likely} or wider` : likely;
}

function sayBasis(score: Estimate, run: ScoredRun | undefined): string {
  const all = run?.dataset.cases ?? score.n;
  const only = isTooFew(score) ? 'only ' : '';
  const of = all > score.n ? `${formatCount(score.n)} of ` : '';
  return `from ${only}${of}${formatPlural(Math.max(all, score.n), 'question')}`;
}

/** Formats a share in whole percentage points; only exactly 1 is `100` and only exactly 0 is `0`. */
function wholePoints(share: number): string {
  const points = (share * 100).toFixed(0);
  const isRight = (points !== '100' || share >= 1 - 1e-9) && (points !== '0' || share <= 1e-9);
  return isRight ? points : trimmed(formatPoints(share));
}

function trimmed(points: string): string {
  return points.replace(/\.0$/, '');
}
