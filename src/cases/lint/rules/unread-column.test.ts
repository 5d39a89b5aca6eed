import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { unreadColumn } from './unread-column.ts';

test('a misspelt expectation is named once, with the number of its rows and the nearest known name', async () => {
  const row = (id: string) => ({ id, question: `Who is ${id}?`, expected_keywrds: ['x'] });
  expect(await lintRows(unreadColumn, [row('a'), row('b')])).toEqual([
    '1: the column "expected_keywrds" of 2 rows looks like an expectation, and nothing reads it: a run stops at it',
  ]);
  const [finding] = await findIn(unreadColumn, [row('a')]);
  expect(finding?.remedy).toContain('perhaps to "expected_keywords"');
});

test('an unknown expectation under a name of its own is a finding, too', async () => {
  expect(await lintRows(unreadColumn, [{ question: 'Who?', min_citations: 3 }])).toEqual([
    '1: the column "min_citations" of 1 row looks like an expectation, and nothing reads it: it is not measured, and neither is the gate',
  ]);
});

test('plain metadata is no finding', async () => {
  expect(await lintRows(unreadColumn, [{ question: 'Who?', source: 'manual', difficulty: 3 }])).toEqual([]);
});
