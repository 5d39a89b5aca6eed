import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../../core/errors.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { threeComponent } from './three-component.ts';

const create = (options: Parameters<typeof threeComponent>[0] = {}) =>
  threeComponent.definition.create(threeComponent.definition.options.parse(options), {});
const scored = (value: number): Verdict => ({ status: 'scored', value });
const failed: Verdict = { status: 'failed', code: 'trial-failed', reason: 'no answer' };

function evaluate(
  tools: Verdict,
  quality: Verdict,
  errors: Verdict,
  options?: Parameters<typeof threeComponent>[0],
) {
  return create(options).evaluate(
    new Map([
      ['tool usage', tools],
      ['response quality', quality],
      ['error handling', errors],
    ]),
  );
}

test.each([
  [1, 1, 1, 1, 'A', true],
  [1, 0.8, 1, 0.92, 'A', true],
  [1, 2 / 5, 1, 0.76, 'C', true],
  [0, 1 / 3, 1, 1 / 3, 'F', false],
  [1, 0.25, 1, 0.7, 'C', true],
  [1, 0.5, 1, 0.8, 'B', true],
  [1, 0.75, 1, 0.9, 'A', true],
  [0, 1, 1, 0.6, 'D', false],
  [1, 0, 1, 0.6, 'D', false],
  [0, 0, 1, 0.2, 'F', false],
  [1, 1, 0, 0.8, 'B', false],
  [0, 0, 0, 0, 'F', false],
])('tools %d, quality %d, errors %d → %d %s passed %s', (tools, quality, errors, total, grade, passed) => {
  const result = evaluate(scored(tools), scored(quality), scored(errors));
  expect(result.total).toBeCloseTo(total, 12);
  expect(result).toMatchObject({ grade, passed });
  expect([result.lower, result.upper]).toEqual([result.total, result.total]);
});

test('a trial that ended in an error never passes, whatever its score', () => {
  const result = evaluate(scored(1), scored(1), scored(0));
  expect(result.total).toBeCloseTo(0.8, 12);
  expect(result.passed).toBe(false);
});

test('an unmeasured component makes the total unknown, with its bounds', () => {
  expect(evaluate(failed, scored(1), scored(1))).toMatchObject({
    total: null,
    lower: expect.closeTo(0.6),
    upper: 1,
    grade: null,
    passed: null,
  });
  expect(evaluate(failed, failed, scored(0))).toMatchObject({
    total: null,
    lower: 0,
    upper: expect.closeTo(0.8),
    passed: false,
  });
});

test('the bounds can decide: even the worst case passes, or even the best does not', () => {
  const easy = { passMark: 0.5 };
  expect(evaluate(failed, scored(1), scored(1), easy).passed).toBe(true);
  expect(evaluate(failed, scored(0), scored(1), { passMark: 0.7 }).passed).toBe(false);
});

test('the explanation states what was lost and why', () => {
  const quality: Verdict = { status: 'scored', value: 0.8, explanation: 'missing: depreciation' };
  expect(evaluate(scored(1), quality, scored(1)).explanation).toBe(
    '−0.08 response quality (missing: depreciation)',
  );
  expect(evaluate(scored(1), scored(1), scored(1)).explanation).toBe('every criterion met');
});

test('weights, pass mark and grades can be changed', () => {
  const weights = { toolUsage: 0.5, responseQuality: 0.25, errorHandling: 0.25 };
  const grades = [
    { grade: 'pass', from: 0.5, meaning: '' },
    { grade: 'fail', from: 0, meaning: '' },
  ];
  const result = evaluate(scored(0), scored(1), scored(1), { weights, grades, passMark: 0.5 });
  expect(result).toMatchObject({ total: 0.5, grade: 'pass', passed: true });
});

test('rejects weights that do not add up to 1, with their sum', () => {
  const weights = { toolUsage: 0.5, responseQuality: 0.5, errorHandling: 0.2 };
  expect(() => create({ weights })).toThrow(TouchstoneError);
  expect(() => create({ weights })).toThrow(/add up to 1\.2, not 1/);
});

test('the total stays within its bounds and grows with every component', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, share, (tools, quality, more, errors) => {
      const less = evaluate(scored(tools), scored(Math.min(quality, more)), scored(errors)).total as number;
      const greater = evaluate(scored(tools), scored(Math.max(quality, more)), scored(errors))
        .total as number;
      expect(less).toBeGreaterThanOrEqual(0);
      expect(greater).toBeLessThanOrEqual(1 + 1e-12);
      expect(greater).toBeGreaterThanOrEqual(less);
    }),
  );
});

const absent: Verdict = { status: 'not-applicable', reason: 'the question expects none' };

test.each<[string, Verdict, Verdict, number]>([
  ['the expected answer alone counts 80/20', absent, scored(0.5), 0.6],
  ['a wrong answer keeps what an answer without an error is worth', absent, scored(0), 0.2],
  ['tools alone count 80/20', scored(1), absent, 1],
  ['tools that were not used', scored(0), absent, 0.2],
])('%s', (_title, tools, quality, total) => {
  expect(evaluate(tools, quality, scored(1)).total).toBeCloseTo(total, 12);
});

test('a case that expects nothing is not measured, whatever was answered', () => {
  expect(evaluate(absent, absent, scored(1))).toEqual({
    total: null,
    lower: 0,
    upper: 1,
    grade: null,
    passed: null,
    explanation: 'the question expects nothing that can be checked',
  });
  expect(evaluate(absent, absent, scored(0))).toMatchObject({ total: null, passed: false });
});

test('an unmeasured component keeps its weight and its uncertainty', () => {
  const result = evaluate(absent, failed, scored(1));
  expect(result).toMatchObject({ total: null, passed: null });
  expect(result.lower).toBeCloseTo(0.2, 12);
  expect(result.upper).toBeCloseTo(1, 12);
});

test('a component of weight 0 measures nothing by itself', () => {
  const weights = { toolUsage: 0, responseQuality: 0.8, errorHandling: 0.2 };
  expect(evaluate(scored(1), absent, scored(1), { weights })).toMatchObject({ total: null, passed: null });
});

test.each([{ source: true }, { nothingExpected: 'full' as const }])(
  'with %j it reads only tools and keywords as the source does, and gives full marks when a case has none',
  (options) => {
    expect(create(options).criteria.map(({ metric }) => metric)).toEqual([
      { use: 'tool-usage', nothingExpected: 'full' },
      { use: 'keywords', source: true, nothingExpected: 'full' },
      { use: 'error-handling' },
    ]);
  },
);
