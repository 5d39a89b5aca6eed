import { expect, test } from 'vitest';
import { listExpectedParts } from './expected-parts.ts';

test('expectations are said in words, not as JSON', () => {
  const parts = listExpectedParts({
    answer: 'Yes.',
    keywords: ['fee', 'May'],
    refusal: false,
    tools: ['search', { name: 'cancel_order', arguments: { id: '4711', items: [{ n: 1 }, { n: 2 }] } }],
    documents: ['a', { id: 'b', relevance: 2 }],
    state: { booking: { time: '15:00', paid: true } },
    checks: [{ use: 'contains', value: 'cancelled' }],
  });
  expect(parts.map(({ name, texts }) => [name, ...texts])).toEqual([
    ['answer', 'Yes.'],
    ['keywords', 'fee', 'May'],
    ['refusal', 'no'],
    ['tools', 'search', 'cancel_order(id: 4711, items: (n: 1, n: 2))'],
    ['documents', 'a', 'b(relevance: 2)'],
    ['state', 'booking: (time: 15:00, paid: yes)'],
    ['checks', 'contains(value: cancelled)'],
  ]);
});

test('nothing expected is an empty list, and deep nesting ends', () => {
  expect(listExpectedParts({ tools: [] })).toEqual([{ name: 'tools', texts: [] }]);
  const deep = { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } };
  expect(listExpectedParts({ state: deep })[0]?.texts[0]).toContain('{"a":1}');
});
