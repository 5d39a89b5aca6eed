import { TouchstoneError } from '../../core/errors.ts';
import { isReservedName } from '../../core/lib/define.ts';
import type { Grade, ScorecardResult, Verdict } from '../../core/schema/verdict.ts';
import { gradeOf, tolerance } from './grades.ts';
import type { CriterionUse } from './scorecard.ts';

/**
 * Computes the weighted sum of the verdicts. An inapplicable criterion gives its weight to the others; an unmeasured
 * one makes the total unknown, with its bounds.
 */
export function weightedTotal(rule: Rule, verdicts: ReadonlyMap<string, Verdict>): ScorecardResult {
  const marks = rule.criteria
    .map((criterion) => markOf(criterion, verdicts.get(criterion.name)))
    .filter((mark) => mark !== undefined);
  const { weights, least, most } = sumUp(marks);
  if (weights === 0) return nothingApplies();
  const scale = Math.abs(weights - 1) < tolerance ? 1 : weights;
  const [lower, upper] = [least / scale, most / scale];
  const isKnown = marks.every(({ value, criterion }) => value !== null || criterion.weight === 0);
  return {
    total: isKnown ? lower : null,
    lower,
    upper,
    grade: isKnown ? gradeOf(lower, rule.grades) : null,
    passed: passes(marks, lower, upper, rule.passMark),
    explanation: explain(marks, scale),
  };
}

interface Rule {
  readonly criteria: readonly CriterionUse[];
  readonly grades: readonly Grade[];
  readonly passMark: number;
}

/** The result of an applicable criterion. */
interface Mark {
  readonly criterion: CriterionUse;
  /** The value, or null when it was not measured. */
  readonly value: number | null;
  readonly note: string | undefined;
}

function markOf(criterion: CriterionUse, verdict: Verdict | undefined): Mark | undefined {
  if (verdict === undefined) return { criterion, value: null, note: 'not measured' };
  if (verdict.status === 'not-applicable') return undefined;
  if (verdict.status === 'failed') return { criterion, value: null, note: verdict.reason };
  if (verdict.unit === undefined) return { criterion, value: verdict.value, note: verdict.explanation };
  const value = verdict.passed === undefined ? null : Number(verdict.passed);
  const unlimited = value === null ? ', without a limit to meet' : '';
  return { criterion, value, note: `${verdict.value} ${verdict.unit}${unlimited}` };
}

/** Returns the sum of the weights, and of the weighted values if all unmeasured criteria had failed or been met. */
function sumUp(marks: readonly Mark[]): { weights: number; least: number; most: number } {
  const sums = { weights: 0, least: 0, most: 0 };
  for (const { criterion, value } of marks) {
    sums.weights += criterion.weight;
    sums.least += criterion.weight * (value ?? 0);
    sums.most += criterion.weight * (value ?? 1);
  }
  return sums;
}

function isMissed({ value }: Mark): boolean {
  return value === null || value < 1 - tolerance;
}

function passes(marks: readonly Mark[], lower: number, upper: number, passMark: number): boolean | null {
  const missed = marks.filter((mark) => mark.criterion.required && isMissed(mark));
  if (missed.some(({ value }) => value !== null)) return false;
  if (upper < passMark - tolerance) return false;
  return missed.length === 0 && lower >= passMark - tolerance ? true : null;
}

function explain(marks: readonly Mark[], scale: number): string {
  const remarks = marks
    .filter((mark) => mark.criterion.weight > 0 && isMissed(mark))
    .map(({ criterion, value, note }) => {
      const weight = criterion.weight / scale;
      const cost =
        value === null ? `${formatPoints(weight)} not measured` : `−${formatPoints(weight * (1 - value))}`;
      return `${cost} ${criterion.name}${note === undefined ? '' : ` (${note})`}`;
    });
  return remarks.length === 0 ? 'every criterion met' : remarks.join('; ');
}

function nothingApplies(): ScorecardResult {
  return { total: null, lower: 0, upper: 1, grade: null, passed: null, explanation: 'no criterion applies' };
}

/** Formats a share of the score with two digits, or with three when needed: `0.25`, `0.10`, `0.125`. */
export function formatPoints(share: number): string {
  return share.toFixed(3).replace(/0$/, '');
}

/** Throws `scorecard-weights` unless the weights add up to 1. */
export function checkWeights(
  scorecard: string,
  weights: readonly (readonly [criterion: string, weight: number])[],
): void {
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  if (Math.abs(sum - 1) <= tolerance) return;
  const listed = weights.map(([name, weight]) => `${name} ${weight}`);
  throw new TouchstoneError(
    'scorecard-weights',
    `The weights of the scorecard ${scorecard} add up to ${Number(sum.toFixed(12))}, not 1: ${listed.join(', ')}.`,
  );
}

/**
 * Throws `config-invalid` when two criteria have the same name, so that a verdict could belong to either, or when a
 * name is reserved.
 */
export function checkNames(scorecard: string, names: readonly string[]): void {
  const reserved = names.find(isReservedName);
  if (reserved !== undefined) {
    const message = `In the scorecard ${scorecard}, "${reserved}" cannot be used as a name: every JavaScript object has a property of that name.`;
    throw new TouchstoneError('config-invalid', message, { remedy: 'Give it another `name`.' });
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new TouchstoneError(
    'config-invalid',
    `Two criteria of the scorecard ${scorecard} are named "${twice}".`,
    { remedy: 'Give one of them another `name`.' },
  );
}
