import { expect, test } from 'vitest';
import { readComparisonFlags } from './print-comparison.ts';

test('a page compares two runs, and only where the command can write one', () => {
  const flags = { output: ['report.html'] };
  expect(readComparisonFlags(flags, 2)).toEqual({ flips: 100 });
  expect(() => readComparisonFlags(flags, 3)).toThrow('A page compares two runs, and 3 are named.');
  expect(() => readComparisonFlags(flags)).toThrow('A comparison cannot be written as report.html.');
  expect(() => readComparisonFlags({ output: ['report.pdf'] }, 2)).toThrow('cannot be written as report.pdf');
});
