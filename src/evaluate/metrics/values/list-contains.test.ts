import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { listContains } from './list-contains.ts';

// autoevals 0.4.1 in Python: ListContains()(output=given, expected=wanted).score, and the same with
// allow_extra_entities=True.
test.each([
  [['apple', 'banana'], ['banana', 'apple'], 1, 1],
  [['aple', 'banana', 'kiwi'], ['banana', 'apple'], 0.6, 0.9],
  [['a'], ['a', 'b'], 0.5, 0.5],
  [['xyz'], ['abc'], 0, 0],
  [
    ['New York', 'Los Angeles'],
    ['new york', 'Los Angles', 'Chicago'],
    0.5530303030303031,
    0.5530303030303031,
  ],
])('%j for %j', (given, wanted, value, withExtra) => {
  const expected = { entities: wanted };
  const forms: [string, object][] = [
    [JSON.stringify(given), {}],
    [given.map((item, index) => `${index + 1}. ${item}`).join('\n'), {}],
    [given.join(', '), { separator: 'comma' }],
  ];
  for (const [answer, options] of forms) {
    const score = (more: object) =>
      valueOf(scoreAnswer(listContains, answer, { expected, options: { ...options, ...more } }));
    expect(score({})).toBeCloseTo(value, 12);
    expect(score({ allowExtra: true })).toBeCloseTo(withExtra, 12);
  }
});

test.each([
  ['cafe\u0301', 'café'],
  ['Land’s End', "Land's End"],
  ['co\u2011op', 'co-op'],
  ['**lease**', 'lease'],
  ['10\u00a0km', '10 km'],
])('the item %j is %j', (given, wanted) => {
  expect(scoreAnswer(listContains, `- ${given}`, { options: { values: [wanted] } })).toMatchObject({
    value: 1,
  });
});

test('the item 10² is not 102', () => {
  const verdict = scoreAnswer(listContains, '- 10²', { options: { values: ['102'], threshold: 1 } });
  expect(verdict).toMatchObject({ passed: false });
});

test('names the items that are not there as they stand', () => {
  const options = { values: ['lease', 'deed', 'Tax'], threshold: 0.9 };
  expect(scoreAnswer(listContains, '- lease\n* tax\n', { options })).toMatchObject({
    value: expect.closeTo((1 + 2 / 3) / 3, 12),
    passed: false,
    explanation: 'not exactly: deed, Tax',
    evidence: { items: 2, missing: ['deed', 'Tax'] },
  });
  expect(
    scoreAnswer(listContains, '["tax"]', { options: { values: ['Tax'], ignoreCase: true } }),
  ).toMatchObject({
    value: 1,
  });
});

test('a missing answer contains nothing; without a list the metric is not applicable', () => {
  expect(scoreAnswer(listContains, null, { expected: { entities: ['a'] } })).toMatchObject({ value: 0 });
  expect(scoreAnswer(listContains, 'a', { expected: { entities: [] } })).toMatchObject({
    status: 'not-applicable',
  });
  expect(scoreAnswer(listContains, 'a')).toMatchObject({ status: 'not-applicable' });
});
