import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Store } from '../../store.ts';
import type { SqlDatabase } from '../database.ts';
import { baselineRow, baselineTable } from '../records.ts';
import { readRow } from '../rows.ts';

type BaselineMethods = 'setBaseline' | 'readBaseline' | 'listBaselines' | 'deleteBaseline';

/** Creates the methods of a store for baselines, on a database with the tables of `tables.ts`. */
export function createSqlBaselines(database: SqlDatabase): Pick<Store, BaselineMethods> {
  return {
    setBaseline: async (baseline) =>
      await database.transaction(async (session) => {
        await session.run(baselineTable.upsert, baselineRow(baseline));
      }),
    readBaseline: async (name) => {
      const sql = `SELECT ${baselineTable.selected} FROM baselines WHERE name = ?`;
      const [row] = await database.all(sql, [name]);
      return row && parseJson(readRow(baselineTable, row, database).text);
    },
    listBaselines: async () => {
      const rows = await database.all('SELECT name FROM baselines');
      return rows.map(([name]) => name as string).sort();
    },
    deleteBaseline: async (name) =>
      await database.transaction(
        async (session) => (await session.run('DELETE FROM baselines WHERE name = ?', [name])) > 0,
      ),
  };
}
