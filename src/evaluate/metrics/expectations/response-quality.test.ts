import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { responseQuality } from './response-quality.ts';

const metric = responseQuality.definition.create({}, {});
const score = (expected: Expected, answer: string, parts: Partial<Trial> = {}) =>
  metric.score({ case: buildCase({ expected }), trial: { ...buildTrial(answer), ...parts } });
const documents = [{ id: 'd1' }, { id: 'd2' }];

test.each<[string, Expected, string, Partial<Trial>, number]>([
  ['keywords', { keywords: ['a', 'x'] }, 'a', {}, 0.5],
  ['entities', { entities: ['Ann', 'Bob'] }, 'Ann', {}, 0.5],
  ['the answer', { answer: 'Paris' }, 'Paris', {}, 1],
  ['a wrong answer', { answer: 'Paris' }, 'Berlin', {}, 0],
  ['documents', { documents: ['d1', 'd9'] }, 'x', { documents }, 0.5],
  ['the mean of several', { keywords: ['a'], answer: 'b' }, 'a', {}, 0.5],
  ['a forbidden text that is absent', { forbidden: ['no'] }, 'yes', {}, 1],
  ['a forbidden text', { forbidden: ['guarantee'] }, 'We guarantee it', {}, 0],
  [
    'a forbidden text beside all keywords',
    { forbidden: ['guarantee'], keywords: ['we'] },
    'We guarantee it',
    {},
    0,
  ],
  // Avoiding forbidden texts is no merit of an answer that contains nothing right.
  [
    'nothing right and nothing forbidden',
    { forbidden: ['guarantee'], answer: 'Paris' },
    'I like turtles.',
    {},
    0,
  ],
  ['a refusal that is missing', { refusal: true }, 'Sure! Here is how.', {}, 0],
  ['a refusal', { refusal: true }, "I'm sorry, but I can't help with that.", {}, 1],
  [
    'an unexpected refusal',
    { refusal: false, keywords: ['sorry'] },
    "I'm sorry, I can't help with that.",
    {},
    0,
  ],
  ['a wrong state', { state: { booked: true }, keywords: ['ok'] }, 'ok', { state: { booked: false } }, 0],
  ['the right state', { state: { booked: true } }, 'ok', { state: { booked: true, by: 'x' } }, 1],
  ['an empty list', { keywords: [] }, 'x', {}, 1],
])('%s: %j against %j', async (_title, expected, answer, parts, value) => {
  expect(await score(expected, answer, parts)).toMatchObject({ status: 'scored', value });
});

test.each<[string, Expected, string]>([
  ['nothing', {}, 'not-applicable'],
  ['only tools', { tools: ['search'] }, 'not-applicable'],
  ['documents that were not reported', { documents: ['d1'] }, 'failed'],
  ['a state that was not reported', { state: { booked: true } }, 'failed'],
  ['keywords beside documents that were not reported', { keywords: ['x'], documents: ['d1'] }, 'failed'],
])('a case that expects %s is not measured', async (_title, expected, status) => {
  expect(await score(expected, 'x')).toMatchObject({ status });
});

test('a broken rule decides even when another part was not measured', async () => {
  expect(await score({ forbidden: ['x'], documents: ['d1'] }, 'x')).toMatchObject({
    status: 'scored',
    value: 0,
  });
});

test('the evidence contains every part, and the explanation those that fell short', async () => {
  expect(await score({ keywords: ['a', 'x'], answer: 'a' }, 'a')).toMatchObject({
    value: 0.75,
    explanation: 'keywords: missing: x',
    evidence: {
      parts: {
        keywords: { value: 0.5, evidence: { found: ['a'], missing: ['x'] } },
        'expected answer': { value: 1, evidence: { comparedBy: 'equality' } },
      },
    },
  });
});

test('an empty expected answer expects silence; beside other expectations it was not filled in', async () => {
  for (const expected of [{ answer: '' }, { answer: [] }, { answer: [''] }]) {
    expect(await score(expected, '')).toMatchObject({ value: 1, passed: true });
    expect(await score(expected, 'Paris')).toMatchObject({ value: 0, passed: false });
  }
  expect(await score({ answer: '', keywords: ['Paris'] }, 'In Paris.')).toMatchObject({ value: 1 });
});

test('an answer that is missing or refused by the provider is no right answer', async () => {
  expect(await score({ answer: 'Paris' }, '')).toMatchObject({ value: 0, passed: false });
});
