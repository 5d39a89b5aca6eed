import { expect, test } from 'vitest';
import { lintRows } from '../../../test/support/lint-rows.ts';
import { readOnlyRules } from '../../library/config/resolve-metrics.ts';
import { contradiction } from './rules/contradiction.ts';
import { malformedKeyword } from './rules/malformed-keyword.ts';
import { unreadExpectation } from './rules/unread-expectation.ts';
import { weakKeyword } from './rules/weak-keyword.ts';

const caseChecks = readOnlyRules();
const row = (checks: readonly object[], expected: object = {}) => ({
  question: 'Who?',
  expected: { ...expected, checks },
});

test('the texts of checks are examined like keywords, those in groups too', async () => {
  const rows = [
    row([{ all: [{ use: 'contains', value: ['Norway', 'the'] }] }, { use: 'contains', value: '7' }]),
  ];
  expect(await lintRows(weakKeyword, rows, { caseChecks })).toEqual([
    '1: the text "the" is in nearly every answer',
    '1: the text "7" is a single digit, which is also found in 17 and 2074',
  ]);
  expect(
    await lintRows(malformedKeyword, [row([{ use: 'contains', value: ' x' }])], { caseChecks }),
  ).toHaveLength(1);
});

test('a text that must not appear is no weak one', async () => {
  const rows = [row([{ not: { use: 'contains', value: 'the' } }, { use: 'not-contains', value: 'the' }])];
  expect(await lintRows(weakKeyword, rows, { caseChecks })).toEqual([]);
});

test('checks that no answer can pass together are a contradiction, alternatives are not', async () => {
  const both = [{ use: 'contains', value: 'ships to Norway' }, { not: { use: 'contains', value: 'Norway' } }];
  expect(await lintRows(contradiction, [row(both)], { caseChecks })).toEqual([
    '1: "Norway" is forbidden, and the text "ships to Norway" contains it',
  ]);
  expect(await lintRows(contradiction, [row([{ any: both }])], { caseChecks })).toEqual([]);
});

test('an expectation that the checks of its case read is not unread', async () => {
  const rows = [
    row([{ use: 'exact-match' }], { answer: 'Ben' }),
    { question: 'When?', expected: { answer: 'Now' } },
  ];
  const setting = { caseChecks, config: 'a.yaml' };
  expect(await lintRows(unreadExpectation, rows, { ...setting, reads: ['checks'] })).toEqual([
    '2: expected answers of 1 question, here first, are read by no metric of a.yaml',
  ]);
  expect(await lintRows(unreadExpectation, rows, { ...setting, reads: [] })).toHaveLength(2);
});
