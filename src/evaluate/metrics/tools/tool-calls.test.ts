import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Comparison } from '../../../core/schema/expected-calls.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { toolCalls } from './tool-calls.ts';

type Made = readonly (string | ToolCall)[];

function score(expected: Expected, tools: Made, { answer = 'Done.', options = {} } = {}): Verdict {
  const { create, options: schema } = toolCalls.definition;
  const input = { case: buildCase({ expected }), trial: buildTrial(answer, { tools }) };
  return create(schema.parse(options), {}).score(input) as Verdict;
}

/** Returns the sentences about broken rules. */
function broken(calls: Expected['calls'], tools: Made, answer?: string): unknown {
  const verdict = score({ calls }, tools, answer === undefined ? {} : { answer });
  return verdict.status === 'scored' ? (verdict.evidence as { broken: unknown }).broken : verdict;
}

const book = (to: string, more = {}) => ({ name: 'book', arguments: { to, ...more } });

test('a case without rules is not applicable', () => {
  for (const expected of [{}, { tools: [] }]) {
    expect(score(expected, ['a'])).toEqual({
      status: 'not-applicable',
      reason: 'the question has no rules for tool calls',
    });
  }
});

test('must: each call was made, as often as stated', () => {
  expect(broken({ must: ['a', { name: 'b', times: 2 }] }, ['b', 'a', 'c', 'b', 'a'])).toEqual([]);
  expect(broken({ must: ['a', { name: 'b', times: 2 }] }, ['b'])).toEqual([
    'a was not called',
    'b was called once, expected 2 times',
  ]);
  expect(broken({ must: [{ name: 'a', times: { max: 1 } }] }, ['a', 'a'])).toEqual([
    'a was called 2 times, expected at most once',
  ]);
});

test('must: one call may satisfy two rules', () => {
  expect(broken({ must: [book('BSL'), 'book'] }, [book('BSL')])).toEqual([]);
});

test('must: the nearest call shows what was wrong', () => {
  const made = [book('CDG', { seats: 2 }), book('BSL', { seats: 3 })];
  expect(broken({ must: [book('BSL', { seats: 2, class: 'economy' })] }, made)).toEqual([
    'book(to: "BSL", seats: 2, class: "economy") was not called: in call 1, book(to: "CDG", seats: 2), ' +
      'to was "CDG" instead of "BSL", class was missing (expected "economy")',
  ]);
  expect(broken({ must: [book('BSL')] }, [book('BSL', { seats: 3 })])).toEqual([
    'book(to: "BSL") was not called: in call 1, book(to: "BSL", seats: 3), seats was not expected (3)',
  ]);
});

test('mustNot, only, none: names every call that is not allowed', () => {
  const made = ['search', book('BSL'), book('CDG')];
  expect(broken({ mustNot: [book('CDG'), 'pay'] }, made)).toEqual(['call 3, book(to: "CDG"), is forbidden']);
  expect(broken({ only: ['search', book('BSL')] }, made)).toEqual([
    'call 3, book(to: "CDG"), is not among those allowed: search, book(to: "BSL")',
  ]);
  expect(broken({ none: true }, ['search'])).toEqual([
    'call 1, search(), was made although no tool may be called',
  ]);
  for (const calls of [{ mustNot: ['a'] }, { only: ['a'] }, { none: true as const }]) {
    expect(broken(calls, [])).toEqual([]);
  }
});

test('order: each call has another before or after it, and without such a call the rule is kept', () => {
  const calls: Expected['calls'] = {
    order: [{ call: 'delete', after: 'confirm', before: ['log', 'notify'] }],
  };
  expect(broken(calls, ['confirm', 'delete', 'delete', 'notify', 'log'])).toEqual([]);
  expect(broken(calls, ['search'])).toEqual([]);
  expect(broken(calls, ['log', 'delete', 'confirm', 'delete', 'notify'])).toEqual([
    'call 2, delete(), was made before confirm',
    'call 2, delete(), had no log after it',
    'call 4, delete(), had no log after it',
  ]);
});

test('expect: a wrong call is reported once, with what it should have been', () => {
  expect(broken([book('BSL'), 'pay'], ['pay', book('CDG'), 'think'])).toEqual([
    'book(to: "BSL") was not called: in call 2, book(to: "CDG"), to was "CDG" instead of "BSL"',
    'call 3, think(), was not expected',
  ]);
  expect(broken({ expect: ['a'], mode: 'unordered', extra: true }, ['b', 'a'])).toEqual([]);
  expect(broken({ expect: [{ name: 'a', times: 2 }], mode: 'superset' }, ['b', 'a', 'a', 'a'])).toEqual([
    'call 4, a(), is one too many: expected 2 times',
  ]);
  expect(broken([{ name: 'a', times: 2 }], ['a'])).toEqual(['a was called once, expected 2 times']);
});

test('a tool that was not called is named once, where a call of it with its arguments is missing, too', () => {
  const cancel = { name: 'cancel_order', arguments: { id: '4711' } };
  expect(broken({ must: [cancel, 'cancel_order', 'get_order'] }, [])).toEqual([
    'cancel_order(id: "4711") was not called',
    'get_order was not called',
  ]);
});

test('expect in order: reports the first place where the order breaks', () => {
  const strict = (made: Made) => broken({ expect: ['a', book('BSL'), 'c'], mode: 'strict' }, made);
  expect(strict(['a', 'c'])).toEqual(['call 2, c(), came where book(to: "BSL") was expected']);
  expect(strict(['a', book('CDG'), 'c'])).toEqual([
    'call 2, book(to: "CDG"), came where book(to: "BSL") was expected: to was "CDG" instead of "BSL"',
  ]);
  expect(strict(['a', book('BSL')])).toEqual(['c was not called, after call 2']);
  expect(strict(['a', book('BSL'), 'c', 'd'])).toEqual(['call 4, d(), comes after all that was expected']);
  expect(broken({ expect: ['a', 'b'], mode: 'in-order' }, ['b', 'c', 'a'])).toEqual([
    'b was not called, after call 3',
  ]);
  expect(broken({ expect: ['a', 'b'], mode: 'in-order', extra: false }, ['a', 'c', 'b'])).toEqual([
    'call 2, c(), came where b was expected',
  ]);
});

test('expect in order: steps with a range take as many calls as leaves enough for the others', () => {
  const calls: Expected['calls'] = {
    expect: [{ name: 'a', times: { min: 1, max: 3 } }, 'a', 'b'],
    mode: 'strict',
  };
  expect(broken(calls, ['a', 'a', 'a', 'b'])).toEqual([]);
  expect(broken(calls, ['a', 'b'])).not.toEqual([]);
  expect(broken(calls, ['a', 'a', 'a', 'a', 'a', 'b'])).not.toEqual([]);
});

test('status: the outcome of a call is part of the expectation', () => {
  const failed = { name: 'get', error: 'timeout' };
  const worked = { name: 'get', result: 1 };
  expect(broken({ must: [{ name: 'get', status: 'retried' }] }, [failed, worked])).toEqual([]);
  expect(broken({ must: [{ name: 'get', status: 'retried' }] }, [worked, failed])).toEqual([
    'get [retried] was not called: in call 1, get(), its status was ok instead of retried',
  ]);
  expect(broken({ must: [{ name: 'get', status: 'ok' }] }, [failed])).toHaveLength(1);
  expect(broken({ mustNot: [{ name: 'get', status: 'failed' }] }, [failed, worked])).toHaveLength(1);
});

test('failures: a failed call was retried with success, or the user was informed', () => {
  const failed = { name: 'get', error: 'timeout' };
  const admission = 'I could not reach the service.';
  expect(broken({ failures: 'dealt-with' }, [failed, { name: 'get', result: 1 }])).toEqual([]);
  expect(broken({ failures: 'dealt-with' }, [failed], admission)).toEqual([]);
  expect(broken({ failures: 'dealt-with' }, [failed])).toEqual([
    'call 1, get(), failed (timeout) and was neither retried with success nor reported to the user',
  ]);
  expect(broken({ failures: 'retried' }, [failed], admission)).toEqual([
    'call 1, get(), failed (timeout) and was not retried with success',
  ]);
  expect(broken({ failures: 'none' }, [failed, { name: 'get', result: 1 }])).toEqual([
    'call 1, get(), failed (timeout)',
  ]);
});

test('a rule about results is not measured when the target reports none', () => {
  for (const calls of [{ failures: 'none' as const }, { must: [{ name: 'a', status: 'ok' as const }] }]) {
    expect(broken(calls, ['a'])).toMatchObject({ status: 'failed', code: 'tool-results-missing' });
    expect(broken(calls, [{ name: 'a', result: null }])).toEqual([]);
  }
});

test('expected tools are required calls, written in the same language', () => {
  const tools = ['search', { name: 'book', arguments: { to: { $oneOf: ['BSL', 'MLH'] } } }];
  expect(score({ tools }, [book('MLH'), 'search', 'pay'])).toMatchObject({ value: 1, passed: true });
  expect(score({ tools }, [book('CDG'), 'search'])).toMatchObject({
    value: 0,
    explanation:
      'book(to: one of "BSL", "MLH") was not called: in call 1, book(to: "CDG"), to was "CDG" instead of one of "BSL", "MLH"',
  });
  expect(score({ tools, calls: { mustNot: ['pay'] } }, [book('MLH'), 'search', 'pay'])).toMatchObject({
    value: 0,
  });
});

test('the comparison of arguments comes from the call, else the case, else the options of the metric', () => {
  const made = [book('basel', { seats: 2.4, id: 7 })];
  const loose: Comparison = { text: 'loose', tolerance: 0.5, ignore: ['id'] };
  const expected = book('Basel', { seats: 2 });
  expect(score({ calls: [expected] }, made)).toMatchObject({ value: 0 });
  expect(score({ calls: [{ ...expected, ...loose }] }, made)).toMatchObject({ value: 1 });
  expect(score({ calls: { expect: [expected], ...loose } }, made)).toMatchObject({ value: 1 });
  expect(score({ calls: [expected] }, made, { options: loose })).toMatchObject({ value: 1 });
  expect(score({ calls: { expect: [expected], text: 'exact' } }, made, { options: loose })).toMatchObject({
    value: 0,
  });
  expect(score({ calls: [{ name: 'book', match: 'superset', arguments: {} }] }, made)).toMatchObject({
    value: 1,
  });
  expect(score({ calls: [{ name: 'book', match: 'subset', arguments: {} }] }, made)).toMatchObject({
    value: 0,
  });
});

test('the name of a tool may be a matcher; arguments may be JSON text', () => {
  const calls: Expected['calls'] = [{ name: { $regex: '^search_' }, arguments: '{"q": "x"}' }];
  expect(broken(calls, [{ name: 'search_web', arguments: { q: 'x' } }])).toEqual([]);
  expect(broken(calls, [{ name: 'find', arguments: { q: 'x' } }])).toEqual([
    'a tool named a text that matches /^search_/(q: "x") was not called',
    'call 1, find(q: "x"), was not expected',
  ]);
});

test('ignored tools may be called anywhere', () => {
  const calls: Expected['calls'] = { expect: ['a', 'b'], mode: 'strict' };
  expect(score({ calls }, ['a', 'think', 'b'])).toMatchObject({ value: 0 });
  expect(score({ calls }, ['a', 'think', 'b'], { options: { ignoreTools: ['think'] } })).toMatchObject({
    value: 1,
    evidence: { broken: [], calls: ['a()', 'b()'] },
  });
});

test('a JSON Schema that cannot be used is not a verdict on the target', () => {
  const calls: Expected['calls'] = [{ name: 'a', arguments: { x: { $schema: { type: 'nonsense' } } } }];
  expect(score({ calls }, ['a'])).toMatchObject({ status: 'failed', code: 'matcher-invalid' });
});

test.each<[string, Expected['calls']]>([
  ['must', { must: ['a'] }],
  ['order', { order: [{ call: 'a', after: 'b', before: 'c' }] }],
  ['superset', { expect: ['a', 'b'], mode: 'superset' }],
  ['any number of times', { expect: [{ name: 'a', times: { min: 0 } }], mode: 'superset' }],
  ['in order', { expect: ['a', 'b', 'a'], mode: 'in-order' }],
  ['in order, any number of times', { expect: [{ name: 'a', times: { min: 0 } }, 'b'], mode: 'in-order' }],
  ['in one message', { expect: [{ together: ['a', 'b'] }, { together: ['b', 'c'] }], mode: 'in-order' }],
  ['strict', { expect: ['a', 'b', 'a'], mode: 'strict' }],
])('many calls get a verdict or are too many for one: %s', (_, calls) => {
  const tools = Array.from({ length: 8000 }, (_each, index) => (index % 2 === 0 ? 'a' : 'b'));
  const outcome = () => {
    try {
      return score({ calls }, tools).status;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(outcome()).toMatch(/^(?:scored|too-long)$/);
});
