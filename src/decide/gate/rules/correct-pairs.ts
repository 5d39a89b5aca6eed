import type { CorrectedDifference } from '../../certificates/corrected-difference.ts';
import type { Finding, NoCorrection } from '../gate-rule.ts';
import {
  describeSubject,
  formatConfidence,
  formatCount,
  formatDifference,
  type Subject,
} from '../phrases.ts';

/** The correction of a difference from a baseline, with the rule. */
export interface DifferenceCorrection {
  readonly correction: CorrectedDifference | NoCorrection;
  readonly subject: Subject;
  readonly level: { readonly margin: number; readonly confidence: number };
  readonly name: string;
}

/** Returns the finding by the difference that people would see, in place of the difference that the judge sees. */
export function correctPairs(
  found: Finding,
  { correction, subject, level, name }: DifferenceCorrection,
): Finding {
  if (found.outcome === 'not-measured' || found.value === null) return found;
  const what = describeSubject(subject);
  const said = `as the judge says, ${formatDifference(found.value, undefined)}`;
  const open = (why: string): Finding => ({
    ...found,
    outcome: 'inconclusive',
    reason: `${what} rests on a judge with a certificate, and its change since ${name} cannot be corrected: ${why}; ${said}`,
  });
  if ('reason' in correction && correction.isUnknown === true) {
    const reason = `${what} rests on a judge whose error rates on ${name} are not known: ${correction.reason}; ${said}`;
    return { ...found, outcome: 'not-measured', reason };
  }
  if ('reason' in correction) return open(correction.reason);
  const { margin, confidence } = level;
  const { status, estimate, lower, upper, caution, n } = correction.at(2 * confidence - 1);
  if (status === 'undefined' || estimate === null || lower === null || upper === null)
    return open('its limits are not known');
  if (caution === 'too-few-labels') return open('too few labels for limits that keep their promise');
  const lost = formatDifference(margin, undefined).replace('+', '');
  const ends = `${formatDifference(lower, undefined)} and ${formatDifference(upper, undefined)}`;
  const labels = correction.labels[0] + correction.labels[1];
  const arithmetic = `corrected mean difference ${formatDifference(estimate, undefined)}; one-sided ${formatConfidence(confidence)} bounds ${ends} (${correction.method === 'ppi' ? 'PPI++' : 'Rogan-Gladen'}, ${formatCount(correction.labels[0], 'label')} before and ${correction.labels[1]} now); margin ${lost}`;
  const base = {
    ...found,
    value: estimate,
    lower,
    upper,
    n,
    confidence,
    arithmetic: `${arithmetic}; ${said}`,
    correction: { said: found.value, method: correction.method, labels },
  };
  const sure = `with ${formatConfidence(confidence)} confidence (corrected; ${said})`;
  if (lower > -margin)
    return {
      ...base,
      outcome: 'pass',
      reason: `${what} is not worse than ${name} by ${lost} or more, ${sure}`,
    };
  if (upper < -margin)
    return {
      ...base,
      outcome: 'fail',
      reason: `${what} is worse than ${name} by more than ${lost}, ${sure}`,
    };
  const span = `could have changed by ${formatDifference(lower, undefined)} to ${formatDifference(upper, undefined)}`;
  const reason = `${what} ${span} since ${name} (corrected; ${said}): a loss of ${lost} is neither shown nor ruled out`;
  return { ...base, outcome: 'inconclusive', reason };
}
