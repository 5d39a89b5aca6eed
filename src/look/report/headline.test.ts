import { expect, test } from 'vitest';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { sampleInput } from '../../../test/support/build-sample-run.ts';
import { headlineParts } from './headline.ts';

const base = sampleInput([{}]).summary.targets[0] as TargetSummary;
const score = { value: 0.84, lower: 0.731, upper: 0.912, n: 62, confidence: 0.95, method: 'student-t' };
const counts = {
  planned: 65,
  measured: 62,
  errors: 2,
  notMeasured: 1,
  cancelled: 0,
  notRun: 0,
  passed: 50,
  failed: 12,
  errorReports: 0,
};
/** The parts as a line of the terminal shows them. */
function lineOf(target: TargetSummary): string {
  const [score, ...parts] = headlineParts(target);
  return `${score}  ${parts.join(' · ')}`;
}

const target = { ...base, score, counts, worstCase: 0.8, bestCase: 0.846 };

test('the headline has the form of the design', () => {
  expect(lineOf(target)).toBe(
    '84.0 % [73.1, 91.2]  n = 62/65 · 2 errors · 1 not measured · worst case 80.0 · best case 84.6',
  );
});

test('worst and best case appear only when something was not measured', () => {
  const complete = { ...counts, measured: 65, errors: 0, notMeasured: 0 };
  expect(lineOf({ ...target, counts: complete })).toBe('84.0 % [73.1, 91.2]  n = 65/65');
});

test('every reason why trials were not measured is named', () => {
  const cut = { ...counts, measured: 60, errors: 1, notMeasured: 0, cancelled: 1, notRun: 3 };
  expect(lineOf({ ...target, counts: cut, worstCase: null, bestCase: null })).toBe(
    '84.0 % [73.1, 91.2]  n = 60/65 · 1 error · 1 cancelled · 3 not run',
  );
});

test('an unmeasured score is a text, and a score without an interval has no brackets', () => {
  const none = { ...score, value: null, lower: null, upper: null };
  expect(lineOf({ ...target, score: none })).toMatch(/^not measured {2}n = 62\/65/);
  expect(lineOf({ ...target, score: { ...none, value: 1 } })).toMatch(/^100\.0 % {2}n = /);
});
