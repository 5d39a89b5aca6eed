import type { SizePlan } from '../../core/schema/estimate.ts';
import { formatCount, formatDuration, formatMoney, formatPlural, formatPoints } from './format.ts';
import { type Phrase, quote } from './phrase.ts';

/** Describes what a plan achieves: the difference, its chance of being seen, and the chance of a false alarm. */
export function describePlanned({ difference, power, confidence }: SizePlan): string {
  return `To see a difference of ${formatPoints(difference)} points between two versions that answer the same questions, with a chance of ${percent(power)} and at most ${percent(1 - confidence)} false alarms:`;
}

/** Returns a row of texts for each choice of a plan: attempts, questions, calls, price and time. */
export function sizeRows({ choices }: SizePlan): string[][] {
  return choices.map(({ attempts, questions, calls, cost, timeMs }) => [
    formatPlural(attempts, 'attempt'),
    formatPlural(questions, 'question'),
    formatPlural(calls, 'call'),
    cost === null ? 'price unknown' : formatMoney(cost),
    timeMs === null ? '' : `about ${formatDuration(timeMs)}`,
  ]);
}

/** Describes the smallest difference that the run of a plan can show. */
export function describeDetectable({ spread: { questions, attempts }, detectable }: SizePlan): string {
  const size = `${formatPlural(questions, 'question')}${attempts > 1 ? `, ${formatCount(attempts)} attempts each` : ''}`;
  return `The run itself (${size}) would show ${formatPoints(detectable)} points.`;
}

/** Describes the data that a plan is made from. */
export function describeBasis({ run, targets, spread, choices }: SizePlan): Phrase {
  const { withinVariance, isMeasured } = spread;
  const names = targets.flatMap((name, index) => [...(index === 0 ? [] : [' and ']), quote(name)]);
  const repeats =
    withinVariance === null
      ? ' What more attempts would save is not known: each question was tried once.'
      : choices.length === 1
        ? ' More attempts would save nothing: all attempts at a question score the same.'
        : '';
  return isMeasured
    ? ['From the differences between ', ...names, ` in run ${run}.${repeats}`]
    : [
        'From the scores of ',
        ...names,
        ` in run ${run}, assuming that they correlate with the scores of another version by 0.5, question by question; a run of two versions would measure the correlation.${repeats}`,
      ];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
