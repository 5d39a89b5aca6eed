import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { duplicateId } from './duplicate-id.ts';

test('the second case of an id is an error that names the first', async () => {
  const [finding] = await findIn(duplicateId, [
    { id: 'hours', question: 'When do you open?' },
    { id: 'hours', question: 'Where are you?' },
  ]);
  expect(finding).toMatchObject({ line: 2, severity: 'error', related: { line: 1, caseId: 'hours' } });
  expect(finding?.message).toBe('the id "hours" is also the id of line 1');
});

test('cases without ids are no finding, even as copies', async () => {
  expect(await lintRows(duplicateId, [{ question: 'When?' }, { question: 'When?' }])).toEqual([]);
});
