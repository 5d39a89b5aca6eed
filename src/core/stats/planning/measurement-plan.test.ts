import { expect, test } from 'vitest';
import { measurementPlan } from './measurement-plan.ts';

const design = { questions: 50, attempts: 3, samples: 2, questionVariance: 0.09, attemptVariance: 0.04 };

test('the plan states the standard error and the effect of doubling each part', () => {
  const { standardError, choices } = measurementPlan({ ...design, sampleVariance: 0.01, sampleCost: 0.5 });
  const at = (n: number, k: number, j: number) => Math.sqrt((0.09 + (0.04 + 0.01 / j) / k) / n);
  expect(standardError).toBeCloseTo(at(50, 3, 2), 14);
  expect(choices).toEqual([
    { twice: 'questions', standardError: expect.closeTo(at(100, 3, 2), 14), costRatio: 2 },
    { twice: 'attempts', standardError: expect.closeTo(at(50, 6, 2), 14), costRatio: 2 },
    { twice: 'samples', standardError: expect.closeTo(at(50, 3, 4), 14), costRatio: 1.5 },
  ]);
});

test('a noisy, cheap judge is to be asked more often, an expensive or precise one is not', () => {
  const noisy = { ...design, samples: 1, sampleVariance: 0.2 };
  expect(measurementPlan({ ...noisy, sampleCost: 0.1 }).best).toBe('samples');
  expect(measurementPlan({ ...noisy, sampleCost: 10 }).best).toBe('questions');
  expect(measurementPlan({ ...design, sampleVariance: 0.001, sampleCost: 0.1 }).best).toBe('questions');
});

test('if questions do not differ, an attempt is worth as much as a question; if nothing varies, nothing helps', () => {
  expect(measurementPlan({ ...design, questionVariance: 0 }).best).toBe('attempts');
  expect(measurementPlan({ ...design, questionVariance: 0, attemptVariance: 0 })).toMatchObject({
    best: null,
    questionPrice: null,
    standardError: 0,
  });
});

test('at the stated price of a question, the present number of attempts is the best plan', () => {
  const { questionPrice } = measurementPlan(design);
  // Cochran, Sampling Techniques (1977), section 10.6: K* = √(price · σ_w² / σ_b²).
  expect(Math.sqrt(((questionPrice ?? 0) * 0.04) / 0.09)).toBeCloseTo(design.attempts, 12);
});

test('invalid arguments are refused', () => {
  expect(() => measurementPlan({ ...design, questions: 0 })).toThrow('questions is 0');
  expect(() => measurementPlan({ ...design, attemptVariance: -1 })).toThrow(RangeError);
});
