import { compileTerm } from './match-filter.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomFilter, randomSort } from '../../../../test/support/random-filters.ts';
import { metricNames } from '../../../../test/support/random-trials.ts';
import { vocabularyOf } from './fields.ts';
import { formatFilter } from './format-filter.ts';
import { parseFilter } from './parse-filter.ts';
import { formatSort, parseSort } from './parse-sort.ts';

const trials = vocabularyOf('trial', ['keywords', 'Answer quality', 'cost']);
const pairs = vocabularyOf('pair', ['keywords']);

test.each([
  ['passed=false', [{ field: 'passed', operator: '=', values: ['false'] }]],
  ['TOTAL<0.7', [{ field: 'total', operator: '<', values: [0.7] }]],
  ['keywords<=1e-3', [{ field: 'metric.keywords', operator: '<=', values: [0.001] }]],
  ['score<0.5', [{ field: 'total', operator: '<', values: [0.5] }]],
  ['latency>2000', [{ field: 'latencyMs', operator: '>', values: [2000] }]],
  [
    'cost>1 metric.cost>=-1',
    [
      { field: 'cost', operator: '>', values: [1] },
      { field: 'metric.cost', operator: '>=', values: [-1] },
    ],
  ],
  ['"answer quality"=1|*', [{ field: 'metric.Answer quality', operator: '=', values: [1, '*'] }]],
  [
    'answer~refund policy keywords<1',
    [
      { field: 'answer', operator: '~', values: ['refund policy'] },
      { field: 'metric.keywords', operator: '<', values: [1] },
    ],
  ],
  [
    'answer="say \\"a|b\\" total<1 \\\\"|c',
    [{ field: 'answer', operator: '=', values: ['say "a|b" total<1 \\', 'c'] }],
  ],
  ['question=is x=1 the rate?', [{ field: 'question', operator: '=', values: ['is x=1 the rate?'] }]],
  ['metadata.year>2020', [{ field: 'metadata.year', operator: '>', values: [2020] }]],
  [
    'cluster= id=',
    [
      { field: 'cluster', operator: '=', values: [''] },
      { field: 'id', operator: '=', values: [''] },
    ],
  ],
])('%s is parsed', (text, filter) => {
  expect(parseFilter(text, trials)).toEqual({ filter });
});

test('a filter of pairs names the run of each result', () => {
  expect(parseFilter('a.passed=true B.keywords<1 change>0.2 category=tax', pairs)).toEqual({
    filter: [
      { side: 'a', field: 'passed', operator: '=', values: ['true'] },
      { side: 'b', field: 'metric.keywords', operator: '<', values: [1] },
      { field: 'change', operator: '>', values: [0.2] },
      { field: 'category', operator: '=', values: ['tax'] },
    ],
  });
});

test.each([
  ['zzz', 0, 'The filter "zzz" does not have the form field=value.'],
  ['  total<abc', 2, 'The filter "total<abc" compares total with "abc", which is not a number.'],
  ['total=', 0, 'The filter "total=" compares total with "", which is not a number.'],
  ['total<1|2', 0, 'The filter "total<1|2" has several values, but < takes one.'],
  ['id=a grade<2', 5, 'The filter "grade<2" compares texts by size. < is for numbers, such as total<0.7.'],
  ['total~7', 0, 'The filter "total~7" searches a number for text. ~ is for texts, such as answer~refund.'],
  ['keyword<1', 0, 'The filter "keyword<1" names an unknown field. Did you mean "keywords"?'],
  ['scor<0.5', 0, 'The filter "scor<0.5" names an unknown field. Did you mean "score"?'],
  ['passed=no', 0, 'The filter "passed=no" names a value that passed never has. It is true, false.'],
  [
    'result=faild',
    0,
    'The filter "result=faild" names a value that result never has. Did you mean "failed"? It is passed, failed, error, not-measured, unscored.',
  ],
  [
    'category=tax keywrds<1',
    0,
    'The filter "keywrds<1" names an unknown field. Did you mean "keywords"? If it belongs to the value before it, put that in quotation marks.',
  ],
  ['answer="a', 0, 'The filter has a quotation mark without its end: "a. Write \\" for one inside a value.'],
])('%s is refused at %i', (text, at, message) => {
  expect(parseFilter(text, trials)).toEqual({ problem: { message, at } });
});

test('a filter of pairs does not guess which run is meant', () => {
  expect(parseFilter('passed=false', pairs).problem?.message).toBe(
    'The filter "passed=false" does not say which run it is about: a.passed or b.passed.',
  );
});

test('a formatted filter or order is parsed to the same again', () => {
  const vocabulary = vocabularyOf('trial', metricNames);
  fc.assert(
    fc.property(randomFilter, (filter) => {
      fc.pre(filter.length > 0);
      expect(parseFilter(formatFilter(filter), vocabulary)).toEqual({ filter });
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(randomSort, (sort) => {
      expect(parseSort(formatSort(sort), vocabulary)).toEqual({ sort });
    }),
  );
});

test('lists are not sorted by fields with several values or long texts', () => {
  for (const field of ['tag', 'answer', '-question', 'missing', 'metadata.year']) {
    expect(parseSort(field, trials).problem).toContain('Lists cannot be sorted by');
  }
  expect(parseSort('totl', trials).problem).toBe(
    'The order "totl" names an unknown field. Did you mean "total"?',
  );
});

test('composed and decomposed letters are the same in a filter', () => {
  const test = (wanted: string, value: string) =>
    compileTerm({ field: 'category', operator: '=', values: [wanted] })([value]);
  expect(test('Caf\u00e9', 'cafe\u0301')).toBe(true);
  expect(test('cafe\u0301', 'CAF\u00c9')).toBe(true);
  expect(test('*f\u00e9', 'Cafe\u0301')).toBe(true);
  expect(test('cafe', 'cafe\u0301')).toBe(false);
  expect(test('Caf\u00e9', 'Cafe')).toBe(false);
});
