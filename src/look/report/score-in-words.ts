import { type Estimate, hasFewClusters, isTooFew } from '../../core/schema/estimate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { FailedAgain } from '../../core/schema/selection.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  formatPoints,
  hasInterval,
} from './format.ts';

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
type SaidTarget = Pick<TargetSummary, 'score' | 'failedAgain' | 'corrected' | 'notCorrected'>;

/** The width of an interval below which whole points would say less than is known. */
const narrow = 0.02;

/**
 * Says the score of a target in everyday words. `likely` means the interval of 95 %, `or wider` for one that so few clusters
 * may leave too narrow, and `only` for a score that says next to nothing of other questions. A score that rests on a certified
 * judge is the one that people would give: `corrected 64 %`.
 */
export function sayScore(target: SaidTarget, run?: ScoredRun): ScoreWords {
  const { failedAgain } = target;
  if (failedAgain !== undefined) return { score: describeFailedAgain(failedAgain), sure: '', basis: '' };
  if (run?.scorecard === null) return { score: 'no scorecard', sure: '', basis: '' };
  const { value: score, said } = shownScore(target);
  if (score.value === null)
    return { score: said === undefined ? 'not measured' : 'not corrected', sure: '', basis: '' };
  const isNarrow = hasInterval(score) && score.upper - score.lower < narrow;
  const say = (share: number) => (isNarrow ? trimmed(formatPoints(share)) : wholePoints(share));
  const corrected = said === undefined ? '' : 'corrected ';
  return {
    score: `${corrected}${say(score.value)} %`,
    sure: saySure(score, say),
    basis: sayBasis(score, run),
  };
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
  const points = String(Math.round(Number((share * 100).toPrecision(12))));
  const isRight = (points !== '100' || share >= 1 - 1e-9) && (points !== '0' || share <= 1e-9);
  return isRight ? points : trimmed(formatPoints(share));
}

function trimmed(points: string): string {
  return points.replace(/\.0$/, '');
}

/** A number with what the certificates of its judges make of it. */
export interface ReviewedValue {
  readonly value: Estimate;
  /** As people would say; absent where it rests on no certified judge, or where that is not known. */
  readonly corrected?: Estimate;
  /** The reason why that is not known. */
  readonly notCorrected?: string;
}

/** A number as reports show it. */
export interface ShownValue {
  /** The value; what people would say where it rests on a certified judge, null where that is not known. */
  readonly value: Estimate;
  /** As the judge says, where a certified judge decides it. */
  readonly said?: Estimate;
}

/** Returns the value that reports show, draw and decide by. */
export function shownValue({ value, corrected, notCorrected }: ReviewedValue): ShownValue {
  if (corrected !== undefined) return { value: corrected, said: value };
  if (notCorrected === undefined || value.value === null) return { value };
  return { value: { ...value, value: null, lower: null, upper: null, reason: notCorrected }, said: value };
}

/**
 * Says that the numbers of categories are the judge's, where the whole rests on a certified judge: labels are too few to correct
 * each category. Empty otherwise.
 */
export function uncorrectedNote(
  wholes: readonly Pick<ReviewedValue, 'corrected' | 'notCorrected'>[],
): string {
  const isJudged = wholes.some(({ corrected, notCorrected }) => (corrected ?? notCorrected) !== undefined);
  return isJudged
    ? 'Categories are as the judge says: only the whole is corrected to what people would say.'
    : '';
}

/** The score of a target with what the certificates of its judges make of it. */
export type ReviewedScore = Pick<TargetSummary, 'score' | 'corrected' | 'notCorrected'>;

/** Returns the score of a target that reports show. */
export function shownScore({ score, corrected, notCorrected }: ReviewedScore): ShownValue {
  return shownValue({ value: score, corrected, notCorrected });
}

/** Formats the score of a target with its interval: `84.0 % [73.1, 91.2]`, `corrected 64.1 % [57.4, 70.2]`, `not corrected`. */
export function formatScore(target: ReviewedScore): string {
  const { value, said } = shownScore(target);
  if (value.value === null) return said === undefined ? 'not measured' : 'not corrected';
  const number = [formatPercent(value.value), formatInterval(value)].filter(Boolean).join(' ');
  return said === undefined ? number : `corrected ${number}`;
}

/**
 * Says what the judge says of a score that is shown as people would give it, and why it is not known where it is not; empty
 * for a score that rests on no certified judge.
 */
export function judgeParts(target: ReviewedScore): string[] {
  const { value, said } = shownScore(target);
  if (said === undefined) return [];
  const reason = value.value === null && value.reason !== undefined ? [lowerFirst(value.reason)] : [];
  return [`judge says ${formatPercent(said.value)}`, ...reason];
}

/** Returns a sentence as a part of another one: it begins with a small letter, and has no full stop. */
export function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}
