import type { CorrectionMethod } from '../schema/review/certificate.ts';
import type { Certification, JudgedRate } from '../schema/review/certification.ts';
import type { Decision } from '../schema/decision.ts';
import type { Summary } from '../schema/summary.ts';
import { formatInterval, formatPercent, formatPlural } from './format.ts';

/** The names of the methods of correction in reports. */
export const methodNames: Readonly<Record<CorrectionMethod, string>> = {
  ppi: 'PPI++',
  stratified: 'by stratum',
  'weighted-ppi': 'PPI, weighted',
  'rogan-gladen': 'Rogan-Gladen',
  'people-alone': 'people alone',
};

/**
 * Formats both pass rates of a judged metric: `judge says 73.9 % · corrected 75.3 % [70.7, 79.8] (200 labels, PPI++)`, or why the
 * rate of the judge is not corrected.
 */
export function formatJudgedRate({ said, corrected, why }: Omit<JudgedRate, 'target'>): string {
  const judge = `judge says ${formatPercent(said.value)}`;
  if (corrected === null) return `${judge} · not corrected: ${lowerFirst(why)}`;
  const { estimate, method, labels, caution } = corrected;
  const rate = [formatPercent(estimate.value), formatInterval(estimate)].filter(Boolean).join(' ');
  const few = caution === 'too-few-labels' ? ', too few' : '';
  return `${judge} · corrected ${rate} (${formatPlural(labels, 'label')}${few}, ${methodNames[method]})`;
}

function lowerFirst(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}

/** A line of a report about a judged metric; its text contains names that others chose. */
export interface JudgedLine {
  /** The metric, and the target when there are several. */
  readonly subject: string;
  readonly text: string;
}

/** Lists both rates of each judged metric of a run and each target, in the order of the metrics. */
export function judgedLines({ judged = [] }: Pick<Summary, 'judged'>): JudgedLine[] {
  return judged.flatMap(({ metric, targets }) =>
    targets.map(({ target, ...rate }) => ({
      subject: targets.length > 1 ? `${metric}, ${target}` : metric,
      text: formatJudgedRate(rate),
    })),
  );
}

/** Formats the state of a judge's certificate in a sentence: valid until when, or why not. */
export function formatCertification({ status, certificate, ends }: Certification): string {
  if (status === 'none' || certificate === undefined) return 'no certificate';
  if (status === 'valid')
    return `certified by ${formatPlural(certificate.answers, 'label')}, valid until ${certificate.validUntil.slice(0, 10)}`;
  return `certificate ended: ${ends.map(({ message }) => message).join('; ')}`;
}

/** Formats what labelling anew costs: `280 labels, about 3.1 hours`. */
export function formatLabelling(hours: number): string {
  const labels = Math.round((hours * 3600) / 40);
  const time = hours < 1 ? `${Math.max(1, Math.round(hours * 60))} minutes` : `${hours.toFixed(1)} hours`;
  return `${formatPlural(labels, 'label')}, about ${time}`;
}

/** Lists the warnings of a decision: judges without a valid certificate that rules rest on, but need not. */
export function decisionWarnings({ uncertified = [] }: Pick<Decision, 'uncertified'>): string[] {
  return uncertified.filter(({ isRequired }) => !isRequired).map(({ message }) => message);
}
