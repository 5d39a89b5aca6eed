import { canonicalJson } from '../../core/lib/content-hash.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { LabelMark } from '../../core/schema/review/label.ts';
import { recordConflict, taskNotFound } from '../reviews/refusals.ts';
import type { AddedRecords, ReviewRecords } from '../reviews/review-store.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlValue, SqlInput } from './database.ts';
import {
  equivalenceRow,
  equivalenceTable,
  itemRow,
  itemTable,
  labelRow,
  labelTable,
  markColumns,
  markIn,
  rubricRow,
  rubricTable,
  taskRow,
  taskTable,
} from './review-tables.ts';
import { readRow, type RecordTable } from './rows.ts';

type Reading = Pick<SqlSession, 'all'>;

/** Reads the record of a row as JSON. Throws `store-damaged`. */
export function textIn(
  { address }: Pick<SqlDatabase, 'address'>,
  table: RecordTable<string>,
  row: SqlRow,
): string {
  return readRow(table, row, { address }).text;
}

/** Throws `review-not-found` for an unknown task. */
export async function requireTask(session: Reading, taskId: string): Promise<void> {
  const [found] = await session.all('SELECT 1 FROM review_tasks WHERE id = ?', [taskId]);
  if (found === undefined) throw taskNotFound(taskId);
}

/** Adds the records of one kind, in the order of `addRecords`. */
async function addAll<Each>(
  session: SqlSession,
  { address }: SqlDatabase,
  {
    table,
    noun,
    toRow,
  }: {
    readonly table: RecordTable<string>;
    readonly noun: string;
    readonly toRow: (record: Each) => SqlInput[];
  },
  records: readonly Each[] = [],
): Promise<number> {
  const key = table.columns.slice(0, table.keyLength);
  const where = key.map((column) => `${column} = ?`).join(' AND ');
  let added = 0;
  for (const record of records) {
    const row = toRow(record);
    const isNew = (await session.run(table.insert, row)) > 0;
    added += Number(isNew);
    if (isNew) continue;
    const values = row.slice(0, table.keyLength);
    const [kept] = await session.all(`SELECT ${table.selected} FROM ${table.name} WHERE ${where}`, values);
    const isSame =
      kept !== undefined &&
      canonicalJson(parseJson(textIn({ address }, table, kept))) === canonicalJson(record);
    if (!isSame) throw recordConflict(noun, values.join(' '));
  }
  return added;
}

/** Adds records, each unless it is stored already. Throws `label-conflict`. */
export async function addRecords(
  database: SqlDatabase,
  session: SqlSession,
  { rubrics, equivalences, tasks, items, labels }: ReviewRecords,
): Promise<AddedRecords> {
  const into = async <Each>(
    table: RecordTable<string>,
    noun: string,
    toRow: (record: Each) => SqlInput[],
    records: readonly Each[] | undefined,
  ) => await addAll(session, database, { table, noun, toRow }, records);
  return {
    rubrics: await into(rubricTable, 'rubric', rubricRow, rubrics),
    equivalences: await into(equivalenceTable, 'equivalence', equivalenceRow, equivalences),
    tasks: await into(taskTable, 'review task', taskRow, tasks),
    items: await into(itemTable, 'item', itemRow, items),
    labels: await into(labelTable, 'label', labelRow, labels),
  };
}

/** Reads the parts of labels from which progress follows, in the order in which they were given. */
export async function readMarks(
  session: Reading,
  where: string,
  values: readonly SqlValue[],
): Promise<LabelMark[]> {
  const sql = `SELECT ${markColumns} FROM labels WHERE ${where} ORDER BY given_at, id`;
  return (await session.all(sql, values)).map(markIn);
}
