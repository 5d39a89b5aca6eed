import type { Run } from '../schema/run.ts';
import type { Estimate } from '../schema/estimate.ts';
import type { TargetSummary } from '../schema/summary.ts';
import { formatConfidence, formatCount, formatPlural, formatPoints, hasInterval } from './format-number.ts';
import { type Phrase, quote } from './phrase.ts';

/** Below this many questions a mean is reported as resting on few. */
const few = 30;
/** Below this many questions a category's mean comes without an interval. */
const tooFew = 5;

/** Whether so few questions stand behind a category that its interval would say nothing. */
export function isTooFew(questions: number): boolean {
  return questions < tooFew;
}

/** How far a target's score can be trusted, in whole sentences: method, number of questions, and what was not measured. */
export function certaintyOf(run: Run, { score, counts }: TargetSummary): Phrase[] {
  if (run.scorecard === null)
    return [['This run has no scorecard: its metrics are told, and nothing is added up.']];
  if (score.value === null) return [['Nothing was measured, so nothing can be said about the score.']];
  const sentences = [intervalSentence(score)];
  if (score.n < few && score.n > 0) sentences.push([smallSampleSentence(score.n)]);
  if (run.attempts > 1) {
    sentences.push([
      `Each question is asked ${formatCount(run.attempts)} times; its attempts are averaged first.`,
    ]);
  }
  const missed = counts.planned - counts.measured;
  if (missed > 0) {
    const verb = missed === 1 ? 'is' : 'are';
    sentences.push([
      `${formatPlural(missed, 'trial')} of ${formatCount(counts.planned)} ${verb} not in the score.`,
    ]);
  }
  return sentences;
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
  return `That is few: one question alone can move the score by ${formatPoints(1 / questions)} points.`;
}
