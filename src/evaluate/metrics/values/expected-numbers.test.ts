import { expect, test } from 'vitest';
import { exactNumber } from '../../../core/lib/json/exact-number.ts';
import type { ExpectedNumber } from '../../../core/schema/expected.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { expectedNumbers } from './expected-numbers.ts';

const { definition } = expectedNumbers;
const metric = definition.create(definition.options.parse({}), {});
const score = (numbers: ExpectedNumber[], answer: string, input = 'How much?') =>
  metric.score({ case: buildCase({ input, expected: { numbers } }), trial: buildTrial(answer) });

test.each<[ExpectedNumber, string, number]>([
  [{ value: 442_300 }, 'It is $442,300.', 1],
  [{ value: 442_300 }, 'It is $442,299.', 0],
  [{ value: 442_300, tolerance: 1 }, 'It is $442,299.', 1],
  [{ value: 100, relativeTolerance: 0.05 }, 'about 104', 1],
  [{ value: 100, relativeTolerance: 0.05 }, 'about 106', 0],
  [{ value: 3 }, 'There are three properties.', 1],
  [{ value: 3 }, 'There are thirty properties.', 0],
  [{ min: 10, max: 20 }, 'Between 9 and 21.', 0],
  [{ min: 10, max: 20 }, 'It is 15.', 1],
  [{ min: 10 }, 'It is 1,500.', 1],
  [{ max: 10 }, 'No number', 0],
])('%j in %j gives %d', (number, answer, value) => {
  expect(score([number], answer)).toMatchObject({ status: 'scored', value });
});

test.each([
  ['It is 1290461237612345677.', 1],
  ['It is 1,290,461,237,612,345,677.', 1],
  ['It is 1290461237612345678.', 0],
])('a long number is stated by all its digits: %s', (answer, value) => {
  const number = exactNumber('1290461237612345677') ?? 0;
  expect(score([{ value: number }], answer)).toMatchObject({ status: 'scored', value });
});

test('a number that repeats the question does not count for a range', () => {
  const range = { min: 1000, max: 3000 };
  expect(score([range], 'In 2024 it was 5000.', 'Income in 2024?')).toMatchObject({ value: 0 });
  expect(score([range], 'In 2024 it was 1500.', 'Income in 2024?')).toMatchObject({ value: 1 });
});

test('counts each of several numbers and names the missing ones', () => {
  expect(
    score(
      [
        { value: 1, tolerance: 0.5 },
        { min: 5, max: 6 },
      ],
      '1.2 and 9',
    ),
  ).toMatchObject({
    value: 0.5,
    explanation: 'missing: 5 to 6',
  });
});

test('a comma that can only be a decimal mark is one, and thousands stay thousands', () => {
  expect(score([{ value: 49.9 }], 'Es kostet 49,90 Euro.')).toMatchObject({ value: 1 });
  expect(score([{ value: 4990 }], 'Es kostet 49,90 Euro.')).toMatchObject({ value: 0 });
  expect(score([{ value: 1234 }], 'It is 1,234.')).toMatchObject({ value: 1 });
});

test('a case that expects no numbers is not applicable', () => {
  expect(score([], '5')).toMatchObject({ status: 'not-applicable' });
});
