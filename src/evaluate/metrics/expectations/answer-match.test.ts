import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { comparisonRows } from '../../../../test/support/comparison-rows.ts';
import { answerMatch } from './answer-match.ts';

const { definition } = answerMatch;
const metric = definition.create(definition.options.parse({}), {});
interface Scored {
  value: number;
  passed: boolean;
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
  expect(verdict.passed).toBe(isStated);
  if (isStated) expect(verdict).toMatchObject({ value: 1, evidence: { comparedBy: 'number' } });
});

test('words of scripts without spaces are compared one by one', () => {
  const verdict = match('法国的首都是巴黎。', '巴黎是法国的首都') as unknown as Scored;
  expect(verdict.value).toBeGreaterThan(0.9);
});

test('passes from 0.7 on and states that it compared words', () => {
  expect(match('b c d e f g', 'b c d e f g h')).toMatchObject({
    passed: true,
    explanation: '92 % of the expected answer, compared by words',
  });
  expect(match('b c d e f g', 'b c d e f h')).toMatchObject({ passed: false, value: 0.6 });
  expect(match('b c d', 'e f d')).toMatchObject({ passed: false });
});

test('is not applicable to a case without an expected answer', () => {
  expect(metric.score({ case: buildCase({}), trial: buildTrial('x') })).toMatchObject({
    status: 'not-applicable',
  });
});

for (const { subject, rows } of comparisonRows) {
  test.each(rows)(`${subject}: $answer for $expected passes: $passes`, ({ expected, answer, passes }) => {
    expect(match(answer, expected)).toMatchObject({ status: 'scored', passed: passes });
  });
}

test('a verdict says what differs, and how a number was found', () => {
  expect(match('The lamp is $1,299.00.', '1299')).toMatchObject({
    passed: true,
    explanation: 'found 1299 in “$1,299.00”',
  });
  expect(match('5', '-5')).toMatchObject({ value: 0, explanation: 'differs: “5” given, “-5” expected' });
  expect(match('Take 15 mg twice a day', 'Take 1.5 mg twice a day')).toMatchObject({
    passed: false,
    explanation: 'differs: “15 mg” given, “1.5 mg” expected',
  });
  expect(match('{"total": -5}', '{"total": 5}')).toMatchObject({
    passed: false,
    explanation: 'differs: total: -5 given, 5 expected',
  });
  expect(match('Аnna', 'Anna')).toMatchObject({
    explanation:
      '0 % of the expected answer, compared by words; “а” (Cyrillic, U+0430) is not “a” (Latin, U+0061)',
  });
});

test('an expected choice is met by its letter or its text, and by no other', () => {
  const expected = {
    answer: 'B',
    choices: [
      { label: 'A', text: 'London' },
      { label: 'B', text: 'Paris' },
    ],
  };
  const choose = (answer: string) =>
    metric.score({ case: buildCase({ expected }), trial: buildTrial(answer) });
  expect(choose('The answer is **B**.')).toMatchObject({ value: 1, passed: true });
  expect(choose('Paris')).toMatchObject({ value: 1, passed: true });
  expect(choose('A) London')).toMatchObject({ value: 0, passed: false });
  expect(choose('A or B')).toMatchObject({ passed: false });
});
