import type { CasedTrial } from '../../core/schema/result.ts';
import type { TrialWriting } from '../store.ts';
import type { SqlSession } from './database.ts';
import { type OpenRun, trialRow, trialTable } from './records.ts';
import { insertRows } from './rows.ts';

/** The run whose trials are added, and how. */
interface TrialPlace extends TrialWriting {
  readonly run: OpenRun;
  readonly lockRows: string;
}

/** Adds trials. When one replaces another, removes the scores of that in every run that reads it. Returns those that came too late. */
export async function addTrials(
  session: SqlSession,
  trials: readonly CasedTrial[],
  { run, lockRows, keepsDone = false }: TrialPlace,
): Promise<CasedTrial[]> {
  const rows = trials.map((cased) => trialRow(run, cased));
  const known = await insertRows(session, trialTable, rows);
  const late: CasedTrial[] = [];
  for (const [index, row] of rows.entries()) {
    if (!known.has(row)) continue;
    const cased = trials[index] as CasedTrial;
    const { ordinal } = cased.trial;
    const kept = keepsDone ? await findDoneChecksum(session, [run.trialsOf, ordinal], lockRows) : undefined;
    if (kept !== undefined) {
      if (kept !== row.at(-1)) late.push(cased);
      continue;
    }
    await session.run(trialTable.upsert, row);
    await session.run(removeScores, [ordinal, run.trialsOf]);
  }
  return late;
}

const removeScores =
  'DELETE FROM scores WHERE ordinal = ? AND run IN (SELECT number FROM runs WHERE trials_of = ?)';

/** Returns the checksum of a stored trial that is done; undefined when there is none. */
async function findDoneChecksum(session: SqlSession, place: readonly [number, number], lockRows: string) {
  const sql = `SELECT status, checksum FROM trials WHERE run = ? AND ordinal = ?${lockRows}`;
  const [row] = await session.all(sql, place);
  return row === undefined || row[0] === 'cancelled' ? undefined : row[1];
}
