import fc from 'fast-check';
import { escapeGlob } from '../../src/core/lib/compile-glob.ts';
import type { Filter, FilterTerm, Sort } from '../../src/core/lib/filter/filter.ts';
import { metricNames, text } from './random-trials.ts';

const pattern = fc.oneof(
  text,
  fc.constantFrom(
    '*',
    't*',
    '*ä*',
    'cafe\u0301*',
    '*f\u00e9',
    'cafe*',
    'TAX',
    '*e',
    'case-*',
    '*refund',
    'bot',
    'ä*r',
    'timeout',
    'uncategorized',
    'search',
    String.raw`a\*b`,
    String.raw`*\**`,
    String.raw`a\\*`,
    String.raw`\\_%`,
    'a\\',
    'a → b*',
    '* → *',
    '*v2',
    "x'; DROP*",
    '*…',
    'no-facts',
    "it's",
    'turn-*',
  ),
  text.map(escapeGlob),
);
const patterns = fc.array(pattern, { minLength: 1, maxLength: 2 });
const number = fc.oneof(fc.constantFrom(0, 0.5, 1, 2, 12.5, 10), fc.double({ min: 0, max: 1, noNaN: true }));
const amount = number.map((value) => (value === 0 ? 0 : value));

const textField = fc.constantFrom(
  'id',
  'category',
  'tag',
  'cluster',
  'question',
  'target',
  'grade',
  'outcome',
  'error',
  'answer',
  'missing',
  'metadata.year',
  'metadata.source',
  'tool',
  'expectedTool',
  'missingTool',
  'failedTool',
  'calls',
  'ending',
  'invalid',
  ...metricNames.map((name) => `gap.${name}`),
);
const sortableNumber = fc.constantFrom(
  'attempt',
  'total',
  'cost',
  'latencyMs',
  'steps',
  'toolCalls',
  'retries',
  'inputTokens',
  'outputTokens',
  ...metricNames.map((name) => `metric.${name}`),
);
const numberField = fc.oneof(sortableNumber, fc.constant('turns'));
const equality = fc.constantFrom('=' as const, '!=' as const);

const term: fc.Arbitrary<FilterTerm> = fc.oneof(
  fc.record({
    field: textField,
    operator: fc.constantFrom('=' as const, '!=' as const, '~' as const),
    values: patterns,
  }),
  fc.record({
    field: numberField,
    operator: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    values: amount.map((value) => [value]),
  }),
  fc.record({
    field: numberField,
    operator: equality,
    values: fc.array(fc.oneof(amount, fc.constant('*')), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    field: fc.constant('passed'),
    operator: equality,
    values: fc.constantFrom(['true'], ['false'], ['*'], ['true', 'f*']),
  }),
  fc.record({
    field: fc.constant('result'),
    operator: equality,
    values: fc.constantFrom(['failed'], ['failed', 'error', 'not-measured'], ['*ed']),
  }),
  fc.record({
    field: fc.constant('status'),
    operator: equality,
    values: fc.constantFrom(['completed'], ['cancelled', 'FAILED']),
  }),
);

/** Random filters of trials. */
export const randomFilter: fc.Arbitrary<Filter> = fc.array(term, { maxLength: 3 });

/** Random orders of trials. */
export const randomSort: fc.Arbitrary<Sort> = fc.record({
  field: fc.oneof(
    sortableNumber,
    fc.constantFrom(
      'ordinal',
      'id',
      'category',
      'cluster',
      'target',
      'status',
      'result',
      'passed',
      'grade',
      'outcome',
      'error',
    ),
  ),
  isDescending: fc.boolean(),
});
