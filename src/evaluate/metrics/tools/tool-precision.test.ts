import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolPrecision } from './tool-precision.ts';

function score(expected: Expected, tools: readonly (string | ToolCall)[], options: object = {}): Verdict {
  const metric = toolPrecision.definition.create(toolPrecision.definition.options.parse(options), {});
  return metric.score({ case: buildCase({ expected }), trial: buildTrial('x', { tools }) }) as Verdict;
}

const book = (to: string, seats = 1) => ({ name: 'book', arguments: { to, seats } });

test.each<[Expected, (string | ToolCall)[], number]>([
  [{ calls: ['a', 'b'] }, ['a', 'b'], 1],
  [{ calls: ['a', 'b'] }, ['a'], 1],
  [{ calls: ['a'] }, ['a', 'b', 'c'], 1 / 3],
  [{ calls: ['a'] }, ['a', 'a'], 0.5],
  [{ calls: [] }, ['a'], 0],
  [{ calls: { none: true } }, ['a'], 0],
  [{ calls: [{ name: 'a', times: { max: 2 } }] }, ['a', 'a'], 1],
  [{ calls: [{ name: 'a', times: { max: 2 } }] }, ['a', 'a', 'a'], 2 / 3],
  [{ calls: { must: ['a'] } }, ['a', 'a', 'b'], 2 / 3],
  [{ tools: ['a'] }, ['a', 'a', 'b'], 2 / 3],
  [{ tools: [] }, ['a'], 0],
  [{ calls: { mustNot: ['z'] }, tools: ['a'] }, ['a'], 1],
  [{ calls: [book('BSL')] }, [book('CDG'), book('BSL')], 0.5],
])('expected %j, made %j → %d', (expected, made, value) => {
  expect(valueOf(score(expected, made))).toBeCloseTo(value, 12);
});

test('is not applicable when nothing was called or the case lists no calls', () => {
  expect(score({ calls: ['a'] }, [])).toEqual({ status: 'not-applicable', reason: 'no tool was called' });
  expect(score({ calls: [] }, [])).toEqual({
    status: 'not-applicable',
    reason: 'no call is to be made, and none was',
  });
  for (const expected of [{}, { calls: { mustNot: ['a'] } }]) {
    expect(score(expected, ['a'])).toEqual({
      status: 'not-applicable',
      reason: 'the question lists no calls to make',
    });
  }
});

test('a call of the right tool with wrong arguments gets the credit of the option', () => {
  const expected = { calls: [book('BSL', 2)] };
  expect(valueOf(score(expected, [book('CDG', 2)]))).toBe(0);
  expect(valueOf(score(expected, [book('CDG', 2)], { partialCredit: 0.25 }))).toBe(0.25);
  expect(valueOf(score(expected, [book('CDG', 2)], { partialCredit: 'arguments' }))).toBe(0.5);
  expect(valueOf(score(expected, ['pay'], { partialCredit: 0.25 }))).toBe(0);
});

test('a call with another status does not match, whatever the partial credit', () => {
  const expected: Expected = { calls: [{ name: 'a', status: 'ok' }] };
  expect(valueOf(score(expected, [{ name: 'a', error: 'no' }], { partialCredit: 0.5 }))).toBe(0);
  expect(score(expected, ['a'])).toMatchObject({ status: 'failed', code: 'tool-results-missing' });
});

test('the verdict names what is missing, what was not expected and what was wrong', () => {
  const options = { partialCredit: 0.5, threshold: 0.5 };
  expect(score({ calls: ['a', book('BSL')] }, [book('CDG'), 'c'], options)).toMatchObject({
    value: 0.25,
    passed: false,
    explanation:
      '1 of 2 expected calls made; missing: a; book: to was "CDG" instead of "BSL"; not expected: c()',
    evidence: {
      pairs: [{ expected: 'book(to: "BSL", seats: 1)', actual: 'book(to: "CDG", seats: 1)', credit: 0.5 }],
      missing: ['a'],
      extra: ['c()'],
    },
  });
});
