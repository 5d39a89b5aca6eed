import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CountQuery, ProgressCounts, TrialCount } from '../../store.ts';
import { countColumns, createTrialCounts, fieldOf } from '../../trial-counts.ts';
import type { SqlDatabase } from '../database.ts';
import { readTotals } from '../read-rows.ts';
import type { OpenRun } from '../records.ts';
import { countStatement } from './list-statement.ts';
import type { createTrialSelector, SelectedRun } from './select-trials.ts';
import type { StoredCounts } from './stored-counts.ts';

/** Creates the method that counts the trials of a run by their columns. */
export function createTrialCounter(
  database: Pick<SqlDatabase, 'all' | 'dialect'>,
  {
    readColumns,
    stored,
  }: Pick<ReturnType<typeof createTrialSelector>, 'readColumns'> & { readonly stored: StoredCounts },
) {
  return async (of: SelectedRun, query: CountQuery = {}): Promise<TrialCount[]> => {
    const { where = [], by, fold } = query;
    if (where.length > 0) return await count(of, query);
    return await stored.keep(of, JSON.stringify({ by, fold }), async () => await count(of, query));
  };

  async function count(
    of: SelectedRun,
    { where = [], by = [], fold = false }: CountQuery,
  ): Promise<TrialCount[]> {
    const attempts = fold ? of.run.attempts : 1;
    const { between, rest } = countStatement({ dialect: database.dialect, ...of, where, by, attempts });
    if (rest.length > 0) {
      const columns = by.map(fieldOf);
      return await countColumns(readColumns(of, { where, columns }), { by, attempts });
    }
    const counts = createTrialCounts();
    const [row] = await database.all('SELECT max(ordinal) FROM trials WHERE run = ?', [of.open.trialsOf]);
    const last = (row?.[0] as number | null | undefined) ?? -1;
    // The attempts at a case are never counted in two parts.
    const size = Math.ceil(Math.min(database.dialect.countedAtOnce, last + 1) / attempts) * attempts;
    for (let from = 0; from <= last; from += size) {
      const { sql, values } = between(from, from + size);
      for (const [key, trials] of await database.all(sql, values))
        counts.add(JSON.parse(key as string), trials as number);
      await nextTurn();
    }
    return counts.list();
  }
}

const progressOf = `SELECT (SELECT count(*) FROM trials WHERE run = ? AND status = 'cancelled'),
  (SELECT count(total) FROM scores WHERE run = ?), (SELECT sum(total) FROM scores WHERE run = ?)`;

/** Counts the progress of a run, which reads only indexes. */
export async function countProgress(
  database: Pick<SqlDatabase, 'all' | 'address'>,
  run: OpenRun,
): Promise<ProgressCounts> {
  const { trials } = await readTotals(database, run);
  const [row] = await database.all(progressOf, [run.trialsOf, run.number, run.number]);
  const [cancelled, measured, sum] = row as readonly number[];
  return { done: trials - (cancelled ?? 0), measured: measured ?? 0, sum: sum ?? 0 };
}
