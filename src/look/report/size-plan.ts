import type { SizePlan } from '../../core/schema/api/comparison/size-plan.ts';
import { formatCount, formatDuration, formatMoney, formatPlural, formatPoints } from './format.ts';
import { type Phrase, quote } from './phrase.ts';

/** Describes what a plan achieves: the difference or the loss, its chance of being shown, and the chance of a false alarm. */
export function describePlanned({
  difference,
  margin,
  discordance,
  power,
  confidence,
  spread,
}: SizePlan): string {
  if (margin === undefined)
    return `To see a difference of ${formatPoints(difference)} points between two versions that answer the same questions, with a chance of ${percent(power)} and at most ${percent(1 - confidence)} false alarms:`;
  const truth =
    difference === 0
      ? 'nothing changed'
      : `B is truly ${formatPoints(Math.abs(difference))} points ${difference > 0 ? 'better' : 'worse'}`;
  const share = discordance ?? spread?.discordance;
  const differing =
    share === undefined ? '' : ` and ${formatPoints(share)} % of the questions come out differently`;
  return `To show that a version did not get worse by ${formatPoints(margin)} points, by the bound of a gate at ${percent(confidence)}, with a chance of ${percent(power)} if ${truth}${differing}:`;
}

/** Returns a row of texts for each choice of a plan: attempts, questions, calls, price and time. */
export function sizeRows({ choices }: SizePlan): string[][] {
  return choices.map(({ attempts, questions, clusters, calls, cost, timeMs }) => [
    formatPlural(attempts, 'attempt'),
    `${formatPlural(questions, 'question')}${clusters === undefined ? '' : ` in ${formatPlural(clusters, 'cluster')}`}`,
    formatPlural(calls, 'call'),
    cost === null ? 'price unknown' : formatMoney(cost),
    timeMs === null ? '' : `about ${formatDuration(timeMs)}`,
  ]);
}

/** Describes the smallest difference that the run of a plan can show, or the smallest loss that it can rule out; empty without a run. */
export function describeDetectable({ spread, detectable, margin }: SizePlan): string {
  if (spread === undefined || detectable === null) return '';
  const { questions, attempts, clusters } = spread;
  const size = [
    formatPlural(questions, 'question'),
    ...(clusters === undefined ? [] : [`in ${formatPlural(clusters.count, 'cluster')}`]),
    ...(attempts > 1 ? [`${formatCount(attempts)} attempts each`] : []),
  ].join(', ');
  const what = margin === undefined ? 'show' : 'rule out a loss of';
  return `The run itself (${size}) would ${what} ${formatPoints(detectable)} points.`;
}

/** Describes the data that a plan is made from. */
export function describeBasis({ run, targets, spread, choices, discordance }: SizePlan): Phrase {
  if (run === null || spread === undefined)
    return [
      'From the stated share of questions that come out differently; a run of two versions would measure it.',
    ];
  const { withinVariance, isMeasured, clusters } = spread;
  const names = targets.flatMap((name, index) => [...(index === 0 ? [] : [' and ']), quote(name)]);
  const repeats =
    withinVariance === null
      ? ' What more attempts would save is not known: each question was tried once.'
      : choices.length === 1
        ? ' More attempts would save nothing: all attempts at a question score the same.'
        : '';
  const clustered =
    clusters === undefined
      ? ''
      : ` Its clusters have ${formatDecimal(clusters.size)} questions each on average, whose differences correlate by ${formatDecimal(clusters.correlation)}: they raise the variance ${formatDecimal(clusters.designEffect)} times.`;
  const stated =
    discordance === undefined ? '' : ' The share of questions that come out differently is the stated one.';
  const rest = `${clustered}${stated}${repeats}`;
  return isMeasured
    ? ['From the differences between ', ...names, ` in run ${run}.${rest}`]
    : [
        'From the scores of ',
        ...names,
        ` in run ${run}, assuming that they correlate with the scores of another version by 0.5, question by question; a run of two versions would measure the correlation.${rest}`,
      ];
}

function formatDecimal(value: number): string {
  return String(Number(value.toFixed(2)));
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
