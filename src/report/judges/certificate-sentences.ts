import type { Estimate } from '../../schema/estimate.ts';
import type { Calibration, CalibrationCondition, CorrectedRate } from '../../schema/review/certificate.ts';
import type { Drift } from '../../schema/review/certification.ts';
import { formatCount, formatInterval, formatPercent, formatPlural, hasInterval } from '../format.ts';
import { formatJudgedRate } from './judged-rates.ts';

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
export function driftSentence({ labels, waiting, checks, isDrifted }: Drift): string {
  const outside = checks.filter(({ isOutside }) => isOutside).length;
  const found = isDrifted ? 'the judge has drifted' : 'no drift shown';
  const rest = waiting === 0 ? '' : `, ${formatPlural(waiting, 'label')} waiting for the next check`;
  return `${formatPlural(labels, 'fresh label')}, ${formatCount(checks.length)} checks of 20, ${outside} outside their limits${rest}: ${found}`;
}
