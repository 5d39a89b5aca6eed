import { expect, test } from 'vitest';
import { levelAfter } from './levels.ts';
import { questionsFor, smallestGain, smallestScoreGain } from './power.ts';
import { smallestMargin } from './tests.ts';

const budget = (looks: number, surprises = 3) => ({ looks, surprises, confidence: 0.95 });
const points = (share: number | undefined, digits: number) =>
  Number(((share ?? Number.NaN) * 100).toFixed(digits));

test.each([
  {
    questions: 30,
    digits: 0,
    gains: [32, 39, 43, 38, 45, 49, 44, 52, 57],
    margins: [20, 26.3],
    later: [61, 69],
  },
  {
    questions: 60,
    digits: 0,
    gains: [17, 20, 22, 22, 26, 28, 26, 31, 33],
    margins: [10.5, 14],
    later: [34, 39],
  },
  {
    questions: 120,
    digits: 1,
    gains: [8.4, 10.3, 11.2, 12.6, 14.9, 16.1, 15.9, 18.6, 20.3],
    margins: [5.4, 7.2],
    later: [19.4, 22.1],
  },
  {
    questions: 300,
    digits: 1,
    gains: [3.4, 4.1, 4.5, 6.4, 7.5, 8.2, 8.6, 10, 10.9],
    margins: [2.2, 3],
    later: [9.6, 11],
  },
])('the gains and margins that $questions questions show', ({ questions, digits, gains, margins, later }) => {
  const gain = (looks: number, broken: number, surprises = 0) =>
    points(smallestGain({ questions, broken, level: levelAfter(surprises, budget(looks)) }), digits);
  expect([0, 0.02, 0.05].flatMap((broken) => [5, 20, 50].map((looks) => gain(looks, broken)))).toEqual(gains);
  const level = levelAfter(0, budget(20));
  expect([0, 1].map((losses) => points(smallestMargin(questions, { losses, level }), 1))).toEqual(margins);
  expect([1, 2].map((surprises) => gain(20, 0.02, surprises))).toEqual(later);
});

test('one surprise in place of three sees 13.5 points in place of 14.9', () => {
  const seen = { questions: 120, broken: 0.02, level: levelAfter(0, budget(20, 1)) };
  expect(points(smallestGain(seen), 1)).toBe(13.5);
});

test('gains of 5, 10, 15 and 20 points need 538, 201, 119 and 82 questions', () => {
  const seen = { broken: 0.02, level: levelAfter(0, budget(20)) };
  expect([0.05, 0.1, 0.15, 0.2].map((gain) => questionsFor(gain, seen))).toEqual([538, 201, 119, 82]);
});

test('ten questions see nothing when every win is needed and some questions break', () => {
  expect(smallestGain({ questions: 10, broken: 0.05, level: levelAfter(0, budget(20)) })).toBeUndefined();
});

test('scores that differ by .30 show about 22 points with 60 questions, and 14 with 120', () => {
  const level = levelAfter(0, budget(20));
  expect(points(smallestScoreGain({ questions: 60, level }, 0.3), 0)).toBe(22);
  expect(points(smallestScoreGain({ questions: 120, level }, 0.3), 0)).toBe(14);
});
