import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { malformedKeyword } from './malformed-keyword.ts';

test.each(['refund, policy', '9, 18', 'deposit; rent; lease'])(
  '"%s" is a list in one text',
  async (keyword) => {
    const [found] = await lintRows(malformedKeyword, [{ question: 'Who?', expected_keywords: [keyword] }]);
    expect(found).toContain('is one text, and is searched for with its');
  },
);

test('white space at an end keeps a keyword from being found', async () => {
  const found = await lintRows(malformedKeyword, [{ question: 'Who?', expected_keywords: ['Paris '] }]);
  expect(found).toEqual(['1: "Paris " has white space at an end, so it is not found next to punctuation']);
});

test.each(['March 21, 2023', 'Austin, Texas', '1,204', 'Dear Sir, thank you for your letter'])(
  '"%s" is one keyword',
  async (keyword) => {
    expect(await lintRows(malformedKeyword, [{ question: 'Who?', expected_keywords: [keyword] }])).toEqual(
      [],
    );
  },
);

test('a list that the expected answer contains as it stands is meant', async () => {
  const row = {
    question: 'Who?',
    expected_keywords: ['red, green'],
    expected_answer: 'It is red, green and blue.',
  };
  expect(await lintRows(malformedKeyword, [row])).toEqual([]);
});
