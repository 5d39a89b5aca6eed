import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { dateMatch } from './date-match.ts';

type Options = Parameters<typeof dateMatch>[0];
const score = (answer: string | null, options: Options) =>
  scoreAnswer(dateMatch, answer, { options: { ...options } });

test.each<[Options, string | null, number]>([
  [{ value: '2024-08-01' }, 'It began on August 1st, 2024.', 1],
  [{ value: '2024-08-01' }, 'It began in August 2024.', 0],
  [{ value: 'August 2024' }, 'It began on 2024-08-17.', 1],
  [{ value: '2024-08-01' }, 'It began on 2 August 2024.', 0],
  [{ value: '2024-04-13' }, '13/04/2024', 1],
  [{ value: '2024-04-03', order: 'day-first' }, '03/04/2024', 1],
  [{ value: '2024-04-03', order: 'month-first' }, '03/04/2024', 0],
  [{ value: '03/04/2024' }, 'on 03/04/2024', 1],
  [{ value: '2025-01-01' }, '03/04/2024', 0],
  [{ value: ['2024-01-01', '2024-02-01'] }, '1 February 2024', 1],
  [{ value: '2024-08-01' }, null, 0],
])('%j in %j → %d', (options, answer, value) => {
  expect(score(answer, options)).toMatchObject({ status: 'scored', value, passed: value === 1 });
});

test('is not applicable when the verdict depends on an order that is not set', () => {
  expect(score('03/04/2024', { value: '2024-04-03' })).toEqual({
    status: 'not-applicable',
    reason: '03/04/2024 can be read in two ways; set the option `order`',
  });
  expect(score('03/04/2024, that is 3 April 2024', { value: '2024-04-03' })).toMatchObject({ value: 1 });
});

test('looks for every date of the expected answer', () => {
  const expected = { answer: 'from 1 May 2024 to 30 June 2024' };
  expect(scoreAnswer(dateMatch, 'from 2024-05-01', { expected })).toMatchObject({
    value: 0.5,
    explanation: 'missing: 30 June 2024',
  });
});

test('a case that expects no date is not applicable', () => {
  expect(scoreAnswer(dateMatch, 'x', { expected: { answer: 'soon' } })).toMatchObject({
    status: 'not-applicable',
  });
  expect(scoreAnswer(dateMatch, 'x')).toMatchObject({ status: 'not-applicable' });
});

test('rejects an unknown language', () => {
  expect(() => score('x', { value: 'y', locales: ['qq-x'] })).toThrow();
});
