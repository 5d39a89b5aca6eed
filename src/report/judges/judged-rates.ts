import type { CorrectionMethod } from '../../schema/review/certificate.ts';
import type { Certification, JudgedRate } from '../../schema/review/certification.ts';
import type { Decision } from '../../schema/decision.ts';
import type { Summary } from '../../schema/summary.ts';
import { formatDay, formatInterval, formatPercent, formatPlural } from '../format.ts';

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

/** A judged metric in a report: its certificate, and both rates of each target. Texts contain names that others chose. */
export interface JudgedParagraph {
  readonly metric: string;
  readonly status: Certification['status'];
  readonly certificate: string;
  /** The target is null when there is only one. */
  readonly rates: readonly { readonly target: string | null; readonly text: string }[];
}

/** Lists the judged metrics of a run with both rates of each target, in the order of the metrics. */
export function judgedParagraphs({ judged = [] }: Pick<Summary, 'judged'>): JudgedParagraph[] {
  return judged.map((one) => ({
    metric: one.metric,
    status: one.status,
    certificate: `${one.judge.name}: ${formatCertification(one)}${formatCost(one)}`,
    rates: one.targets.map(({ target, ...rate }) => ({
      target: one.targets.length > 1 ? target : null,
      text: formatJudgedRate(rate),
    })),
  }));
}

/** Formats what a valid certificate in place of an ended one takes. */
function formatCost({ status, hours }: Certification): string {
  return status === 'ended' && hours !== undefined ? `; labelling anew: ${formatLabelling(hours)}` : '';
}

/** Formats the state of a judge's certificate in a sentence: valid until when, or why not. */
function formatCertification({ status, certificate, ends }: Certification): string {
  if (status === 'none' || certificate === undefined) return 'no certificate';
  if (status === 'valid')
    return `certified by ${formatPlural(certificate.answers, 'label')}, valid until ${formatDay(certificate.validUntil)}`;
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
