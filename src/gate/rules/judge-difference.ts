import { momentsOf } from '../../stats/moments.ts';
import { boundsOfDifference, casesToShow, type MarginLevel, type PairedCases } from './compare-values.ts';
import { type Finding, notMeasured } from './gate-rule.ts';
import { sayConfidence, sayDifference, sayPlural } from './say-number.ts';
import { sayOfSubject, type Subject } from './subject.ts';

/** What differences are held against, and how they are told. */
export interface DifferenceRule extends MarginLevel {
  readonly subject: Subject;
  readonly unit: string | undefined;
  /** Of the baseline. */
  readonly name: string;
}

/**
 * Passes when the one-sided lower bound of now minus before lies above −margin, fails when the upper one lies below it;
 * see statistics of non-inferiority (Piaggio et al., JAMA 308 (2012)).
 */
export function judgeDifference(pairs: PairedCases, rule: DifferenceRule): Finding {
  const { margin, confidence, subject, unit, name } = rule;
  const all = [...pairs.now, ...pairs.before];
  if (!all.every(Number.isFinite)) return notMeasured('what is missing could be anything');
  const n = pairs.now.length;
  const value = momentsOf(pairs.now).mean - momentsOf(pairs.before).mean;
  const level = `one-sided ${sayConfidence(confidence)}`;
  const lost = sayDifference(margin, unit).replace('+', '');
  const base = { value, threshold: -margin, n, confidence };
  const changed = `${sayPlural(n, 'pair')}: mean difference ${sayDifference(value, unit)}`;
  const bounds = boundsOfDifference(pairs, rule, unit === undefined);
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: changed };
  }
  const { lower, upper, method } = bounds;
  const ends = `${sayDifference(lower, unit)} and ${sayDifference(upper, unit)}`;
  const arithmetic = `${changed}; ${level} bounds ${ends} (${method}); margin ${lost}`;
  const what = sayOfSubject(subject);
  const sure = `with ${sayConfidence(confidence)} confidence`;
  const told = { ...base, lower, upper, arithmetic };
  if (lower > -margin) {
    return {
      ...told,
      outcome: 'pass',
      reason: `${what} is not worse than ${name} by ${lost} or more, ${sure}`,
    };
  }
  if (upper < -margin) {
    return {
      ...told,
      outcome: 'fail',
      reason: `${what} is worse than ${name} by more than ${lost}, ${sure}`,
    };
  }
  const needed = casesToShow(pairs, rule, unit === undefined);
  const hint = needed === undefined || needed <= n ? '' : `; about ${needed} cases would show it`;
  const range = `could have changed by ${sayDifference(lower, unit)} to ${sayDifference(upper, unit)}`;
  const reason = `${what} ${range} since ${name}: a loss of ${lost} is neither shown nor ruled out${hint}`;
  return { ...told, outcome: 'inconclusive', reason };
}
