import { expect, test } from 'vitest';
import { findPeriods } from './find-periods.ts';

const asOf = '2025-10-15';

test.each([
  ['rent in August 2024', ['2024-08-01', '2024-08-31', 'August 2024']],
  ['rent in february 2024', ['2024-02-01', '2024-02-29', 'February 2024']],
  ['the first quarter of 2025', ['2025-01-01', '2025-03-31', 'the first quarter of 2025']],
  ['Q3 2024', ['2024-07-01', '2024-09-30', 'the third quarter of 2024']],
  ['last month', ['2025-09-01', '2025-09-30', 'September 2025']],
  ['last year', ['2024-01-01', '2024-12-31', '2024']],
])('%s is a period counted from the date of the books', (text, [from, to, label]) => {
  expect(findPeriods(text, asOf)).toEqual([{ from, to, label }]);
});

test('two years are two periods', () => {
  expect(findPeriods('2023 and 2024', asOf).map((period) => period.label)).toEqual(['2023', '2024']);
});

test('the verb may is no month', () => {
  expect(findPeriods('how much may we spend', asOf)).toEqual([]);
});
