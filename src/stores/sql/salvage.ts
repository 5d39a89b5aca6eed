import { TouchstoneError } from '../../core/errors.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { PlannedCase, Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { WholeRecord } from '../store.ts';
import type { SqlDatabase, SqlValue } from './database.ts';
import { createJudgementTable } from './judgements.ts';
import { readTotals, rowWords } from './read-rows.ts';
import { caseTable, type OpenRun, plannedCaseOf, scoreTable, trialOf, trialTable } from './records.ts';
import { type KeptRow, readRow, type RecordTable } from './rows.ts';

/** A run that may have lost records. */
interface Ruin {
  readonly database: SqlDatabase;
  readonly run: Run;
  readonly open: OpenRun;
  /** Called with a description of each lost record. */
  readonly onLost: (what: string) => void;
}

/** Reads each record of a run separately, yields the undamaged ones and skips the others. */
export async function* readWholeRecords(ruin: Ruin): AsyncGenerator<WholeRecord> {
  const known = await readTotals(ruin.database, ruin.open).catch(passOver);
  if (known === undefined) ruin.onLost('the number of its records');
  const count = (part: keyof typeof rowWords, found: number) => {
    const all = known?.[part] ?? 0;
    if (found < all) ruin.onLost(`${all - found} of ${all} ${rowWords[part]}, which are missing`);
  };
  count('cases', yield* readWholeCases(ruin));
  count('judgements', yield* readWholeJudgements(ruin));
  const { trials, scores } = yield* readWholeResults(ruin);
  count('trials', trials);
  count('scores', scores);
}

/** Yields the undamaged cases; returns the number of cases found, damaged ones included. */
async function* readWholeCases(ruin: Ruin): AsyncGenerator<WholeRecord, number> {
  let found = 0;
  for (let position = 0; position < ruin.run.dataset.cases; position += 1) {
    const planned = await readCase(ruin, position);
    found += Number(planned !== undefined);
    if (planned === 'damaged') ruin.onLost(nameCase(position));
    else if (planned !== undefined) yield { type: 'case', case: planned };
  }
  return found;
}

/** Yields the undamaged judgements; returns the number of judgements that the run uses, damaged ones included. */
async function* readWholeJudgements({ database, open, onLost }: Ruin): AsyncGenerator<WholeRecord, number> {
  const judgements = createJudgementTable(database);
  const ids = (await judgements.listUsed(open).catch(passOver)) ?? [];
  for (const id of ids) {
    const [judgement] = (await Array.fromAsync(judgements.read(open, [id])).catch(passOver)) ?? [];
    if (judgement === undefined) onLost(`judgement ${id}`);
    else yield { type: 'judgement', judgement };
  }
  return ids.length;
}

/** Yields the undamaged results; returns the numbers of trials and scores found, damaged ones included. */
async function* readWholeResults(ruin: Ruin) {
  const found = { trials: 0, scores: 0 };
  const { run, open } = ruin;
  for (let ordinal = 0; ordinal < run.dataset.cases * open.trialsPerCase; ordinal += 1) {
    const { isThere, isScored, result } = await readResult(ruin, ordinal);
    found.trials += Number(isThere);
    found.scores += Number(isScored);
    if (result !== undefined) yield { type: 'result', result } satisfies WholeRecord;
  }
  return found;
}

/** The state of a trial and its scores in the database, and the result when it is undamaged. */
interface FoundResult {
  readonly isThere: boolean;
  readonly isScored: boolean;
  readonly result?: Result;
}

/** Reads one result. A result whose scores are damaged is returned without them, since it can be scored again. */
async function readResult(ruin: Ruin, ordinal: number): Promise<FoundResult> {
  const { database, run, open, onLost } = ruin;
  const scores = await readOne(database, scoreTable, [open.number, ordinal]);
  const trial = await readOne(database, trialTable, [open.trialsOf, ordinal]);
  const there = { isThere: trial !== undefined, isScored: scores !== undefined };
  if (trial === undefined) return there;
  const position = Math.floor(ordinal / open.trialsPerCase);
  const planned = await readCase(ruin, position);
  const isCaseWhole = planned !== undefined && planned !== 'damaged';
  const name = `the answer of ${nameTarget(run, ordinal)} to ${isCaseWhole ? planned.case.id : nameCase(position)}`;
  if (trial === 'damaged' || !isCaseWhole) {
    onLost(name);
    return there;
  }
  if (scores === 'damaged') onLost(`the scores of ${name}`);
  const said = scores === undefined || scores === 'damaged' ? unscored : parseJson(scores.text);
  const result: Result = { case: planned.case, trial: trialOf(trial.text, planned.case), ...said };
  return { ...there, result };
}

const unscored: Pick<Result, 'verdicts' | 'scorecard'> = { verdicts: {}, scorecard: null };

function nameCase(position: number): string {
  return `question number ${position + 1}`;
}

/** Names the target and, where there are several, the attempt of the trial at an ordinal. */
function nameTarget({ targets, attempts }: Run, ordinal: number): string {
  const name = targets[Math.floor(ordinal / attempts) % targets.length]?.name ?? '';
  return attempts === 1 ? name : `${name} (attempt ${(ordinal % attempts) + 1})`;
}

async function readCase(
  { database, open }: Ruin,
  position: number,
): Promise<PlannedCase | 'damaged' | undefined> {
  const row = await readOne(database, caseTable, [open.trialsOf, position]);
  return row === undefined || row === 'damaged' ? row : plannedCaseOf(row);
}

async function readOne<Column extends string>(
  database: SqlDatabase,
  table: RecordTable<Column>,
  key: readonly SqlValue[],
): Promise<KeptRow<Column> | 'damaged' | undefined> {
  const where = table.columns.slice(0, table.keyLength).map((column) => `${column} = ?`);
  const sql = `SELECT ${table.selected} FROM ${table.name} WHERE ${where.join(' AND ')}`;
  try {
    const [row] = await database.all(sql, key);
    return row && readRow(table, row, database);
  } catch (error) {
    passOver(error);
    return 'damaged';
  }
}

/** Returns undefined for a `store-damaged` error; throws every other error again. */
function passOver(error: unknown): undefined {
  if (!(error instanceof TouchstoneError) || error.code !== 'store-damaged') throw error;
}
