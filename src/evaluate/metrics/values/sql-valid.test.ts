import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { sqlValid } from './sql-valid.ts';

async function score(answer: string | null, options: object = {}) {
  const { definition } = sqlValid;
  const metric = definition.create(definition.options.parse(options), {});
  return await metric.score({ case: buildCase({}), trial: buildTrial(answer) });
}

test.each<[string | null, object, number]>([
  ['SELECT id, name FROM users WHERE id = 1;', {}, 1],
  ['SELECT * FROM', {}, 0],
  ['There are 5 users.', {}, 0],
  ['Here it is: SELECT 1', {}, 0],
  ['', {}, 0],
  [null, {}, 0],
  ['SELECT `a` FROM `t`', { dialect: 'mysql' }, 1],
  ['SELECT "a"::int FROM t RETURNING a', { dialect: 'postgresql' }, 0],
  ['SELECT a::int FROM t', { dialect: 'postgresql' }, 1],
  ['SELECT TOP 3 a FROM t', { dialect: 'transactsql' }, 1],
  ['SELECT TOP 3 a FROM t', { dialect: 'mysql' }, 0],
  ['```sql\nSELECT 1\n```', {}, 0],
  ['So:\n```sql\nSELECT 1\n```\nThat is it.', { fenced: true }, 1],
  ['SELECT a FROM orders', { allowedTables: ['select::(.*)::orders'] }, 1],
  ['DELETE FROM orders', { allowedTables: ['select::(.*)::orders'] }, 0],
  ['SELECT a FROM users', { allowedTables: ['select::(.*)::orders'] }, 0],
  ['SELECT a FROM orders; DROP TABLE users', { allowedTables: ['select::(.*)::orders'] }, 0],
  ['SELECT a FROM orders', { allowedColumns: ['select::(.*)::a'] }, 1],
  ['SELECT b FROM orders', { allowedColumns: ['select::(.*)::a'] }, 0],
])('SQL %j with %j → %d', async (answer, options, value) => {
  expect(await score(answer, options)).toMatchObject({ value, passed: value === 1 });
});

test('a fault is named by its place', async () => {
  expect(await score('SELECT *\nFROM')).toMatchObject({
    explanation: 'it is no MySQL: the end is not expected at line 2, column 5',
  });
  expect(await score('SELECT a FROM users', { allowedTables: ['select::(.*)::orders'] })).toMatchObject({
    explanation: expect.stringContaining('not an allowed table: '),
  });
});
