import { expect, test } from 'vitest';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { cost } from './cost.ts';

const score = (trial: ReturnType<typeof buildTrial>, max?: number) =>
  cost.definition.create({ max }, {}).score({ case: buildCase(), trial });

test('measures what the target cost in US dollars, also when the trial failed', () => {
  expect(score(buildTrial('x', { cost: 0.002 }))).toEqual({ status: 'scored', value: 0.002, unit: 'USD' });
  expect(score(buildFailedTrial('timeout', 'late', { cost: 0.5 }))).toMatchObject({ value: 0.5 });
  expect(cost.definition.create({}, {}).measuresFailures).toBe(true);
});

test('a limit decides whether the verdict passes', () => {
  expect(score(buildTrial('x', { cost: 0.01 }), 0.01)).toMatchObject({ passed: true });
  expect(score(buildTrial('x', { cost: 0.011 }), 0.01)).toMatchObject({ passed: false });
  expect(score(buildTrial('x', { cost: 0 }), 0)).toMatchObject({ value: 0, passed: true });
});

test('an unknown cost is neither 0 nor over any limit', () => {
  expect(score(buildTrial('x', { cost: undefined }), 1)).toMatchObject({
    status: 'not-applicable',
  });
});
