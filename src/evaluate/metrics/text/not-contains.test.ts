import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { notContains } from './not-contains.ts';

const score = (value: string[] | undefined, answer: string, forbidden?: string[]) =>
  notContains.definition
    .create({ value, ignoreCase: true }, {})
    .score({ case: buildCase({ expected: { forbidden } }), trial: buildTrial(answer) });

test('an answer without the texts scores 1; with one it scores 0 and names it', () => {
  expect(score(['guarantee', 'refund'], 'We cannot promise that.')).toMatchObject({ value: 1, passed: true });
  expect(score(['guarantee', 'refund'], 'A REFUND is due.')).toMatchObject({
    value: 0,
    explanation: 'found: refund',
    evidence: { found: ['refund'] },
  });
});

test('without a value, uses the forbidden texts of the case', () => {
  expect(score(undefined, 'my password is x', ['password'])).toMatchObject({ value: 0 });
  expect(score(undefined, 'anything')).toMatchObject({ status: 'not-applicable' });
});
