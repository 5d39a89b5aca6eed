import { expect, test } from 'vitest';
import type { Verdict } from '../../core/schema/verdict.ts';
import { weighted } from './weighted.ts';

const create = (options: Parameters<typeof weighted>[0]) =>
  weighted.definition.create(weighted.definition.options.parse(options), {});
const scored = (value: number): Verdict => ({ status: 'scored', value });

test('any metrics with weights make a total; a weight of 0 does not count', () => {
  const scorecard = create({
    criteria: [
      { metric: 'keywords', weight: 0.75 },
      { metric: { use: 'regex', pattern: 'x' }, weight: 0.25, name: 'has an x' },
      { metric: 'latency', weight: 0 },
    ],
  });
  expect(scorecard.criteria.map(({ name }) => name)).toEqual(['keywords', 'has an x', 'latency']);
  const verdicts = new Map([
    ['keywords', scored(0.5)],
    ['has an x', scored(1)],
  ]);
  expect(scorecard.evaluate(verdicts)).toMatchObject({ total: 0.625, grade: 'D' });
});

test('an inapplicable criterion gives its weight to the others', () => {
  const scorecard = create({
    criteria: [
      { metric: 'keywords', weight: 0.8 },
      { metric: 'entities', weight: 0.2 },
    ],
  });
  const notApplicable: Verdict = { status: 'not-applicable', reason: 'no entities' };
  const result = scorecard.evaluate(
    new Map([
      ['keywords', scored(0.5)],
      ['entities', notApplicable],
    ]),
  );
  expect(result.total).toBeCloseTo(0.5, 12);
});

test('without an applicable criterion there is no total', () => {
  const scorecard = create({ criteria: [{ metric: 'entities', weight: 1 }] });
  const result = scorecard.evaluate(new Map([['entities', { status: 'not-applicable', reason: 'none' }]]));
  expect(result).toMatchObject({ total: null, passed: null, explanation: 'no criterion applies' });
});

test('a measured quantity counts by whether it keeps its limit, and is unmeasured without one', () => {
  const scorecard = create({ criteria: [{ metric: { use: 'latency', maxMs: 100 }, weight: 1 }] });
  const latency = (passed?: boolean): Map<string, Verdict> =>
    new Map([['latency', { status: 'scored', value: 80, unit: 'ms', passed }]]);
  expect(scorecard.evaluate(latency(true)).total).toBe(1);
  expect(scorecard.evaluate(latency(false)).total).toBe(0);
  expect(scorecard.evaluate(latency()).total).toBeNull();
});

test('a required criterion that is not fully met fails the trial', () => {
  const scorecard = create({
    criteria: [
      { metric: 'keywords', weight: 0.9 },
      { metric: 'not-contains', weight: 0.1, required: true },
    ],
  });
  const result = scorecard.evaluate(
    new Map([
      ['keywords', scored(1)],
      ['not-contains', scored(0)],
    ]),
  );
  expect(result).toMatchObject({ grade: 'A', passed: false });
});
