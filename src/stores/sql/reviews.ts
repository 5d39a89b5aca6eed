import type { TouchstoneError } from '../../core/errors.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Label } from '../../core/schema/review/label.ts';
import type { Reservation, ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric, RubricEquivalence } from '../../core/schema/review/rubric.ts';
import { storeDamaged } from '../refusals.ts';
import { type ItemAtHand, refuseLabel } from '../reviews/admit.ts';
import { itemNotFound, requireAdmission } from '../reviews/refusals.ts';
import type { LabelChoice, ReservationRequest, ReviewStore, Submission } from '../reviews/review-store.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from './database.ts';
import { addRecords, readMarks, requireTask, textIn } from './review-records.ts';
import {
  equivalenceTable,
  itemTable,
  labelTable,
  rubricRow,
  rubricTable,
  taskRow,
  taskTable,
} from './review-tables.ts';
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
    return rows.map((row): Each => parseJson(textIn(database, table, row)));
  };
  return {
    add: async (records) =>
      await database.transaction((session) => addRecords(database, session, records), 'reviews'),
    updateRubric: async (rubric) =>
      await database.transaction(async (session) => {
        await session.run(rubricTable.upsert, rubricRow(rubric));
      }),
    updateTask: async (task) =>
      await database.transaction(async (session) => {
        await requireTask(session, task.id);
        await session.run(taskTable.upsert, taskRow(task));
      }, 'reviews'),
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
        yield parseJson(textIn(database, labelTable, row));
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
    return parseJson(textIn(database, labelTable, row));
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

type WorkMethods = 'reserve' | 'readReservations' | 'release' | 'submit';

const takeItem = `INSERT INTO reservations (task, item, person, purpose, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (task, item) DO UPDATE SET person = excluded.person, purpose = excluded.purpose, until = excluded.until`;

function workMethods(database: SqlDatabase): Pick<ReviewStore, WorkMethods> {
  return {
    reserve: async (request) => await database.transaction((session) => reserve(session, request), 'reviews'),
    readReservations: async (taskId) => {
      const where = 'WHERE task = ? ORDER BY item';
      return (await database.all(`SELECT ${reservationColumns} FROM reservations ${where}`, [taskId])).map(
        reservationIn,
      );
    },
    release: async (taskId, person, items) =>
      await database.transaction(async (session) => {
        const sql = 'DELETE FROM reservations WHERE task = ? AND person = ?';
        if (items === undefined) await session.run(sql, [taskId, person]);
        else for (const item of items) await session.run(`${sql} AND item = ?`, [taskId, person, item]);
      }, 'reviews'),
    submit: async (submission) =>
      await database.transaction((session) => submit(database, session, submission), 'reviews'),
  };
}

async function reserve(session: SqlSession, request: ReservationRequest): Promise<Reservation[]> {
  const { task, person, wishes, count, now, until } = request;
  await requireTask(session, task);
  const reserved: Reservation[] = [];
  for (const { item, purpose } of wishes) {
    if (reserved.length === count) break;
    const atHand = await itemAtHand(session, task, item);
    if (refuseLabel(atHand, { person, purpose, now }) !== undefined) continue;
    await session.run(takeItem, [task, item, person, purpose, until]);
    reserved.push({ item, person, purpose, until });
  }
  return reserved;
}

async function submit(database: SqlDatabase, session: SqlSession, submission: Submission): Promise<void> {
  const { task, item, labels } = submission;
  let kept = 0;
  for (const { id } of labels) kept += (await session.all('SELECT 1 FROM labels WHERE id = ?', [id])).length;
  if (kept < labels.length) {
    requireAdmission(await itemAtHand(session, task, item), submission);
    await session.run('DELETE FROM reservations WHERE task = ? AND item = ?', [task, item]);
  }
  await addRecords(database, session, { labels });
}

const reservationColumns = 'item, person, purpose, until';

function reservationIn([item, person, purpose, until]: SqlRow): Reservation {
  return {
    item: item as number,
    person: person as string,
    purpose: purpose as Reservation['purpose'],
    until: until as string,
  };
}

async function itemAtHand(session: SqlSession, task: string, item: number): Promise<ItemAtHand> {
  const key = [task, item];
  const [row] = await session.all('SELECT people FROM review_items WHERE task = ? AND position = ?', key);
  if (row === undefined) {
    await requireTask(session, task);
    throw itemNotFound(task, item);
  }
  const held = `SELECT ${reservationColumns} FROM reservations WHERE task = ? AND item = ?`;
  const [reservation] = await session.all(held, key);
  return {
    people: row[0] as number,
    marks: await readMarks(session, 'task = ? AND item = ?', key),
    reservation: reservation && reservationIn(reservation),
  };
}
