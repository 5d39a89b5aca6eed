import { parseJson } from '../../core/lib/json/parse-json.ts';
import { millisecondsNow } from '../../core/lib/time.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import type { Run } from '../../core/schema/run.ts';
import { runNotFound } from '../refusals.ts';
import type { RunChoice } from '../store.ts';
import type { SqlDatabase, SqlRow, SqlSession } from './database.ts';
import { type OpenRun, openRunOf, runHeadOf, runRow, runTable } from './records.ts';
import { readRow } from './rows.ts';

type Reading = Pick<SqlSession, 'all'>;

async function findRow(session: Reading, runId: string, end = ''): Promise<SqlRow | undefined> {
  const [row] = await session.all(`SELECT ${runTable.selected} FROM runs WHERE id = ?${end}`, [runId]);
  return row;
}

/** The tables whose rows belong to one run alone. */
const ownTables = [
  'scores',
  'judgement_uses',
  'questions',
  'traits',
  'traits_wanted',
  'stored_counts',
] as const;

/** Creates the methods that read and write the rows of runs. */
export function createRunTable({ address, dialect }: Pick<SqlDatabase, 'address' | 'dialect'>) {
  const parse = keepParsed();
  const read = (row: SqlRow): Run => parseJson(readRow(runTable, row, { address }).text);

  const findKept = async (session: Reading, runId: string, end = '') => {
    const row = await findRow(session, runId, end);
    if (row === undefined) throw runNotFound(runId);
    return readRow(runTable, row, { address });
  };
  const find = async (session: Reading, runId: string, end?: string): Promise<OpenRun> =>
    openRunOf(await findKept(session, runId, end));

  /** Finds a run that is not removed before the end of the transaction, or not by another. */
  const findToWrite = async (session: SqlSession, runId: string) =>
    await find(session, runId, dialect.keepRows);

  return {
    read,
    findRow,
    find,
    findToWrite,
    /** Makes sure that a run which was found before is there until the end of the transaction. Throws what `toFault` returns. */
    keep: keepRun(dialect),
    /** Reads the run with a number. */
    readNumber: async (session: Reading, number: number): Promise<Run> => {
      const [row] = await session.all(`SELECT ${runTable.selected} FROM runs WHERE number = ?`, [number]);
      return read(row as SqlRow);
    },
    /** Returns a run with the columns that the other tables depend on. Throws `run-not-found`. */
    open: async (session: Reading, runId: string): Promise<{ run: Run; open: OpenRun }> => {
      const kept = await findKept(session, runId);
      return { run: parse(runId, kept.text), open: openRunOf(kept) };
    },
    insert: async (session: SqlSession, run: Run, trialsOf: string | undefined): Promise<void> => {
      const shared = trialsOf === undefined ? undefined : await findToWrite(session, trialsOf);
      const [added] = await session.all('INSERT INTO totals (cases) VALUES (0) RETURNING run');
      const number = added?.[0] as number;
      const [newest] = await session.all('SELECT max(listed_at) FROM runs');
      const open = {
        number,
        listedAt: whenListed(run, newest?.[0] as string | null),
        trialsOf: shared?.trialsOf ?? number,
        trialsPerCase: shared?.trialsPerCase ?? run.targets.length * run.attempts,
      };
      await session.run(runTable.upsert, runRow(run, open));
    },
    list: async (
      session: Reading,
      { limit, before, status, continues }: RunChoice = {},
    ): Promise<RunHead[]> => {
      const rules: readonly (readonly [rule: string, value: string | number | undefined])[] = [
        ['(listed_at, id) < (SELECT listed_at, id FROM runs WHERE id = ?)', before],
        ['status = ?', status],
        ['continues = ?', continues],
      ];
      const given = rules.filter(([, value]) => value !== undefined);
      const where = given.length === 0 ? '' : `WHERE ${given.map(([rule]) => rule).join(' AND ')}`;
      const values = [...given.map(([, value]) => value ?? null), ...(limit === undefined ? [] : [limit])];
      const end = limit === undefined ? '' : 'LIMIT ?';
      const sql = `SELECT ${runTable.selected} FROM runs ${where} ORDER BY listed_at DESC, id DESC ${end}`;
      return (await session.all(sql, values)).map((row) => runHeadOf(readRow(runTable, row, { address })));
    },
    /** Removes a run and everything that belongs to it alone. Its cases and trials stay while another run reads them. */
    remove: async (session: SqlSession, { number, trialsOf }: OpenRun): Promise<void> => {
      // If two runs that share trials are removed at the same time, the second must see that the first is gone.
      await session.all(`SELECT run FROM totals WHERE run = ?${dialect.lockRows}`, [trialsOf]);
      await session.run('DELETE FROM runs WHERE number = ?', [number]);
      for (const table of ownTables) await session.run(`DELETE FROM ${table} WHERE run = ?`, [number]);
      const [reader] = await session.all('SELECT 1 FROM runs WHERE trials_of = ? LIMIT 1', [trialsOf]);
      const isLast = reader === undefined;
      if (number !== trialsOf || isLast) await session.run('DELETE FROM totals WHERE run = ?', [number]);
      if (!isLast) return;
      for (const table of ['totals', 'trials', 'cases'])
        await session.run(`DELETE FROM ${table} WHERE run = ?`, [trialsOf]);
    },
    /** Returns the ids of runs by their numbers, in the same order. */
    idsOf: async (session: Reading, numbers: readonly number[]): Promise<string[]> => {
      const ids = new Map<number, string>();
      for (const number of new Set(numbers)) {
        const [row] = await session.all('SELECT id FROM runs WHERE number = ?', [number]);
        ids.set(number, row?.[0] as string);
      }
      return numbers.map((number) => ids.get(number) as string);
    },
  };
}

/** The number of runs whose records stay parsed: a comparison reads two in turn. */
const mostParsed = 2;

/**
 * Returns a function that parses the record of a run, and keeps it while its text stays the same: with hundreds of categories and
 * metrics it has megabytes, and each read of columns or answers opens it again.
 */
function keepParsed(): (runId: string, text: string) => Run {
  const kept = new Map<string, { readonly text: string; readonly run: Run }>();
  return (runId, text) => {
    const known = kept.get(runId);
    kept.delete(runId);
    const parsed = known?.text === text ? known : { text, run: parseJson(text) as Run };
    kept.set(runId, parsed);
    const [oldest] = kept.keys();
    if (kept.size > mostParsed && oldest !== undefined) kept.delete(oldest);
    return parsed.run;
  };
}

function keepRun({ keepRows }: SqlDatabase['dialect']) {
  const sql = `SELECT 1 FROM runs WHERE id = ? AND number = ?${keepRows}`;
  return (
    session: SqlSession,
    { runId, number, toFault }: Pick<OpenRun, 'number'> & { readonly runId: string; toFault(): Error },
  ): void =>
    session.send(sql, [runId, number], ([row]) => {
      if (row === undefined) throw toFault();
    });
}

/** The database and the helpers that the methods of a store share. */
export interface RunTables {
  readonly database: SqlDatabase;
  readonly runs: ReturnType<typeof createRunTable>;
  /** Returns the columns of a run that the other tables depend on. Throws `run-not-found`. */
  find(runId: string): Promise<OpenRun>;
  /** Runs `work` in a transaction on an existing run. Throws `run-not-found`. */
  write<Result>(runId: string, work: (session: SqlSession, run: OpenRun) => Promise<Result>): Promise<Result>;
}

/** Removes at most so many of the rows that the removal of a run would remove. Returns their number. */
export async function shrinkRun(
  session: SqlSession,
  { number, trialsOf }: OpenRun,
  most: number,
): Promise<number> {
  const removeFrom = async (table: string, column: string, run: number) =>
    await session.run(
      `DELETE FROM ${table} WHERE run = ? AND ${column} IN
        (SELECT ${column} FROM ${table} WHERE run = ? ORDER BY ${column} LIMIT ?)`,
      [run, run, most],
    );
  const [other] = await session.all('SELECT 1 FROM runs WHERE trials_of = ? AND number <> ? LIMIT 1', [
    trialsOf,
    number,
  ]);
  const own = [
    ['scores', 'ordinal', number],
    ['judgement_uses', 'judgement', number],
    ...(other === undefined
      ? ([
          ['trials', 'ordinal', trialsOf],
          ['cases', 'position', trialsOf],
        ] as const)
      : []),
  ] as const;
  for (const [table, column, run] of own) {
    const removed = await removeFrom(table, column, run);
    if (removed > 0) return removed;
  }
  return 0;
}

/** The age, in milliseconds, from which a run counts as imported, such as from an archive, rather than just created. */
const longestAgoMs = 60_000;

/**
 * Returns the time by which a run is listed: the time of its creation. When the clock was set back, a run that is created now
 * still gets a later time than all others.
 */
function whenListed({ createdAt }: Run, newest: string | null): string {
  const isMadeNow = Math.abs(millisecondsNow() - Date.parse(createdAt)) < longestAgoMs;
  if (!isMadeNow || newest === null || newest < createdAt) return createdAt;
  return new Date(Date.parse(newest) + 1).toISOString();
}
