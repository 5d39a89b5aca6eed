import type { GateRule } from '../../schema/gate.ts';

/** A number in a sentence: a share in per cent, anything else with its unit. */
export function sayNumber(value: number, unit: string | undefined): string {
  return unit === undefined ? sayShare(value) : `${Number(value.toPrecision(4))} ${unit}`;
}

/**
 * A share in per cent with one decimal. Only exactly 1 is `100.0 %` and only exactly 0 is `0.0 %`, so that rounding hides
 * no failure.
 */
export function sayShare(share: number): string {
  const points = (share * 100).toFixed(1);
  if (points === '100.0' && share < 1 - 1e-9) return '99.9 %';
  if (points === '0.0' && share > 1e-9) return '0.1 %';
  return `${points === '-0.0' ? '0.0' : points} %`;
}

/** A difference of two shares in points, or of two quantities in their unit, with its sign. */
export function sayDifference(difference: number, unit: string | undefined): string {
  const amount = unit === undefined ? `${(difference * 100).toFixed(1)} points` : sayNumber(difference, unit);
  return difference > 0 ? `+${amount}` : amount.replace(/^-(0\.0 points)$/, '$1');
}

/** A confidence in per cent: `95 %`. */
export function sayConfidence(confidence: number): string {
  return `${Number((confidence * 100).toFixed(2))} %`;
}

/** A threshold as it was asked for: `80 %`, `1200 ms`. */
export function sayThreshold(value: number, unit: string | undefined): string {
  return unit === undefined ? `${Number((value * 100).toFixed(2))} %` : `${value} ${unit}`;
}

/** An amount in US dollars. */
export function sayMoney(dollars: number): string {
  return `$${Number(dollars.toPrecision(4))}`;
}

/** A count with its noun. */
export function sayPlural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** The first names of a list. */
export function sayNames(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What a rule looks at, trial by trial. */
export type Subject =
  | { readonly measure: 'score' | 'passed' }
  | { readonly measure: 'metric' | 'criterion'; readonly name: string };

/** What a rule looks at; undefined for one that needs no numbers of single trials. */
export function subjectOf(rule: GateRule): Subject | undefined {
  switch (rule.type) {
    case 'score':
      return { measure: 'score' };
    case 'pass-rate':
    case 'required-cases':
      return { measure: 'passed' };
    case 'metric':
      return { measure: 'metric', name: rule.metric };
    case 'criterion':
      return { measure: 'criterion', name: rule.criterion };
    case 'coverage':
      return rule.metric === undefined ? { measure: 'score' } : { measure: 'metric', name: rule.metric };
    case 'no-regression':
      if (rule.metric !== undefined) return { measure: 'metric', name: rule.metric };
      if (rule.criterion !== undefined) return { measure: 'criterion', name: rule.criterion };
      return { measure: rule.of === 'score' ? 'score' : 'passed' };
    default:
      return undefined;
  }
}

/** A text that is the same for the same subject. */
export function keyOfSubject(subject: Subject): string {
  return 'name' in subject ? `${subject.measure} ${subject.name}` : subject.measure;
}

/** A subject in a sentence. */
export function sayOfSubject(subject: Subject): string {
  if (subject.measure === 'passed') return 'the pass rate';
  return 'name' in subject ? subject.name : 'the score';
}
