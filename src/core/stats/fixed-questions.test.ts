import { expect, test } from 'vitest';
import { fixedQuestionBounds, type QuestionAttempts } from './fixed-questions.ts';

/** Returns the attempts of which some passed. */
function passes(passed: number, n: number): QuestionAttempts {
  const mean = passed / n;
  return { n, mean, variance: (n * mean * (1 - mean)) / (n - 1) };
}

test('the worked example: thirty questions, three attempts, a loss of one point is neither shown nor ruled out', () => {
  const before = [...Array.from({ length: 27 }, () => 3), 2, 2, 1];
  const now = [...Array.from({ length: 26 }, () => 3), 2, 2, 2, 1];
  const found = fixedQuestionBounds({
    pairs: before.map((passed, place) => [passes(passed, 3), passes(now[place] ?? 0, 3)]),
  });
  expect(found).toMatchObject({ status: 'defined', n: 30, degreesOfFreedom: expect.closeTo(14, 10) });
  expect(found.estimate).toBeCloseTo(-0.011111, 6);
  expect(found).toMatchObject({ variance: expect.closeTo(0.00104938, 8) });
  expect(found.lower).toBeCloseTo(-0.068167, 6);
  expect(found.upper).toBeCloseTo(0.045945, 6);
});

test('unchanged answers still allow for one question that is a coin flip', () => {
  const pairs = Array.from({ length: 30 }, () => [passes(3, 3), passes(3, 3)] as const);
  const { lower } = fixedQuestionBounds({ pairs });
  expect(lower).toBeCloseTo(-1.6448536 * Math.sqrt(0.5 / 3 / 900), 7);
});

test('equal weights are no weights, and a question of weight 0 counts for nothing', () => {
  const pairs = [3, 2, 1, 3].map((passed) => [passes(3, 3), passes(passed, 3)] as const);
  const plain = fixedQuestionBounds({ pairs });
  const weighted = fixedQuestionBounds({
    pairs: [...pairs, [passes(3, 3), passes(0, 3)]],
    weights: [2, 2, 2, 2, 0],
  });
  expect([weighted.estimate, weighted.lower, weighted.upper]).toEqual(
    [plain.estimate, plain.lower, plain.upper].map((end) => expect.closeTo(end as number, 12)),
  );
});

test('a single attempt is taken to be a coin flip, and one question has no bounds', () => {
  const once = { n: 1, mean: 1, variance: Number.NaN };
  expect(
    fixedQuestionBounds({
      pairs: [
        [once, once],
        [once, once],
      ],
    }).lower,
  ).toBeLessThan(-0.5);
  expect(fixedQuestionBounds({ pairs: [[once, once]] }).status).toBe('undefined');
  expect(() => fixedQuestionBounds({ pairs: [], weights: [1] })).toThrow('weights');
});
