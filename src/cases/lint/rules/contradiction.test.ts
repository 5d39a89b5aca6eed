import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { contradiction } from './contradiction.ts';

test('a forbidden text in a keyword or in the expected answer is an error', async () => {
  const rows = [
    { question: 'A?', expected_keywords: ['full refund'], must_not_include: ['Refund'] },
    { question: 'B?', expected_answer: 'We guarantee it.', must_not_include: ['guarantee'] },
  ];
  expect(await lintRows(contradiction, rows)).toEqual([
    '1: "Refund" is forbidden, and the keyword "full refund" contains it',
    '2: "guarantee" is forbidden, and the expected answer contains it',
  ]);
});

test('a tool that is expected and forbidden is an error', async () => {
  const row = { question: 'A?', expected_tools: ['delete_all'], expected_calls: { mustNot: ['delete_all'] } };
  expect(await lintRows(contradiction, [row])).toEqual([
    '1: the tool "delete_all" is expected, and `mustNot` forbids it',
  ]);
});

test('a longer forbidden text contradicts nothing', async () => {
  const row = { question: 'A?', expected_keywords: ['refund'], must_not_include: ['full refund'] };
  expect(await lintRows(contradiction, [row])).toEqual([]);
});

test('a forbidden number contradicts the same number, and no longer one', async () => {
  const rows = [
    { question: 'A?', expected_keywords: ['$1,299'], must_not_include: ['1299'] },
    { question: 'B?', expected_keywords: ['15'], must_not_include: ['5'] },
  ];
  expect(await lintRows(contradiction, rows)).toEqual([
    '1: "1299" is forbidden, and the keyword "$1,299" contains it',
  ]);
});
