import type { Grade, ScorecardResult } from '../schema/scorecard-result.ts';
import type { Verdict } from '../schema/verdict.ts';
import { formatPoints } from './format-points.ts';
import { gradeOf, tolerance } from './grades.ts';
import type { CriterionUse } from './scorecard.ts';

interface Rule {
  readonly criteria: readonly CriterionUse[];
  readonly grades: readonly Grade[];
  readonly passMark: number;
}

/**
 * The weighted sum of the verdicts. A criterion that is not applicable leaves the sum and its weight goes to the others;
 * one that was not measured makes the total unknown, with its bounds.
 */
export function weightedTotal(rule: Rule, verdicts: ReadonlyMap<string, Verdict>): ScorecardResult {
  const marks = rule.criteria.map((criterion) => ({ criterion, ...markOf(verdicts.get(criterion.name)) }));
  const counted = marks.filter((mark) => mark.applicable && mark.criterion.weight > 0);
  const weights = counted.reduce((sum, { criterion }) => sum + criterion.weight, 0);
  if (weights === 0) return nothingApplies();
  const scale = Math.abs(weights - 1) < tolerance ? 1 : weights;
  const lower =
    counted.reduce((sum, { criterion, value }) => sum + criterion.weight * (value ?? 0), 0) / scale;
  const upper =
    counted.reduce((sum, { criterion, value }) => sum + criterion.weight * (value ?? 1), 0) / scale;
  const total = counted.some((mark) => mark.value === null) ? null : lower;
  const required = marks.filter((mark) => mark.applicable && mark.criterion.required);
  return {
    total,
    lower,
    upper,
    grade: total === null ? null : gradeOf(total, rule.grades),
    passed: passes(
      required.map((mark) => mark.value),
      lower,
      upper,
      rule.passMark,
    ),
    explanation: explain(counted, scale),
  };
}

interface Mark {
  readonly applicable: boolean;
  /** null when it was not measured. */
  readonly value: number | null;
  readonly note: string | undefined;
}

function markOf(verdict: Verdict | undefined): Mark {
  if (verdict === undefined) return { applicable: true, value: null, note: 'not measured' };
  if (verdict.status === 'not-applicable') return { applicable: false, value: null, note: verdict.reason };
  if (verdict.status === 'failed') return { applicable: true, value: null, note: verdict.reason };
  if (verdict.unit === undefined)
    return { applicable: true, value: verdict.value, note: verdict.explanation };
  const note = `${verdict.value} ${verdict.unit}`;
  return { applicable: true, value: verdict.passed === undefined ? null : Number(verdict.passed), note };
}

function passes(required: (number | null)[], lower: number, upper: number, passMark: number): boolean | null {
  if (required.some((value) => value !== null && value < 1 - tolerance)) return false;
  if (upper < passMark - tolerance) return false;
  const isCertain = lower >= passMark - tolerance && required.every((value) => value !== null);
  return isCertain ? true : null;
}

function explain(marks: readonly (Mark & { criterion: CriterionUse })[], scale: number): string {
  const remarks = marks
    .filter(({ value }) => value === null || value < 1 - tolerance)
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
