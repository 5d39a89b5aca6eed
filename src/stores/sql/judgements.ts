import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { ScoredTrial } from '../../core/schema/result.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import type { Store } from '../store.ts';
import type { RunTables } from './run-table.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase, SqlRow, SqlSession } from './database.ts';
import { readTotals } from './read-rows.ts';
import { judgementRow, judgementTable, type OpenRun } from './records.ts';
import { insertRows, readRow, toValue } from './rows.ts';

const { selected } = judgementTable;

const findByKey = `SELECT ${selected} FROM judgements WHERE key = ? AND status = 'answered' AND (asked_in = ? OR CAST(? AS TEXT) IS NULL)
  ORDER BY asked_at DESC, id DESC LIMIT 1`;
const findUsed = `SELECT judgement, ${selected}
  FROM judgement_uses LEFT JOIN judgements ON id = judgement WHERE run = ? AND judgement = ?`;
const selectUsed = `SELECT judgement
  FROM judgement_uses LEFT JOIN judgements ON id = judgement WHERE run = ? ORDER BY asked_at, judgement`;
/** Locks a question. When it is locked already, the update changes nothing but makes `RETURNING` return the holder. */
const take = `INSERT INTO questions (key, run, part) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING run, part`;

/** Creates the methods that store judgements, the runs that use them, and the locks on questions. */
export function createJudgementTable(database: SqlDatabase) {
  const { address } = database;

  const use = `INSERT INTO judgement_uses (run, judgement) SELECT CAST(? AS INTEGER), id FROM judgements
    WHERE id IN (SELECT item FROM ${database.dialect.textsIn('?')}) ON CONFLICT DO NOTHING`;

  // The uses are found run by run: their key begins with it.
  const erase = `DELETE FROM judgements WHERE id IN (SELECT id FROM judgements WHERE asked_in = ? AND NOT EXISTS (SELECT 1 FROM runs
    ${database.dialect.joinInOrder} judgement_uses ON run = runs.number AND judgement = judgements.id) LIMIT ?)`;

  /** Records stored judgements as used by a run. */
  async function addUses(session: SqlSession, run: OpenRun, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await session.run(use, [run.number, JSON.stringify([...new Set(ids)])]);
  }

  const toJudgement = (row: SqlRow, from = 0): Judgement =>
    parseJson(readRow(judgementTable, row, { address, from }).text);

  async function readUsed(run: OpenRun, id: string): Promise<Judgement[]> {
    const [row] = await database.all(findUsed, [run.number, id]);
    if (row === undefined) return [];
    if (row[1] === null) throw storeDamaged(address, `judgement ${id} is missing`);
    return [toJudgement(row, 1)];
  }

  const listUsed = async ({ number }: OpenRun): Promise<string[]> =>
    (await database.all(selectUsed, [number])).map(([id]) => id as string);

  return {
    /** Returns the ids of the judgements that a run uses, in the order in which they were asked. */
    listUsed,

    find: async (key: string, askedIn: string | null): Promise<Judgement | undefined> => {
      const [row] = await database.all(findByKey, [key, askedIn, askedIn]);
      return row && toJudgement(row);
    },

    /** Adds judgements; `run` is the run that uses them, if any. */
    add: async (
      session: SqlSession,
      run: OpenRun | null,
      judgements: readonly Judgement[],
    ): Promise<void> => {
      await insertRows(session, judgementTable, judgements.map(judgementRow));
      if (run !== null)
        await addUses(
          session,
          run,
          judgements.map(({ id }) => id),
        );
    },

    /** Erases the judgements that were asked under a name and that no run uses, at most so many. Returns their number. */
    erase: async (session: SqlSession, askedIn: string, most = Number.MAX_SAFE_INTEGER): Promise<number> =>
      await session.run(erase, [askedIn, most]),

    /** Returns whether verdicts name judgements. */
    areUsed: (scored: readonly ScoredTrial[]): boolean =>
      scored.some(({ verdicts }) => judgementsOf(verdicts).length > 0),

    /** Records the stored judgements that verdicts name as used by the run. */
    addUses: async (session: SqlSession, run: OpenRun, scored: readonly ScoredTrial[]): Promise<void> => {
      await addUses(
        session,
        run,
        scored.flatMap(({ verdicts }) => judgementsOf(verdicts)),
      );
    },

    /** Yields the judgements that a run uses, or those with the given ids, one at a time, since prompts can be long. */
    async *read(run: OpenRun, ids?: readonly string[]): AsyncGenerator<Judgement> {
      if (ids !== undefined) {
        const found = await Promise.all(ids.map((id) => readUsed(run, id)));
        yield* found.flat().toSorted((a, b) => (`${a.askedAt} ${a.id}` < `${b.askedAt} ${b.id}` ? -1 : 1));
        return;
      }
      const totals = await readTotals(database, run);
      const used = await listUsed(run);
      if (used.length < totals.judgements) throw storeDamaged(address, 'judgements of a run are missing');
      for (const id of used) {
        const [judgement] = await readUsed(run, id);
        if (judgement === undefined) throw storeDamaged(address, `judgement ${id} is missing`);
        yield judgement;
      }
    },
  };
}

/** Creates the methods for the locks on questions. */
function createQuestionLocks() {
  return {
    /** Locks questions and returns the holder of each lock, a run by its number. */
    take: async (
      session: SqlSession,
      keys: readonly string[],
      { run, part }: { readonly run: OpenRun; readonly part: string },
    ): Promise<{ readonly run: number; readonly part: string }[]> => {
      const takers: { run: number; part: string }[] = [];
      for (const key of keys) {
        const [row] = await session.all(take, [key, run.number, toValue(part)]);
        takers.push({ run: row?.[0] as number, part: row?.[1] as string });
      }
      return takers;
    },

    /** Releases the locks of a run, or of a part of it, on the given questions; on all when `keys` is absent. */
    release: async (
      session: SqlSession,
      run: OpenRun,
      { keys, part }: { readonly keys?: readonly string[]; readonly part?: string },
    ): Promise<void> => {
      const ofPart = part === undefined ? '' : ' AND part = ?';
      const values = part === undefined ? [run.number] : [run.number, toValue(part)];
      const all = `DELETE FROM questions WHERE run = ?${ofPart}`;
      if (keys === undefined) await session.run(all, values);
      else for (const key of keys) await session.run(`${all} AND key = ?`, [...values, key]);
    },
  };
}

type JudgementMethods =
  | 'findJudgement'
  | 'addJudgements'
  | 'eraseJudgements'
  | 'readJudgements'
  | 'takeQuestions'
  | 'releaseQuestions';

/** Returns the methods of a store on judgements and on the locks on questions. */
export function judgementMethods({ database, runs, find, write }: RunTables): Pick<Store, JudgementMethods> {
  const judgements = createJudgementTable(database);
  const questions = createQuestionLocks();
  return {
    findJudgement: async (key, askedIn) => await judgements.find(key, askedIn ?? null),
    addJudgements: async (runId, added) => {
      if (runId === null) await database.transaction((session) => judgements.add(session, null, added));
      else await write(runId, (session, run) => judgements.add(session, run, added));
    },
    eraseJudgements: async (askedIn, most) =>
      await database.transaction((session) => judgements.erase(session, askedIn, most)),
    readJudgements: async function* (runId, ids) {
      yield* judgements.read(await find(runId), ids);
    },
    takeQuestions: async (runId, keys, part = '') =>
      await write(runId, async (session, run) => {
        const takers = await questions.take(session, keys, { run, part });
        const ids = await runs.idsOf(
          session,
          takers.map((taker) => taker.run),
        );
        return takers.map((taker, index) => ({ runId: ids[index] as string, part: taker.part }));
      }),
    releaseQuestions: async (runId, keys, part) =>
      await write(runId, (session, run) => questions.release(session, run, { keys, part })),
  };
}
