import type { Run } from '../schema/run.ts';
import type { Estimate } from '../schema/estimate.ts';
import type { TargetSummary } from '../schema/summary.ts';
import { clusterSentences } from './doubt.ts';
import {
  formatConfidence,
  formatCount,
  formatPlural,
  formatPoints,
  hasInterval,
} from './format/format-number.ts';
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
