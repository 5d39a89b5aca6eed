import type { Reservation } from '../../schema/review/review-task.ts';
import { type ItemAtHand, refuseLabel } from '../reviews/admit.ts';
import { itemNotFound, requireAdmission } from '../reviews/refusals.ts';
import type { ReservationRequest, ReviewStore, Submission } from '../reviews/review-store.ts';
import type { SqlDatabase, SqlRow, SqlSession } from './database.ts';
import { addRecords, readMarks, requireTask } from './review-records.ts';

type WorkMethods = 'reserve' | 'readReservations' | 'release' | 'submit';

const takeItem = `INSERT INTO reservations (task, item, person, purpose, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (task, item) DO UPDATE SET person = excluded.person, purpose = excluded.purpose, until = excluded.until`;

/** Creates the methods by which people take items and give labels; each is one transaction. */
export function workMethods(database: SqlDatabase): Pick<ReviewStore, WorkMethods> {
  return {
    reserve: async (request) => await database.transaction((session) => reserve(session, request)),
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
      }),
    submit: async (submission) =>
      await database.transaction((session) => submit(database, session, submission)),
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
