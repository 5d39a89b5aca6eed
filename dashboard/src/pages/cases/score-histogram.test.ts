import { expect, test } from 'vitest';
import { vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import { scoreBinsOf } from './score-histogram.tsx';

const scores = { bins: [3, 0, 1, 6], missing: 2 };
const binsOf = (where: string) =>
  scoreBinsOf(scores, where === '' ? [] : (parseFilter(where, vocabularyOf('trial')).filter ?? []));

test('a part leads to its scores, beside what else the filter says', () => {
  expect(binsOf('passed=false total>0.9').map(({ where }) => where)).toEqual([
    'passed=false total>=0 total<0.25',
    'passed=false total>=0.25 total<0.5',
    'passed=false total>=0.5 total<0.75',
    'passed=false total>=0.75',
  ]);
});

test('a chosen part leads back to all scores, and the others are faint', () => {
  const bins = binsOf('category=fees total>=0.25 total<0.5');
  expect(bins.map(({ isChosen }) => isChosen)).toEqual([false, true, false, false]);
  expect(bins.map(({ isFaint }) => isFaint)).toEqual([true, false, true, true]);
  expect(bins[1]?.where).toBe('category=fees');
  expect(binsOf('total>0.5').map(({ isFaint }) => isFaint)).toEqual([true, true, false, false]);
  expect(binsOf('').some(({ isFaint, isChosen }) => isFaint || isChosen)).toBe(false);
});
