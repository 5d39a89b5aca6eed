import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { recordsOfRun, type SharedRecords, type SharedUpdate } from '../shared/shared-records.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlStatement } from './database.ts';
import { toValue } from './rows.ts';
import type { ColumnTypes } from './tables.ts';

/** Returns the statements that create the table of shared records, or another one of the same form. */
export function createSharedTable(
  { text, options }: ColumnTypes,
  {
    table = 'shared',
    about = 'What the processes at work agree on: limits, counts, signs of life. Nothing here is a result.',
  } = {},
): string {
  return `
  -- ${about}
  CREATE TABLE ${table} (
    name ${text} NOT NULL PRIMARY KEY,
    -- A text that is never used twice: a write names the version that it has read.
    version ${text} NOT NULL,
    record ${text} NOT NULL
  ) ${options};
`;
}

/** Returns the statements over a table of shared records. */
function statementsOn(table: string) {
  return {
    add: `INSERT INTO ${table} (name, version, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1`,
    replace: `UPDATE ${table} SET version = ?, record = ? WHERE name = ? AND version = ? RETURNING 1`,
    removeVersion: `DELETE FROM ${table} WHERE name = ? AND version = ? RETURNING 1`,
    remove: `DELETE FROM ${table} WHERE name = ? RETURNING 1`,
    list: `SELECT name, record FROM ${table} WHERE name >= ? AND name < ? ORDER BY name`,
  };
}

const removeList = 'DELETE FROM shared WHERE name >= ? AND name < ?';

/** Returns the ends of the range of names that begin with a text. */
function rangeOf(prefix: string): [from: string, to: string] {
  const from = toValue(prefix) as string;
  return [from, `${from}\u{10FFFF}`];
}

/** Removes the shared records of a run. */
export async function removeSharedOf(session: SqlSession, runId: string): Promise<void> {
  await session.run(removeList, rangeOf(recordsOfRun(runId)));
}

/**
 * The pauses before a change that another process was faster with is tried again, in milliseconds: the first one at most, and the longest.
 * Where many change one record, tries that are in vain cost more than the pauses.
 */
const pauses = { first: 4, longest: 200 };

/** Returns a function that reads and then writes, without a turn: others may write in between. */
export function inSteps(all: SqlDatabase['all']): NonNullable<SqlDatabase['inTurn']> {
  return async (_key, read, decide) => {
    const write = decide(await all(read.sql, read.values));
    return write === undefined ? [] : await all(write.sql, write.values);
  };
}

/**
 * Creates the shared records of a database with the table above. A change reads the record and the clock, and writes only
 * if the version is still the one that was read; else it begins again. Where the database has a queue, changes of one record wait for
 * each other there, so that hardly any is in vain. It takes no part in the transactions of the store, since these last as long as the
 * largest write.
 */
export function createSqlShared(
  { all, dialect, inTurn = inSteps(all) }: Pick<SqlDatabase, 'all' | 'dialect' | 'inTurn'>,
  table: 'shared' | 'accounts' = 'shared',
): SharedRecords {
  const { add, replace, removeVersion, remove, list } = statementsOn(table);
  const read = `SELECT ${dialect.clock}, kept.version, kept.record
    FROM (SELECT 1 AS one) AS one LEFT JOIN ${table} AS kept ON kept.name = ?`;
  const writer = randomUUID();
  let writes = 0;

  /** Returns the write of a record whose version is known; undefined when it is to be removed and there is none. */
  function writeOf(
    name: string,
    version: string | null,
    { next, text }: { readonly next: string; readonly text: string | undefined },
  ): SqlStatement | undefined {
    if (text === undefined)
      return version === null ? undefined : { sql: removeVersion, values: [name, version] };
    if (version === null) return { sql: add, values: [name, next, text] };
    return { sql: replace, values: [next, text, name, version] };
  }

  /** Creates the decision about a change, and the outcome of it: known at once where nothing is to be written. */
  function createDecision<Value, Result>(name: string, update: SharedUpdate<Value, Result>) {
    let mine: string | undefined;
    let made: (() => Result) | undefined;
    let isOver = false;
    const decideOn = (now: number, version: string | null, record: string | null) => {
      // The write was done although its answer was lost, and was repeated by the connection.
      if (mine !== undefined && version === mine) return undefined;
      const before = record === null ? undefined : parseJson(record);
      const { value, result } = update(before, now);
      made = () => result;
      if (value !== undefined && value === before) return undefined;
      mine = `${writer} ${(writes += 1)}`;
      return writeOf(name, version, {
        next: mine,
        text: value === undefined ? undefined : JSON.stringify(value),
      });
    };
    return {
      decide: ([row]: readonly SqlRow[]) => {
        let write: SqlStatement | undefined;
        try {
          write = decideOn(...(row as readonly [number, string | null, string | null]));
        } catch (error) {
          // It is none of the database.
          made = () => {
            throw error;
          };
        }
        isOver = write === undefined;
        return write;
      },
      isOver: () => isOver,
      result: (): Result => (made as NonNullable<typeof made>)(),
    };
  }

  return {
    change: async (given, update) => {
      const name = toValue(given) as string;
      const { decide, isOver, result } = createDecision(name, update);
      for (let tries = 1; ; tries += 1) {
        const written = await inTurn(`${table}/${name}`, { sql: read, values: [name] }, decide);
        if (isOver() || written.length > 0) return result();
        await pause(Math.random() * Math.min(pauses.first * 2 ** (tries - 1), pauses.longest));
      }
    },
    list: async (prefix) => {
      const rows = await all(list, rangeOf(prefix));
      return rows.map(([name, record]) => ({ name: name as string, value: parseJson(record as string) }));
    },
    remove: async (name) => (await all(remove, [toValue(name)])).length > 0,
  };
}
