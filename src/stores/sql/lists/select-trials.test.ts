import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { testSelection } from '../../../../test/support/test-selection.ts';
import type { Filter } from '../../../core/lib/filter/filter.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { createSqliteDatabase } from '../../sqlite/sqlite-database.ts';
import { openSqliteStore } from '../../sqlite/sqlite.ts';
import { listStatement } from './list-statement.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
const file = path.join(folder, 'touchstone.db');
const sqlite = openSqliteStore(file);
afterAll(async () => {
  await sqlite.close();
  await rm(folder, { recursive: true, force: true });
});

testSelection('SQLite', async () => sqlite, 50);

/** Returns the indexes that SQLite reads for a list, in the order of its loops, and a mark where it sorts. */
async function indexesOf(where: Filter, field: string): Promise<string[]> {
  const scorecard = {
    name: 'mean',
    use: { use: 'mean' },
    version: 1,
    passMark: 0.7,
    criteria: [{ name: 'keywords', metric: 'keywords', weight: 1, required: false }],
    grades: [],
  };
  const run = buildRun({ id: 'planned', scorecard });
  if ((await sqlite.readRun(run.id)) === undefined) await sqlite.createRun(run);
  const connection = new DatabaseSync(file, { readOnly: true });
  const database = createSqliteDatabase(connection, file);
  const open = { number: 1, trialsOf: 1, trialsPerCase: 1 };
  const sort = { field, isDescending: false };
  const { sql, values } = listStatement({ dialect: database.dialect, run, open, where, sort }).known(
    undefined,
    100,
  );
  const plan = await database.all(`EXPLAIN QUERY PLAN ${sql}`, values);
  await database.close();
  return plan.map(
    (row) => /COVERING INDEX (\w+)|TEMP B-TREE/.exec(String(row[3]))?.slice(0, 2).findLast(Boolean) ?? '',
  );
}

const [failed, taxes, low] = [
  { field: 'result', operator: '=', values: ['failed'] },
  { field: 'category', operator: '=', values: ['taxes'] },
  { field: 'total', operator: '<', values: [0.5] },
] as const;

test('of failed trials by score, SQLite finds the first in an index, and looks up no more than their cases', async () => {
  const byResult = ['scores_by_result', 'trials_columns', 'cases_columns'];
  expect(await indexesOf([failed, taxes], 'total')).toEqual(byResult);
  expect(await indexesOf([taxes, low], 'total')).toEqual(['scores_columns', 'cases_columns', 'TEMP B-TREE']);
  expect(await indexesOf([failed, taxes], 'latencyMs')).toEqual([
    'trials_columns',
    'scores_columns',
    'cases_columns',
    'TEMP B-TREE',
  ]);
});
