import { type Estimate, hasFewClusters } from '../../core/schema/estimate.ts';
import { aspectOf, declaredParts } from '../../core/schema/metric.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import {
  formatConfidence,
  formatCount,
  formatEffective,
  formatPercent,
  formatPlural,
  formatPoints,
  hasInterval,
} from './format.ts';
import { type Phrase, quote } from './phrase.ts';
import { judgeParts, shownScore } from './score-in-words.ts';

/** The number of questions below which a mean is reported as based on few. */
const few = 30;

/**
 * Describes how certain a target's score is, in whole sentences: method, number of questions, and missing
 * measurements.
 */
export function certaintyOf(run: Run, target: TargetSummary): Phrase[] {
  const { counts, failedAgain } = target;
  if (failedAgain !== undefined)
    return [['Only questions that had failed were asked again: they say nothing of the whole set.']];
  if (run.scorecard === null)
    return [['This run has no scorecard: its metrics are reported without a total.']];
  const { value: score, said } = shownScore(target);
  if (score.value === null)
    return [[said === undefined ? 'Nothing was measured, so there is no score.' : notCorrected(target)]];
  const sentences = [intervalSentence(score)];
  if (score.effectiveCases !== undefined) sentences.push(weightSentence(run, score));
  else if (score.n < few && score.n > 0) sentences.push([smallSampleSentence(score.n)]);
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
    sentences.push([
      `${formatPlural(missed, 'attempt')} of ${formatCount(needed)} ${verb} not in the score.`,
    ]);
  }
  return sentences;
}

function notCorrected(target: TargetSummary): string {
  return `The judge is certified, but its score is not corrected: ${judgeParts(target).slice(1).join('')}.`;
}

const comparedByWords =
  'Expected answers are compared by words; a judge reads meaning: name one under `judge` in the config.';

/** Returns whether expected answers are compared with the words of the answers alone. */
function isComparedByWords({ metrics, dataset: { expectations = [] } }: Run): boolean {
  return (
    expectations.some(({ expectation }) => expectation === 'answer') &&
    metrics.some((metric) => metric.judge === undefined && comparesAnswers(metric))
  );
}

function comparesAnswers(metric: RunMetric): boolean {
  const aspects = [aspectOf(metric), ...declaredParts(metric).map(({ aspect }) => aspect)];
  return aspects.includes('expected-answer');
}

function intervalSentence(score: Estimate): Phrase {
  const questions = formatPlural(score.n, 'question');
  if (!hasInterval(score)) {
    return score.reason === undefined
      ? [`No interval: too few questions (n = ${formatCount(score.n)}).`]
      : ['No interval: ', quote(score.reason), '.'];
  }
  const about = `The brackets are ${formatConfidence(score)} intervals; the score's is based on ${questions}`;
  return [`${about} (method: `, quote(score.method), ').'];
}

/** Says what the weights of cases mean for the score, and how much depends on the heaviest. */
function weightSentence({ dataset: { caseWeights } }: Run, { n, effectiveCases = n }: Estimate): Phrase {
  const worth = `Questions count by their weights: ${formatCount(n)} say as much as ${formatEffective(effectiveCases)} of equal weight`;
  if (caseWeights === undefined) return [`${worth}.`];
  const { total, heaviest } = caseWeights;
  return [
    `${worth}, and question `,
    quote(heaviest.id),
    ` alone has ${formatPercent(heaviest.weight / total)} of the weight.`,
  ];
}

function smallSampleSentence(questions: number): string {
  if (questions === 1) return 'One question says next to nothing about others.';
  return `These are few questions: one alone can move the score by ${formatPoints(1 / questions)} points.`;
}

/** Describes the effect of shared clusters on the intervals, in sentences; empty without clusters. */
export function clusterSentences(estimate: Estimate): string[] {
  const { n, clusters, effectiveClusters = clusters } = estimate;
  if (clusters === undefined || effectiveClusters === undefined || clusters === 1) return [];
  const counted = `The ${formatCount(n)} questions fall into ${formatCount(clusters)} clusters`;
  const isUneven = effectiveClusters < 0.95 * clusters;
  const worth = isUneven
    ? `, which are as informative as ${formatEffective(effectiveClusters)} of equal size`
    : '';
  const first = `${counted}${worth}: the intervals allow for that.`;
  if (!hasFewClusters(estimate)) return [first];
  return [first, 'With so few, or such unequal, clusters the intervals may still be too narrow.'];
}
