import { expect, test } from 'vitest';
import type { Estimate } from '../../core/schema/estimate.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { rangeInWords, scoreInWords } from './score-in-words.ts';

const estimate = (parts: Partial<Estimate>): Estimate => ({
  value: 0.84,
  lower: 0.731,
  upper: 0.912,
  n: 50,
  confidence: 0.95,
  method: 'gaffke',
  ...parts,
});

const cases = (count: number) => ({ dataset: { cases: count } }) as Parameters<typeof scoreInWords>[1];

test.each([
  ['a score with its interval', {}, '84 %, likely 73 to 91, from 50 questions'],
  [
    'a wide interval',
    { lower: 0.44, upper: 0.97, n: 10, value: 0.8 },
    '80 %, likely 44 to 97, from only 10 questions',
  ],
  [
    'very few questions',
    { value: 1, lower: 0.2, upper: 1, n: 2 },
    '100 %, too few questions to say how sure, from only 2 questions',
  ],
  [
    'one question',
    { value: 0, lower: null, upper: null, n: 1 },
    '0 %, too few questions to say how sure, from only 1 question',
  ],
  ['no interval', { lower: null, upper: null }, '84 %, how sure is not known, from 50 questions'],
  ['nothing measured', { value: null, lower: null, upper: null, n: 0 }, 'not measured'],
  [
    'a narrow interval, with a decimal',
    { value: 0.8432, lower: 0.8401, upper: 0.8463, n: 20_000 },
    '84.3 %, likely 84 to 84.6, from 20,000 questions',
  ],
  [
    'nearly all, never rounded to all',
    { value: 0.9961, lower: 0.97, upper: 0.9999 },
    '99.6 %, likely 97 to 99.9, from 50 questions',
  ],
  [
    'few clusters',
    { clusters: 8, effectiveClusters: 5, method: 'cr2-t' },
    '84 %, likely 73 to 91 or wider, from 50 questions',
  ],
])('a score is said in words: %s', (_, parts, words) => {
  expect(scoreInWords({ score: estimate(parts) })).toBe(words);
});

test('a score names how many of the questions it rests on', () => {
  expect(scoreInWords({ score: estimate({ n: 37 }) }, cases(40))).toBe(
    '84 %, likely 73 to 91, from 37 of 40 questions',
  );
  expect(scoreInWords({ score: estimate({ n: 40 }) }, cases(40))).toBe(
    '84 %, likely 73 to 91, from 40 questions',
  );
});

test('with missing measurements, the score has a range whatever they are', () => {
  const target = (measured: number) =>
    ({ counts: { planned: 40, measured }, worstCase: 0.7, bestCase: 0.854 }) as TargetSummary;
  expect(rangeInWords(target(34))).toBe('between 70 and 85 % whatever the 6 others are');
  expect(rangeInWords(target(39))).toBe('between 70 and 85 % whatever the other one is');
  expect(rangeInWords(target(40))).toBe('');
  expect(rangeInWords(target(0))).toBe('');
});
