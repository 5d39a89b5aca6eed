import { formatPoints } from '../../core/lib/text/format-points.ts';
import type { GateRule } from '../../core/schema/gate.ts';

/** Formats a number for a sentence: a share in per cent, anything else with its unit. */
export function formatNumber(value: number, unit: string | undefined): string {
  return unit === undefined ? formatShare(value) : `${Number(value.toPrecision(4))} ${unit}`;
}

/**
 * Formats a share in per cent with one decimal. Only exactly 1 is `100.0 %` and only exactly 0 is `0.0 %`, so
 * rounding never hides a failure.
 */
export function formatShare(share: number): string {
  return `${formatPoints(share)} %`;
}

/** Formats a difference with its sign: of two shares in points, of two quantities in their unit. */
export function formatDifference(difference: number, unit: string | undefined): string {
  const size = Math.abs(difference);
  const amount = unit === undefined ? `${formatPoints(size)} points` : formatNumber(size, unit);
  if (Number.parseFloat(amount) === 0) return amount;
  return `${difference > 0 ? '+' : '-'}${amount}`;
}

/** Formats a confidence in per cent: `95 %`. */
export function formatConfidence(confidence: number): string {
  return `${Number((confidence * 100).toFixed(2))} %`;
}

/** Formats a threshold as configured: `80 %`, `1200 ms`. */
export function formatThreshold(value: number, unit: string | undefined): string {
  return unit === undefined ? `${Number((value * 100).toFixed(2))} %` : `${value} ${unit}`;
}

/** Formats an amount in US dollars. */
export function formatMoney(dollars: number): string {
  return `$${Number(dollars.toPrecision(4))}`;
}

/** Formats a count with its noun: `1 case`, `2 cases`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** Says of how many attempts something is true: `1 of 20 attempts was not measured`. */
export function formatAttempts(count: number, all: number, what: string): string {
  return `${count} of ${formatCount(all, 'attempt')} ${count === 1 ? 'was' : 'were'} ${what}`;
}

/** The most names that are listed. */
const mostNames = 5;

/** Lists the first names, with the number of the others. */
export function formatNames(names: readonly string[]): string {
  const rest = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The number of a trial that a rule examines. */
export type Subject =
  | { readonly measure: 'score' | 'passed' }
  | { readonly measure: 'metric' | 'criterion'; readonly name: string };

/** Returns the subject of a rule; undefined for a rule that needs no numbers of single trials. */
export function subjectOf(rule: GateRule): Subject | undefined {
  switch (rule.type) {
    case 'score':
      return { measure: 'score' };
    case 'pass-rate':
    case 'required-cases':
      return { measure: 'passed' };
    case 'attack-rate':
      return rule.metric === undefined ? undefined : { measure: 'metric', name: rule.metric };
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

/** Returns a key that is the same for equal subjects. */
export function keyOfSubject(subject: Subject): string {
  return 'name' in subject ? `${subject.measure} ${subject.name}` : subject.measure;
}

/** Describes a subject for a sentence. */
export function describeSubject(subject: Subject): string {
  if (subject.measure === 'passed') return 'the pass rate';
  return 'name' in subject ? subject.name : 'the score';
}
