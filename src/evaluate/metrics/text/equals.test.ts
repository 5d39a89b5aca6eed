import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { equals } from './equals.ts';

const score = (options: Parameters<typeof equals>[0], answer: string | null, expected?: string | string[]) =>
  equals.definition
    .create(equals.definition.options.parse(options), {})
    .score({ case: buildCase({ expected: { answer: expected } }), trial: buildTrial(answer) });

test('compares the answer as it is, except for white space at its ends', () => {
  expect(score({}, ' 42\n', '42')).toMatchObject({ value: 1 });
  expect(score({}, 'cafe\u0301', 'café')).toMatchObject({ value: 1 });
  expect(score({}, 'can’t', "can't")).toMatchObject({ value: 0 });
  expect(score({}, 'Yes', 'yes')).toMatchObject({ value: 0 });
  expect(score({}, 'a  b', 'a b')).toMatchObject({ value: 0 });
});

test('can ignore case and inner white space', () => {
  expect(score({ ignoreCase: true }, 'Yes', 'yes')).toMatchObject({ value: 1 });
  expect(score({ ignoreWhitespace: true }, 'a \n b', 'a b')).toMatchObject({ value: 1 });
});

test('accepts any of several expected answers', () => {
  expect(score({}, 'CO', ['Colorado', 'CO'])).toMatchObject({ value: 1 });
});

test('is not applicable to a case without an expected answer', () => {
  expect(score({}, 'x')).toMatchObject({ status: 'not-applicable' });
});
