import type { Decision } from '../../core/schema/decision.ts';
import type { CorrectionMethod, Estimate } from '../../core/schema/estimate.ts';
import type {
  Calibration,
  CalibrationCondition,
  CorrectedRate,
} from '../../core/schema/review/certificate.ts';
import {
  type Certification,
  describeDrift,
  type Drift,
  type JudgedRate,
} from '../../core/schema/review/certification.ts';
import type { Summary } from '../../core/schema/summary.ts';
import { lowerFirst } from './score-in-words.ts';
import {
  formatDay,
  formatInterval,
  formatPercent,
  formatPlural,
  formatCount,
  hasInterval,
} from './format.ts';

/** The names of the methods of correction in reports. */
const methodNames: Readonly<Record<CorrectionMethod, string>> = {
  ppi: 'PPI++',
  stratified: 'by stratum',
  'weighted-ppi': 'PPI, weighted',
  'rogan-gladen': 'Rogan-Gladen',
  'people-alone': 'people alone',
};

/**
 * Formats both pass rates of a judged metric: `judge says 73.9 % · corrected 75.3 % [70.7, 79.8] (200 labels, PPI++)`, or why the
 * rate of the judge is not corrected.
 * @param mean - The mean of the metric, where it is shown next to the rate.
 */
export function formatJudgedRate(
  { said, corrected, why }: Omit<JudgedRate, 'target'>,
  mean?: number | null,
): string {
  const share = formatPercent(said.value);
  // The share of answers that pass is another number than a mean of grades.
  const isMean = typeof mean !== 'number' || formatPercent(mean) === share;
  const judge = isMean ? `judge says ${share}` : `judge passes ${share} of the answers`;
  if (corrected === null) return `${judge} · not corrected: ${lowerFirst(why)}`;
  const { estimate, method, labels, caution } = corrected;
  const rate = [formatPercent(estimate.value), formatInterval(estimate)].filter(Boolean).join(' ');
  const few = caution === 'too-few-labels' ? ', too few' : '';
  return `${judge} · corrected ${rate} (${formatPlural(labels, 'label')}${few}, ${methodNames[method]})`;
}

/** A judged metric in a report: its certificate, and both rates of each target. Texts contain names that others chose. */
export interface JudgedParagraph {
  readonly metric: string;
  readonly status: Certification['status'];
  readonly certificate: string;
  /** The target is null when there is only one. */
  readonly rates: readonly { readonly target: string | null; readonly text: string }[];
}

/** Lists the judged metrics of a run with both rates of each target, in the order of the metrics. */
export function judgedParagraphs({
  judged = [],
  targets = [],
}: Pick<Summary, 'judged'> & Partial<Pick<Summary, 'targets'>>): JudgedParagraph[] {
  const meanOf = (target: string, metric: string) =>
    targets.find((one) => one.target === target)?.metrics.find((one) => one.metric === metric)?.estimate
      .value;
  return judged.map((one) => ({
    metric: one.metric,
    status: one.status,
    certificate: `${one.judge.name}: ${formatCertification(one)}${formatCost(one)}`,
    rates: one.targets.map(({ target, ...rate }) => ({
      target: one.targets.length > 1 ? target : null,
      text: formatJudgedRate(rate, meanOf(target, one.metric)),
    })),
  }));
}

/** Formats what a valid certificate in place of an ended one takes. */
function formatCost({ status, hours }: Certification): string {
  return status === 'ended' && hours !== undefined ? `; labelling again: ${formatLabelling(hours)}` : '';
}

/** Formats the state of a judge's certificate in a sentence: valid until when, or why not. */
function formatCertification({ status, certificate, ends }: Certification): string {
  if (status === 'none' || certificate === undefined) return 'no certificate';
  if (status === 'valid')
    return `certified by ${formatPlural(certificate.answers, 'label')}, valid until ${formatDay(certificate.validUntil)}`;
  return `certificate ended: ${ends.map(({ message }) => message).join('; ')}`;
}

/** Formats what labelling again costs: `280 labels, about 3.1 hours`. */
export function formatLabelling(hours: number): string {
  const labels = Math.round((hours * 3600) / 40);
  const time = hours < 1 ? `${Math.max(1, Math.round(hours * 60))} minutes` : `${hours.toFixed(1)} hours`;
  return `${formatPlural(labels, 'label')}, about ${time}`;
}

/** Lists the warnings of a decision: judges without a valid certificate that rules rest on, but need not. */
export function decisionWarnings({ uncertified = [] }: Pick<Decision, 'uncertified'>): string[] {
  return uncertified.filter(({ isRequired }) => !isRequired).map(({ message }) => message);
}

/** Formats a share with its interval: `92.0 % [86.5, 95.4]`. */
export function formatShareWithin(estimate: Estimate): string {
  return `${formatPercent(estimate.value)} ${formatInterval(estimate)}`.trimEnd();
}

/** Formats a coefficient of agreement with its interval: `0.73 [0.62, 0.84]`. */
export function formatCoefficient(estimate: Estimate): string {
  if (estimate.value === null) return 'unknown';
  const limits = hasInterval(estimate) ? ` [${estimate.lower.toFixed(2)}, ${estimate.upper.toFixed(2)}]` : '';
  return `${estimate.value.toFixed(2)}${limits}`;
}

/** Formats both rates of a calibration as reports do. */
export function formatBothRates(
  { judge, method, corrected, caution, why }: CorrectedRate,
  labels: number,
): string {
  const estimate = method === null ? null : { estimate: corrected, method, labels, caution };
  return formatJudgedRate({ said: judge, corrected: estimate, why });
}

/** Says how well people agree, which is the most that a judge can reach, and how well the judge agrees with them. */
export function ceilingSentence({ people, rates }: Pick<Calibration, 'people' | 'rates'>): string {
  return `People agree with each other kappa ${formatCoefficient(people.kappa)}, AC1 ${formatCoefficient(people.ac1)} (${formatPlural(people.items, 'answer')}); judge with people kappa ${formatCoefficient(rates.kappa)}, AC1 ${formatCoefficient(rates.ac1)}`;
}

/** Says what a judge is worth in labels; undefined when that is not known. */
export function worthSentence({ worth }: Pick<CorrectedRate, 'worth'>, answers: number): string | undefined {
  if (worth === null) return undefined;
  const saved = Math.round((worth - 1) * answers);
  if (worth < 1.25) return `This judge is worth ${formatPlural(Math.max(0, saved), 'label')}; use people.`;
  return `With this judge, ${formatCount(answers)} labels do the work of ${formatCount(answers + saved)}.`;
}

/** The words for the states of a condition. */
export const conditionStates: Readonly<Record<CalibrationCondition['state'], string>> = {
  met: 'met',
  failed: 'not met',
  'not-measured': 'not measured',
};

/** Says what fresh labels show of a judge since it was certified. */
export function driftSentence(drift: Drift): string {
  const { labels, waiting, checks, isDrifted } = drift;
  const outside = checks.filter(({ isOutside }) => isOutside).length;
  const found = isDrifted ? describeDrift(drift) : 'no drift shown';
  const rest = waiting === 0 ? '' : `, ${formatPlural(waiting, 'label')} waiting for the next check`;
  return `${formatPlural(labels, 'fresh label')}, ${formatCount(checks.length)} checks of 20, ${outside} outside their limits${rest}: ${found}`;
}
