import { parseJson } from '../../../core/lib/json/parse-json.ts';
import {
  compareSpans,
  type StoredSpan,
  type StoredTrace,
  type TraceHead,
} from '../../../core/schema/trace/stored-trace.ts';
import { storeDamaged } from '../../refusals.ts';
import {
  type AddedSpans,
  joinHead,
  type Joining,
  refuseSpan,
  type SpanRefusal,
  type TraceChoice,
  type TraceLimits,
  type TraceStore,
} from '../../traces/trace-store.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from '../database.ts';
import { insertRows, readRow, toValue } from '../rows.ts';
import { spanRow, spanTable } from './trace-tables.ts';

/** Creates the part of a store for traces, on a database with the tables of `trace-tables.ts`. */
export function createSqlTraces(database: SqlDatabase): TraceStore {
  return {
    add: async (spans, joining) =>
      await database.transaction((session) => addAll(session, spans, { joining, database }), 'traces'),
    find: async (traceId) => await findOne(database, traceId),
    list: async (choice = {}) => await list(database, choice),
    count: async () => Number((await database.all('SELECT count(*) FROM traces'))[0]?.[0]),
    erase: async (ids, now) => {
      const erased = await database.transaction((session) => eraseAll(session, ids, now), 'traces');
      if (erased.length > 0) await database.shrink();
      return erased;
    },
    trim: async (limits) => {
      const removed = await database.transaction((session) => trim(session, limits), 'traces');
      if (removed > 0) await database.shrink();
      return removed;
    },
  };
}

const columnNames = [
  'id',
  'conversation',
  'user_key',
  'user_hash',
  'started_at',
  'received_at',
  'open_until',
  'spans',
] as const;
const columns = columnNames.join(', ');
const qualified = columnNames.map((name) => `traces.${name}`).join(', ');

const upsertHead = `INSERT INTO traces (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET conversation = excluded.conversation, user_key = excluded.user_key,
    user_hash = excluded.user_hash, started_at = excluded.started_at, open_until = excluded.open_until,
    spans = excluded.spans`;

function headIn([
  id,
  conversation,
  userKey,
  userHash,
  startedAt,
  receivedAt,
  openUntil,
  spans,
]: SqlRow): TraceHead {
  return {
    traceId: id as string,
    conversation: conversation as string | null,
    user: userHash === null ? null : { key: userKey as string, hash: userHash as string },
    startedAt: startedAt as string | null,
    receivedAt: receivedAt as string,
    openUntil: openUntil as string,
    spans: spans as number,
  };
}

function rowOf({
  traceId,
  conversation,
  user,
  startedAt,
  receivedAt,
  openUntil,
  spans,
}: TraceHead): SqlValue[] {
  const texts = [conversation, user?.key ?? null, user?.hash ?? null];
  return [traceId, ...texts.map((text) => toValue(text)), startedAt, receivedAt, openUntil, spans];
}

async function addAll(
  session: SqlSession,
  spans: readonly StoredSpan[],
  { joining, database }: { readonly joining: Joining; readonly database: SqlDatabase },
): Promise<AddedSpans> {
  let [added, known] = [0, 0];
  const refused: Record<SpanRefusal, number> = { late: 0, erased: 0, 'trace-too-large': 0 };
  const touched: string[] = [];
  for (const [traceId, own] of Map.groupBy(spans, (span) => span.traceId)) {
    const [row] = await session.all(`SELECT ${columns} FROM traces WHERE id = ?`, [traceId]);
    const [erasedRow] = await session.all('SELECT 1 FROM erased_traces WHERE id = ?', [traceId]);
    const before = row && headIn(row);
    let head = before;
    const stored = before === undefined ? new Set<string>() : await findKnown(session, own, database);
    const fresh: StoredSpan[] = [];
    for (const span of own) {
      const isKnown = stored.has(span.spanId);
      const refusal = erasedRow === undefined ? refuseSpan(head, joining) : 'erased';
      if (isKnown) known += 1;
      else if (refusal !== undefined) refused[refusal] += 1;
      else {
        fresh.push(span);
        stored.add(span.spanId);
        head = joinHead(head, span, joining);
      }
    }
    if (head === undefined || head === before) continue;
    await insertRows(session, spanTable, fresh.map(spanRow));
    added += fresh.length;
    await session.run(upsertHead, rowOf(head));
    touched.push(traceId);
  }
  return { added, known, refused, traces: touched };
}

/** Returns the ids of those of the spans of a trace that are stored. */
async function findKnown(
  session: SqlSession,
  spans: readonly StoredSpan[],
  { dialect }: Pick<SqlDatabase, 'dialect'>,
): Promise<Set<string>> {
  const sql = `SELECT id FROM spans WHERE trace = ? AND id IN (SELECT item FROM ${dialect.textsIn('?')})`;
  const ids = JSON.stringify(spans.map(({ spanId }) => spanId));
  const rows = await session.all(sql, [spans[0]?.traceId ?? '', ids]);
  return new Set(rows.map(([id]) => id as string));
}

/** Reads a trace in one statement, so that one which is being removed is read as a whole or not at all. */
async function findOne(database: SqlDatabase, traceId: string): Promise<StoredTrace | undefined> {
  const { address } = database;
  const rows = await database.all(
    `SELECT ${qualified}, ${spanTable.selected} FROM traces LEFT JOIN spans ON spans.trace = traces.id
      WHERE traces.id = ?`,
    [traceId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const head = headIn(first);
  const from = columnNames.length;
  const found = rows.filter((row) => row[from] !== null);
  const missing = head.spans - found.length;
  if (missing > 0)
    throw storeDamaged(address, `${missing} of ${head.spans} spans of the trace ${traceId} are missing`);
  const spans = found.map((row) => parseJson(readRow(spanTable, row, { address, from }).text) as StoredSpan);
  return { head, spans: spans.sort(compareSpans) };
}

async function list(
  database: SqlDatabase,
  { limit, conversation, user, idPrefix }: TraceChoice,
): Promise<TraceHead[]> {
  const conditions: readonly (readonly [string, string | undefined])[] = [
    ['conversation = ?', conversation],
    ['user_hash = ?', user],
    ['substr(id, 1, length(?)) = ?', idPrefix],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([rule]) => rule).join(' AND ')}`;
  const values = given.flatMap(([rule, value]) => (rule.startsWith('substr') ? [value, value] : [value]));
  const rows = await database.all(
    `SELECT ${columns} FROM traces ${where} ORDER BY received_at DESC, id DESC LIMIT ?`,
    [...values.map((value) => toValue(value)), limit ?? Number.MAX_SAFE_INTEGER],
  );
  return rows.map(headIn);
}

async function eraseAll(session: SqlSession, ids: readonly string[], now: string): Promise<string[]> {
  const erased: string[] = [];
  for (const id of new Set(ids)) {
    await session.run('INSERT INTO erased_traces (id, erased_at) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      id,
      now,
    ]);
    if (await removeOne(session, id)) erased.push(id);
  }
  return erased;
}

async function trim(
  session: SqlSession,
  { receivedSince, most, atOnce = Number.MAX_SAFE_INTEGER }: TraceLimits,
): Promise<number> {
  const rows = await session.all(
    `SELECT id, spans FROM traces WHERE received_at < ? OR id IN
      (SELECT id FROM traces ORDER BY received_at DESC, id DESC LIMIT ? OFFSET ?) LIMIT ?`,
    [receivedSince, Number.MAX_SAFE_INTEGER, most, atOnce],
  );
  let [left, removed] = [atOnce, 0];
  for (const [id, spans] of rows) {
    left -= Number(spans);
    if (left < 0 && removed > 0) break;
    await removeOne(session, id as string);
    removed += 1;
  }
  return removed;
}

async function removeOne(session: SqlSession, id: string): Promise<boolean> {
  await session.run('DELETE FROM spans WHERE trace = ?', [id]);
  await session.run('DELETE FROM feedback_traces WHERE trace = ?', [id]);
  return (await session.run('DELETE FROM traces WHERE id = ?', [id])) > 0;
}
