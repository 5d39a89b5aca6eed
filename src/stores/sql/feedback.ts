import { randomBytes } from 'node:crypto';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Feedback, FeedbackMatch } from '../../core/schema/feedback/feedback.ts';
import {
  type AnswerAtHand,
  answerQueryOf,
  chooseAnswer,
  chooseTurn,
  isSameFeedback,
  traceQueryOf,
  waitsUntil,
} from '../feedback/choose-answer.ts';
import type { AddedFeedback, FeedbackStore, KeptFeedback } from '../feedback/feedback-store.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase, SqlRow, SqlSession } from './database.ts';
import { feedbackMatchRow, feedbackMatchTable, feedbackRow, feedbackTable } from './feedback-tables.ts';
import { readRow, toValue } from './rows.ts';

/** The number of rows that are read, and of waiting records that are matched, at a time. */
const batchSize = 500;

/** Creates the part of a store for feedback, on a database with the tables of `feedback-tables.ts`. */
export function createSqlFeedback(database: SqlDatabase): FeedbackStore {
  return {
    add: async (records) =>
      await database.transaction((session) => addAll(database, session, records), 'feedback'),
    match: async (now) => await matchAgain(database, now),
    read: async function* (onLost) {
      yield* readAll(database, onLost);
    },
    readOfTrace: async (traceId) => {
      const sql = `SELECT ${feedbackTable.selected} FROM feedback_traces JOIN feedback ON feedback.id = feedback_traces.feedback
        WHERE feedback_traces.trace = ? ORDER BY feedback.given_at, feedback.id`;
      const rows = await database.all(sql, [toValue(traceId)]);
      return rows.map((row) => parseJson(readRow(feedbackTable, row, database).text) as Feedback);
    },
    count: async () => {
      const [row = []] = await database.all(countRecords);
      const [all = 0, matched = 0, waiting = 0] = row.map(Number);
      return { all, matched, waiting, unmatched: all - matched - waiting };
    },
    trim: async (before, most) =>
      await database.transaction(async (session) => {
        const old = 'SELECT id FROM feedback WHERE received_at < ? ORDER BY received_at, id LIMIT ?';
        const ids = JSON.stringify((await session.all(old, [before, most])).map(([id]) => id));
        const listed = `IN (SELECT item FROM ${database.dialect.textsIn('?')})`;
        for (const table of ['feedback_matches', 'feedback_traces', 'feedback_waiting'])
          await session.run(`DELETE FROM ${table} WHERE feedback ${listed}`, [ids]);
        return await session.run(`DELETE FROM feedback WHERE id ${listed}`, [ids]);
      }, 'feedback'),
    readUserKey: async () => {
      const [kept] = await database.all('SELECT id, secret FROM feedback_keys');
      if (kept !== undefined) return { id: kept[0] as string, secret: kept[1] as string };
      return await database.transaction(async (session) => {
        const fresh = { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('hex') };
        // Another process may have made one since.
        await session.run(
          'INSERT INTO feedback_keys (id, secret) SELECT CAST(? AS TEXT), CAST(? AS TEXT) WHERE NOT EXISTS (SELECT 1 FROM feedback_keys)',
          [fresh.id, fresh.secret],
        );
        const [row = []] = await session.all('SELECT id, secret FROM feedback_keys');
        return { id: row[0] as string, secret: row[1] as string };
      }, 'feedback');
    },
    eraseUserKey: async () => {
      await database.transaction((session) => session.run('DELETE FROM feedback_keys'), 'feedback');
      await database.shrink();
    },
  };
}

const isWithTrace = 'feedback IN (SELECT feedback FROM feedback_traces)';

const countRecords = `SELECT (SELECT count(*) FROM feedback),
  (SELECT count(*) FROM feedback_matches WHERE NOT ${isWithTrace}) + (SELECT count(*) FROM feedback_traces),
  (SELECT count(*) FROM feedback_waiting WHERE NOT ${isWithTrace})`;

async function addAll(
  database: SqlDatabase,
  session: SqlSession,
  records: readonly Feedback[],
): Promise<AddedFeedback> {
  let [added, known, matched] = [0, 0, 0];
  const conflicts: string[] = [];
  for (const record of records) {
    if ((await session.run(feedbackTable.insert, feedbackRow(record))) > 0) {
      added += 1;
      const isAnswered = await matchOne(database, session, record);
      if (!isAnswered) {
        const waiting = 'INSERT INTO feedback_waiting (feedback, until) VALUES (?, ?)';
        await session.run(waiting, [record.id, waitsUntil(record)]);
      }
      matched += Number((await matchTrace(session, record)) || isAnswered);
    } else if (isSameFeedback(await readOne(database, session, record.id), record)) known += 1;
    else conflicts.push(record.id);
  }
  return { added, known, conflicts, matched };
}

async function readOne(
  { address }: SqlDatabase,
  session: Pick<SqlSession, 'all'>,
  id: string,
): Promise<Feedback> {
  const [row] = await session.all(`SELECT ${feedbackTable.selected} FROM feedback WHERE id = ?`, [id]);
  if (row === undefined) throw storeDamaged(address, `the feedback ${id} is missing`);
  return parseJson(readRow(feedbackTable, row, { address }).text) as Feedback;
}

/** Stores the match of a feedback. Returns whether there is one. */
async function matchOne(database: SqlDatabase, session: SqlSession, feedback: Feedback): Promise<boolean> {
  const found = chooseAnswer(feedback, await findAnswers(database, session, feedback));
  if (found === undefined) return false;
  await session.run(feedbackMatchTable.upsert, feedbackMatchRow(found));
  return true;
}

/** Finds the answers that a feedback may be about, of the newest run first: three runs are enough to choose from. */
async function findAnswers(
  { dialect }: SqlDatabase,
  session: SqlSession,
  { subject }: Feedback,
): Promise<AnswerAtHand[]> {
  const { trialKey, caseId, run, target, attempt } = answerQueryOf(subject);
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['trials.key = ?', trialKey],
    ['cases.id = ?', caseId],
    ['runs.id = ?', run],
    ['trials.target = ?', target],
    ['trials.attempt = ?', attempt],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const values = given.map(([, value]) => toValue(value));
  const from =
    trialKey === undefined
      ? `cases ${dialect.joinInOrder} trials ON trials.run = cases.run AND trials.position = cases.position`
      : `trials ${dialect.joinInOrder} cases ON cases.run = trials.run AND cases.position = trials.position`;
  const rows = await session.all(
    `SELECT runs.id, runs.created_at, trials.ordinal, trials.key, cases.id, cases.category, trials.target,
        trials.started_at
      FROM ${from} JOIN runs ON runs.trials_of = trials.run
      WHERE ${given.map(([rule]) => rule).join(' AND ')}
      ORDER BY runs.listed_at DESC, runs.id DESC, trials.ordinal`,
    values,
  );
  return rows.map(answerIn);
}

function answerIn([run, createdAt, ordinal, key, caseId, category, target, startedAt]: SqlRow): AnswerAtHand {
  return {
    run: run as string,
    runCreatedAt: createdAt as string,
    ordinal: ordinal as number,
    trialKey: key as string,
    caseId: caseId as string,
    category: (category as string | null | undefined) ?? null,
    target: target as string,
    answeredAt: startedAt as string,
  };
}

/** Looks again for the answers of all waiting feedback, some at a time, each batch in its own transaction. */
async function matchAgain(database: SqlDatabase, now: string): Promise<number> {
  let matched = 0;
  for (let last = ''; ; ) {
    const sql = `SELECT feedback, until FROM feedback_waiting WHERE feedback > ? ORDER BY feedback LIMIT ${batchSize}`;
    const rows = await database.all(sql, [last]);
    if (rows.length === 0) return matched;
    matched += await database.transaction(async (session) => {
      let found = 0;
      for (const [id, until] of rows) {
        const record = await readOne(database, session, id as string);
        const isAnswered = await matchOne(database, session, record);
        found += Number((await matchTrace(session, record)) || isAnswered);
        if (isAnswered || (until as string) < now)
          await session.run('DELETE FROM feedback_waiting WHERE feedback = ?', [id as string]);
      }
      return found;
    }, 'feedback');
    last = rows.at(-1)?.[0] as string;
  }
}

async function* readAll(
  database: SqlDatabase,
  onLost: ((what: string) => void) | undefined,
): AsyncGenerator<KeptFeedback> {
  const [total] = await database.all("SELECT number FROM feedback_totals WHERE name = 'feedback'");
  const written = Number(total?.[0] ?? 0);
  let found = 0;
  for (let last: SqlRow = ['', '']; ; ) {
    const sql = `SELECT ${feedbackTable.selected}, ${feedbackMatchTable.selected}, feedback_traces.trace FROM feedback
      LEFT JOIN feedback_matches ON feedback_matches.feedback = feedback.id
      LEFT JOIN feedback_traces ON feedback_traces.feedback = feedback.id
      WHERE (feedback.given_at, feedback.id) > (?, ?) ORDER BY feedback.given_at, feedback.id LIMIT ${batchSize}`;
    const rows = await database.all(sql, last);
    for (const row of rows) {
      found += 1;
      const kept = readKept(database, row, onLost);
      if (kept !== undefined) yield kept;
    }
    if (rows.length < batchSize) break;
    const [id, givenAt] = rows.at(-1) as SqlRow;
    last = [givenAt as string, id as string];
  }
  if (found >= written) return;
  const what = `${written - found} of ${written} records of feedback are missing`;
  if (onLost === undefined) throw storeDamaged(database.address, what);
  onLost(what);
}

function readKept(
  { address }: SqlDatabase,
  row: SqlRow,
  onLost: ((what: string) => void) | undefined,
): KeptFeedback | undefined {
  try {
    const feedback = parseJson(readRow(feedbackTable, row, { address }).text) as Feedback;
    const from = feedbackTable.columns.length + 2;
    const isMatched = row[from] !== null;
    const match = isMatched
      ? (parseJson(readRow(feedbackMatchTable, row, { address, from }).text) as FeedbackMatch)
      : null;
    const trace = row.at(-1) as string | null | undefined;
    return { feedback, match, ...(typeof trace === 'string' && { trace }) };
  } catch (error) {
    if (onLost === undefined) throw error;
    onLost(`feedback ${String(row[0])} of ${String(row[1])}`);
    return undefined;
  }
}

/** Looks for the trace that a feedback is about, and stores it. Returns whether it was found now. */
async function matchTrace(
  session: SqlSession,
  { id, subject }: Pick<Feedback, 'id' | 'subject'>,
): Promise<boolean> {
  const trace = await findTrace(session, subject);
  if (trace === undefined) return false;
  const sql = 'INSERT INTO feedback_traces (feedback, trace) VALUES (?, ?) ON CONFLICT DO NOTHING';
  return (await session.run(sql, [id, trace])) > 0;
}

async function findTrace(session: SqlSession, subject: Feedback['subject']): Promise<string | undefined> {
  const query = traceQueryOf(subject);
  if (query === undefined) return undefined;
  if ('traceId' in query) {
    const [row] = await session.all('SELECT id FROM traces WHERE id = ?', [toValue(query.traceId)]);
    return row?.[0] as string | undefined;
  }
  const sql = "SELECT id FROM traces WHERE conversation = ? ORDER BY coalesce(started_at, ''), id";
  const rows = await session.all(sql, [toValue(query.conversation)]);
  return chooseTurn(
    rows.map(([id]) => id as string),
    query.turn,
  );
}
