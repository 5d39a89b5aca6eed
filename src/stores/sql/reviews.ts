import type { TouchstoneError } from '../../errors.ts';
import type { Label } from '../../schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../schema/review/review-task.ts';
import type { Rubric, RubricEquivalence } from '../../schema/review/rubric.ts';
import { storeDamaged } from '../refusals.ts';
import type { LabelChoice, ReviewStore } from '../reviews/review-store.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './database.ts';
import { addRecords, readMarks, recordIn, requireTask } from './review-records.ts';
import {
  equivalenceTable,
  itemTable,
  labelTable,
  rubricRow,
  rubricTable,
  taskRow,
  taskTable,
} from './review-tables.ts';
import { workMethods } from './review-work.ts';
import type { RecordTable } from './rows.ts';

/** The number of labels that are read at a time. */
const batchSize = 500;

/** Creates the part of a store for people's labels, on a database with the tables of `review-tables.ts`. */
export function createSqlReviews(database: SqlDatabase): ReviewStore {
  return { ...recordMethods(database), ...labelMethods(database), ...workMethods(database) };
}

type RecordMethods =
  | 'add'
  | 'updateRubric'
  | 'updateTask'
  | 'readRubrics'
  | 'readEquivalences'
  | 'readTask'
  | 'listTasks'
  | 'readItems'
  | 'readItemHeads';

function recordMethods(database: SqlDatabase): Pick<ReviewStore, RecordMethods> {
  const readAll = async <Each>(table: RecordTable<string>, rest = '', values: readonly SqlValue[] = []) => {
    const rows = await database.all(`SELECT ${table.selected} FROM ${table.name} ${rest}`, values);
    return rows.map((row) => recordIn<Each>(database, table, row));
  };
  return {
    add: async (records) => await database.transaction((session) => addRecords(database, session, records)),
    updateRubric: async (rubric) =>
      await database.transaction(async (session) => {
        await session.run(rubricTable.upsert, rubricRow(rubric));
      }),
    updateTask: async (task) =>
      await database.transaction(async (session) => {
        await requireTask(session, task.id);
        await session.run(taskTable.upsert, taskRow(task));
      }),
    readRubrics: async () => await readAll<Rubric>(rubricTable, 'ORDER BY id, version'),
    readEquivalences: async () => await readAll<RubricEquivalence>(equivalenceTable, 'ORDER BY id'),
    readTask: async (taskId) => (await readAll<ReviewTask>(taskTable, 'WHERE id = ?', [taskId]))[0],
    listTasks: async () => await readAll<ReviewTask>(taskTable, 'ORDER BY created_at DESC, id DESC'),
    readItems: async (taskId, positions) => {
      if (positions === undefined) {
        const written = await countWritten(database, 'review_items', taskId);
        const items = await readAll<ReviewItem>(itemTable, 'WHERE task = ? ORDER BY position', [taskId]);
        if (items.length < written) throw rowsMissing(database, 'items', taskId);
        return items;
      }
      const rest = 'WHERE task = ? AND position = ?';
      const rows = await Promise.all(
        [...new Set(positions)]
          .sort((one, other) => one - other)
          .map((position) => readAll<ReviewItem>(itemTable, rest, [taskId, position])),
      );
      return rows.flat();
    },
    readItemHeads: async (taskId) => {
      const sql = 'SELECT position, people FROM review_items WHERE task = ? ORDER BY position';
      const rows = await database.all(sql, [taskId]);
      return rows.map(([position, people]) => ({ position: position as number, people: people as number }));
    },
  };
}

/**
 * Counts the rows of a task that were written. Rows are never removed, so that at least as many must be found by a later
 * reading.
 */
async function countWritten(database: SqlDatabase, table: string, task: string): Promise<number> {
  const [row] = await database.all(`SELECT ${table} FROM review_totals WHERE task = ?`, [task]);
  return (row?.[0] as number | undefined) ?? 0;
}

function rowsMissing({ address }: SqlDatabase, what: string, task: string): TouchstoneError {
  const of = task === '' ? '' : ` of the review task ${task}`;
  return storeDamaged(address, `${what}${of} are missing`);
}

type LabelMethods = 'readLabels' | 'readMarks' | 'countLabels' | 'readWholeLabels';

function labelMethods(database: SqlDatabase): Pick<ReviewStore, LabelMethods> {
  /** Yields the rows of labels in the order in which they were given, some at a time. */
  async function* readRows(choice: LabelChoice): AsyncGenerator<SqlRow> {
    const { rules, values } = conditionsOf(choice);
    for (let last: SqlRow = ['', '']; ; ) {
      const where = [...rules, '(given_at, id) > (?, ?)'].join(' AND ');
      const sql = `SELECT ${labelTable.selected}, given_at, id FROM labels WHERE ${where}
        ORDER BY given_at, id LIMIT ${batchSize}`;
      const rows = await database.all(sql, [...values, ...last]);
      yield* rows;
      if (rows.length < batchSize) return;
      last = (rows.at(-1) as SqlRow).slice(-2);
    }
  }
  return {
    readLabels: async function* (choice = {}) {
      const { task, ...others } = choice;
      const isOfTask = task !== undefined && Object.values(others).every((each) => each === undefined);
      const written = isOfTask ? await countWritten(database, 'labels', task ?? '') : 0;
      let found = 0;
      for await (const row of readRows(choice)) {
        found += 1;
        yield recordIn<Label>(database, labelTable, row);
      }
      if (found < written) throw rowsMissing(database, 'labels', task ?? '');
    },
    readMarks: async (taskId) => await readMarks(database, 'task = ?', [taskId]),
    countLabels: async (choice = {}) => {
      const { rules, values } = conditionsOf(choice);
      const where = rules.length === 0 ? '' : `WHERE ${rules.join(' AND ')}`;
      const [row] = await database.all(`SELECT count(*) FROM labels ${where}`, values);
      return Number(row?.[0]);
    },
    readWholeLabels: async function* (onLost) {
      const totals = await database.all('SELECT sum(labels) FROM review_totals');
      let found = 0;
      for await (const row of readRows({})) {
        found += 1;
        const label = readOrLose(database, row, onLost);
        if (label !== undefined) yield label;
      }
      const written = Number(totals[0]?.[0] ?? 0);
      if (found < written) onLost(`${written - found} of ${written} labels, which are missing`);
    },
  };
}

function readOrLose(database: SqlDatabase, row: SqlRow, onLost: (what: string) => void): Label | undefined {
  try {
    return recordIn<Label>(database, labelTable, row);
  } catch {
    const [id, , item, rubric, , person] = row;
    onLost(`label ${String(id)} of ${String(person)} by ${String(rubric)}, item ${Number(item) + 1}`);
    return undefined;
  }
}

function conditionsOf({ task, rubric, run, answerHash }: LabelChoice) {
  const all: readonly (readonly [rule: string, value: string | undefined])[] = [
    ['task = ?', task === null ? '' : task],
    ['rubric = ?', rubric],
    ['run_id = ?', run],
    ['answer_hash = ?', answerHash],
  ];
  const given = all.filter(([, value]) => value !== undefined);
  return { rules: given.map(([rule]) => rule), values: given.map(([, value]) => value ?? null) };
}
