import { type Estimate, hasFewClusters, isTooFew } from '../schema/estimate.ts';
import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';
import {
  formatConfidence,
  formatCount,
  formatInterval,
  formatPlural,
  formatPoints,
  hasInterval,
} from './format.ts';
import { type Phrase, quote } from './phrase.ts';

/** Below this many questions a mean is reported as resting on few. */
const few = 30;

/** How far a target's score can be trusted, in whole sentences: method, number of questions, and what was not measured. */
export function certaintyOf(run: Run, { score, counts }: TargetSummary): Phrase[] {
  if (run.scorecard === null)
    return [['This run has no scorecard: its metrics are told, and nothing is added up.']];
  if (score.value === null) return [['Nothing was measured, so nothing can be said about the score.']];
  const sentences = [intervalSentence(score)];
  if (score.n < few && score.n > 0) sentences.push([smallSampleSentence(score.n)]);
  sentences.push(...clusterSentences(score).map((sentence) => [sentence]));
  if (run.attempts > 1) {
    sentences.push([
      run.caseRule?.isCurtailed === true
        ? `Each question is asked up to ${formatCount(run.attempts)} times; its attempts are averaged first, with weights that make up for stopping early.`
        : `Each question is asked ${formatCount(run.attempts)} times; its attempts are averaged first.`,
    ]);
  }
  if (isComparedByWords(run)) sentences.push([comparedByWords]);
  const needed = counts.planned - (counts.notNeeded ?? 0);
  const missed = needed - counts.measured;
  if (missed > 0) {
    const verb = missed === 1 ? 'is' : 'are';
    sentences.push([`${formatPlural(missed, 'trial')} of ${formatCount(needed)} ${verb} not in the score.`]);
  }
  return sentences;
}

const comparedByWords =
  'Expected answers are compared by words; a judge reads meaning: name one under `judge` in the config.';

/** Whether expected answers are held against the words of the answers alone. */
function isComparedByWords({ metrics, dataset: { expectations = [] } }: Run): boolean {
  const byWords = new Set(['response-quality', 'answer-match']);
  return (
    expectations.some(({ expectation }) => expectation === 'answer') &&
    metrics.some(({ use, judge }) => byWords.has(use.use) && judge === undefined)
  );
}

function intervalSentence(score: Estimate): Phrase {
  const questions = formatPlural(score.n, 'question');
  if (!hasInterval(score)) {
    return score.reason === undefined
      ? [`No interval: ${questions} is too little.`]
      : ['No interval: ', quote(score.reason), '.'];
  }
  const about = `The brackets are ${formatConfidence(score)} intervals; the score's rests on ${questions}`;
  return [`${about} (method: `, quote(score.method), ').'];
}

function smallSampleSentence(questions: number): string {
  if (questions === 1) return 'One question says next to nothing about others.';
  return `These are few questions: one alone can move the score by ${formatPoints(1 / questions)} points.`;
}

/** What is said in place of an interval that would say nothing. */
const tooFew = 'too few to say';

/**
 * The interval of a share with what there is to beware of: `[73.1, 91.2]`, `[20.0, 80.0] too few to say`; in words where
 * there is none. Empty where nothing was measured.
 */
export function doubtedInterval(estimate: Estimate): string {
  const { n } = estimate;
  if (n === 0) return '';
  if (isTooFew({ n, lower: null, upper: null })) return tooFew;
  if (!hasInterval(estimate)) return 'no interval';
  const interval = formatInterval(estimate);
  if (isTooFew(estimate)) return `${interval} ${tooFew}`;
  return hasFewClusters(estimate) ? `${interval} few clusters` : interval;
}

/** What there is to beware of in a word or two: `too few to say`, `few clusters`; empty when there is nothing. */
export function cautionOf(estimate: Estimate, unit?: string): string {
  if (estimate.n === 0) return '';
  return [
    ...(isTooFew(estimate, unit) ? [tooFew] : []),
    ...(hasFewClusters(estimate) ? ['few clusters'] : []),
  ].join(', ');
}

/** Whether an interval is fit to be drawn: not one that says nothing. */
export function isTelling(estimate: Estimate): boolean {
  return hasInterval(estimate) && !isTooFew(estimate);
}

/** What shared clusters mean for the intervals, in sentences; none without them. */
export function clusterSentences(estimate: Estimate): string[] {
  const { n, clusters, effectiveClusters = clusters } = estimate;
  if (clusters === undefined || effectiveClusters === undefined || clusters === 1) return [];
  const counted = `The ${formatCount(n)} questions fall into ${formatCount(clusters)} clusters`;
  const isUneven = effectiveClusters < 0.95 * clusters;
  const worth = isUneven ? `, which say as much as ${formatClusters(effectiveClusters)} of one size` : '';
  const first = `${counted}${worth}: the intervals allow for that.`;
  if (!hasFewClusters(estimate)) return [first];
  return [first, 'So few, or such unequal, clusters leave even that unsure: intervals may be too narrow.'];
}

function formatClusters(count: number): string {
  return count >= 10 ? formatCount(count) : String(Number(count.toFixed(1)));
}
