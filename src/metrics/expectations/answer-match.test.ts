import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../testing/build-records.ts';
import { answerMatch } from './answer-match.ts';

const { definition } = answerMatch;
const metric = definition.create(definition.options.parse({}), {});
interface Scored {
  value: number;
  evidence: { comparedBy: string };
}
const match = (answer: string, expected: string | string[]) =>
  metric.score({ case: buildCase({ expected: { answer: expected } }), trial: buildTrial(answer) });

// F1 by hand: 2 · shared / (given tokens + expected tokens), without articles and punctuation.
test.each<[string, string | string[], number]>([
  ['paris', 'Paris', 1],
  ['  Paris ', 'paris', 1],
  ['The capital of France is Paris.', 'Paris', 2 / 6],
  ['This is quite wrong: it is Berlin.', 'Paris', 0],
  ['I like turtles.', 'A turtle is a reptile', 0],
  ['Berlin', ['Paris', 'Berlin'], 1],
  ['the red house', 'a red house', 1],
  ['answer:', '', 0],
])('%j against %j gives %d', (answer, expected, value) => {
  const verdict = match(answer, expected);
  expect(verdict).toMatchObject({ status: 'scored' });
  expect((verdict as { value: number }).value).toBeCloseTo(value, 12);
});

test.each<[string, string, boolean]>([
  ['The total basis is $442,300.', '442300', true],
  ['$442.3k', '442,300', true],
  ['It takes 30 minutes.', '30 minutes', true],
  ['It takes 30 hours.', '30 minutes', false],
  ['16 - 3 - 4 = 9, and 9 * 2 = 18', '18', true],
  // A number in the middle of a calculation is not the answer.
  ['16 + 18 = 34', '18', false],
  ['There are 15 of them', '5', false],
  ['I like turtles.', '5', false],
  ['No number at all', '12 %', false],
  ['About 12 % of them', '12 %', true],
  ['Founded in 1998 in Paris', 'Paris in 1998 had two million people', false],
])('%j states the number %j: %j', (answer, expected, isStated) => {
  const verdict = match(answer, expected) as unknown as Scored;
  expect(verdict.evidence.comparedBy === 'number').toBe(isStated);
  if (isStated) expect(verdict.value).toBe(1);
});

test('words of scripts without spaces are compared one by one', () => {
  const verdict = match('法国的首都是巴黎。', '巴黎是法国的首都') as unknown as Scored;
  expect(verdict.value).toBeGreaterThan(0.9);
});

test('passes from 0.7 on and states that it compared words', () => {
  expect(match('b c d e f g', 'b c d e f h')).toMatchObject({
    passed: true,
    explanation: '83 % of the expected answer, compared by words',
  });
  expect(match('b c d', 'e f d')).toMatchObject({ passed: false });
});

test('is not applicable to a case without an expected answer', () => {
  expect(metric.score({ case: buildCase({}), trial: buildTrial('x') })).toMatchObject({
    status: 'not-applicable',
  });
});
