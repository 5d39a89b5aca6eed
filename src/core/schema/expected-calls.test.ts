import { expect, test } from 'vitest';
import { z } from 'zod';
import { resolveUnionIssues } from '../lib/schema-issues.ts';
import { expectedSchema } from './expected.ts';
import { findMatcherFault, matcherSchemas } from './matcher.ts';

/** Returns the faults of rules, each with its place. */
function faultsOf(calls: unknown): string[] {
  const issues = resolveUnionIssues(expectedSchema.safeParse({ calls }).error?.issues ?? []);
  return issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
}

test.each<[unknown]>([
  [[]],
  [['search', { name: 'book', arguments: { to: 'BSL' }, times: 2 }]],
  [{ expect: [{ name: { $regex: '^search_' } }], mode: 'strict', match: 'superset', tolerance: 0.1 }],
  [{ expect: ['a', { together: ['b', { name: 'c', status: 'ok' }] }], mode: 'in-order', extra: false }],
  [{ must: ['a'], mustNot: ['b'], only: ['a', 'c'], failures: 'dealt-with' }],
  [{ order: [{ call: 'a', after: 'b', before: ['c', { name: 'd' }] }] }],
  [{ none: true }],
])('accepts %j as rules', (calls) => {
  expect(faultsOf(calls)).toEqual([]);
});

test.each<[unknown, string]>([
  [{}, ': one of expect, must, mustNot, only, none, order, failures'],
  [{ mode: 'strict', must: ['a'] }, 'mode: to come with `expect`'],
  [{ expect: ['a'], mode: 'superset', extra: true }, 'extra: the mode in-order or unordered with `extra`'],
  [{ expect: [{ together: ['a'] }] }, 'expect: `together` only in the modes strict and in-order'],
  [{ none: true, must: ['a'] }, 'none: no must with it'],
  [{ order: [{ call: 'a' }] }, 'order.0: `after` or `before` together with `call`'],
  [{ must: [{ name: 'a', times: { min: 2, max: 1 } }] }, 'must.0.times: a `max` that is at least `min`'],
  [{ must: [{ name: 'a', args: {} }] }, 'must.0: no other keys than name, arguments, match'],
  [{ must: [{ name: {} }] }, 'must.0.name: a name, or a matcher such as'],
  [
    { must: [{ name: 'a', arguments: { n: { $nere: 1 } } }] },
    'must.0.arguments.n: a matcher, and $nere is none',
  ],
  [
    { must: [{ name: 'a', arguments: { n: { $oneOf: [] } } }] },
    'must.0.arguments.n: a matcher such as { "$oneOf": ["red", "blue"] }',
  ],
  [{ mustNot: [{ name: 'a', times: 1 }] }, 'mustNot.0: no other keys than name'],
  [{ mustnot: ['a'] }, ': no other keys than expect, mode'],
])('refuses %j as rules: %s', (calls, message) => {
  expect(faultsOf(calls).map((fault) => fault.slice(0, message.length))).toContain(message);
});

test('an expected tool accepts the same conditions as a call, and nothing else', () => {
  const tools = ['a', { name: 'b', arguments: { x: { $any: true } }, times: 2 }];
  expect(expectedSchema.parse({ tools })).toEqual({ tools });
  expect(expectedSchema.safeParse({ tools: [{ name: 'b', match: 'some' }] }).success).toBe(false);
  expect(expectedSchema.safeParse({ tools: [{ name: 'b', argumnets: {} }] }).success).toBe(false);
});

test('the rules can be converted to a JSON Schema', () => {
  expect(() => z.toJSONSchema(expectedSchema, { io: 'input' })).not.toThrow();
});

test('the message about an unusable matcher shows a usable one', () => {
  const holdAnything = new Set(['$not', '$exact']);
  for (const name of Object.keys(matcherSchemas).filter((each) => !holdAnything.has(each))) {
    const message = findMatcherFault({ [name]: null })?.message ?? '';
    const shown = JSON.parse(message.replace('a matcher such as ', ''));
    expect(Object.keys(shown)[0]).toBe(name);
    expect(findMatcherFault(shown)).toBeUndefined();
  }
});
