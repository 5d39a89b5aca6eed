import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { commonKeyword } from './common-keyword.ts';

const rows = (keyword: string) =>
  Array.from({ length: 30 }, (_, index) => ({
    question: `What about part ${index}?`,
    expected_answer: `The Acme warranty covers part number ${index}.`,
    expected_keywords: [index === 7 ? keyword : `${index}.`],
  }));

test('a keyword that is in most expected answers is found, with the share', async () => {
  expect(await lintRows(commonKeyword, rows('acme'))).toEqual([
    '8: the keyword "acme" of 1 question is in 100 % of the expected answers: it does not tell right answers from others',
  ]);
});

test('a rare keyword, and one of a set with few answers, is no finding', async () => {
  expect(await lintRows(commonKeyword, rows('part number 7'))).toEqual([]);
  expect(await lintRows(commonKeyword, rows('acme').slice(0, 15))).toEqual([]);
});
