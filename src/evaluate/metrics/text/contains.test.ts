import { expect, test } from 'vitest';
import type { Case } from '../../../core/schema/case.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { contains } from './contains.ts';

const score = (options: Parameters<typeof contains>[0], answer: string | null, parts: Partial<Case> = {}) =>
  contains.definition
    .create(contains.definition.options.parse(options), {})
    .score({ case: buildCase(parts), trial: buildTrial(answer) });

test('finds a text in any letter case, unless case matters', () => {
  expect(score({ value: 'MONTROSE' }, 'in Montrose, CO')).toMatchObject({ value: 1, passed: true });
  expect(score({ value: 'MONTROSE', ignoreCase: false }, 'in Montrose, CO')).toMatchObject({ value: 0 });
});

test('needs all of several texts, or any of them', () => {
  expect(score({ value: ['a', 'z'] }, 'abc')).toMatchObject({ value: 0, explanation: 'not found: z' });
  expect(score({ value: ['a', 'z'], mode: 'any' }, 'abc')).toMatchObject({ value: 1 });
});

test('without a value, looks for the expected answer or the texts at a path of the case', () => {
  expect(score({}, 'It is 42.', { expected: { answer: '42' } })).toMatchObject({ value: 1 });
  expect(score({ from: 'metadata.phrase' }, 'so be it', { metadata: { phrase: 'be it' } })).toMatchObject({
    value: 1,
  });
});

test('a case without a text is not applicable; a missing answer contains nothing', () => {
  expect(score({}, 'x')).toMatchObject({ status: 'not-applicable' });
  expect(score({ value: 'x' }, null)).toMatchObject({ value: 0 });
});
