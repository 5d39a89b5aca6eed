import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type {
  DocumentChange,
  DocumentQuery,
  DocumentReader,
  DocumentStore,
} from '../../documents/document-store.ts';
import { type AnyKind, type Columns, keyColumns, nounOf } from '../../documents/kind.ts';
import type { SqlDatabase, SqlInput, SqlRow, SqlSession, SqlValue } from '../database.ts';
import { insertRows, readRow, toRow, toValue, upsertRows } from '../rows.ts';
import { kinds } from '../../kinds/kinds.ts';
import { storeDamaged } from '../../refusals.ts';
import { tableOf } from './document-tables.ts';

/** A query of documents of any kind. */
type Query = DocumentQuery<Columns>;

/** The number of removed documents from which a database gives space back. */
const manyDocuments = 100;

type Reading = Pick<SqlSession, 'all'>;

/** Creates the part of a store for documents, on a database with the tables of `document-tables.ts`. */
export function createSqlDocuments(database: SqlDatabase): DocumentStore {
  return {
    ...createReader(database, database),
    list: (kind, query, onLost) => listDocuments(database, kind, { query, onLost }) as never,
    count: async (kind, query) => {
      const { rules, values } = conditionsOf(database, query);
      const [row] = await database.all(`SELECT count(*) FROM ${kind.table}${whereOf(rules)}`, values);
      return Number(row?.[0]);
    },
    change: async (kinds, work) => {
      let removed = 0;
      const result = await database.transaction(async (session) => {
        const change = createChange(database, session, kinds);
        const made = await work(change);
        removed = change.removed();
        return made;
      }, kinds.map(({ name }) => name).toSorted());
      if (removed >= manyDocuments) await database.shrink();
      return result;
    },
  };
}

function createReader(database: Pick<SqlDatabase, 'address' | 'dialect'>, session: Reading): DocumentReader {
  return {
    get: async (kind, key) => {
      const table = tableOf(kind);
      const sql = `SELECT ${table.selected} FROM ${kind.table}${whereOf(keyColumns(kind).map((name) => `${name} = ?`))}`;
      const [row] = await session.all(sql, key.map(toValue));
      return row && parseJson(readRow(table, row, database).text);
    },
    heads: async (kind, names, query) => {
      const { limit = Number.MAX_SAFE_INTEGER, skip = 0 } = query ?? {};
      const { rules, values } = conditionsOf(database, query);
      const sql = `SELECT ${names.join(', ')} FROM ${kind.table}${whereOf(rules)} ORDER BY ${orderOf(kind)} LIMIT ? OFFSET ?`;
      const rows = await session.all(sql, [...values, limit, skip]);
      return rows.map((row) => named(names, row)) as never;
    },
  };
}

function createChange(
  database: SqlDatabase,
  session: SqlSession,
  kinds: readonly AnyKind[],
): DocumentChange & { removed(): number } {
  let removed = 0;
  const requireKind = (kind: AnyKind) => {
    if (!kinds.includes(kind)) throw new Error(`The change does not name the kind ${kind.name}.`);
  };
  return {
    ...createReader(database, session),
    add: async (kind, documents) => {
      requireKind(kind);
      const rows = documents.map((document) => documentRow(kind, document));
      const known = await insertRows(session, tableOf(kind), rows);
      return documents.filter((_, index) => known.has(rows[index] as SqlInput[]));
    },
    put: async (kind, documents) => {
      requireKind(kind);
      const rows = documents.map((document) => documentRow(kind, document));
      await upsertRows(session, tableOf(kind), rows);
    },
    remove: async (kind, query) => {
      requireKind(kind);
      const { rules, values } = conditionsOf(database, query);
      const key = keyColumns(kind).join(', ');
      const chosen = `SELECT ${key} FROM ${kind.table}${whereOf(rules)} ORDER BY ${orderOf(kind)} LIMIT ? OFFSET ?`;
      const { limit, skip = 0 } = query;
      const count =
        limit === undefined && skip === 0
          ? await session.run(`DELETE FROM ${kind.table}${whereOf(rules)}`, values)
          : await session.run(`DELETE FROM ${kind.table} WHERE (${key}) IN (${chosen})`, [
              ...values,
              limit ?? Number.MAX_SAFE_INTEGER,
              skip,
            ]);
      removed += count;
      return count;
    },
    removed: () => removed,
  };
}

/** Removes the documents that belong to a run: all, or at most so many. Returns their number. */
export async function removeDocumentsOf(
  session: SqlSession,
  runId: string,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let removed = 0;
  for (const kind of kinds) {
    if (kind.ofRun === undefined || removed >= most) continue;
    const key = keyColumns(kind).join(', ');
    removed += await session.run(
      `DELETE FROM ${kind.table} WHERE (${key}) IN (SELECT ${key} FROM ${kind.table} WHERE ${kind.ofRun} = ? LIMIT ?)`,
      [toValue(runId), most - removed],
    );
  }
  return removed;
}

/** Returns the row of a document. */
export function documentRow(kind: AnyKind, document: unknown): SqlInput[] {
  const values = kind.columnsOf(document);
  return toRow(
    Object.keys(kind.columns).map((name) => values[name]),
    document,
  );
}

/** The number of documents that are read at a time. */
const batchSize = 500;

/** The documents to read, and the receiver of descriptions of what is lost; the error is thrown where there is none. */
interface Listing {
  readonly query?: Query;
  readonly onLost?: (what: string) => void;
}

/** Yields documents in the order of their kind. Throws `store-damaged` where some are missing of what is read completely. */
async function* listDocuments(
  database: SqlDatabase,
  kind: AnyKind,
  { query = {}, onLost }: Listing,
): AsyncGenerator {
  const part = partOf(kind, query);
  const before = part === undefined ? undefined : await readTotal(database, kind, part);
  let found = 0;
  for await (const rows of readBatches(database, kind, query)) {
    found += rows.length;
    for (const row of rows) {
      const document = readOne(database, kind, { row, onLost });
      if (document !== undefined) yield document;
    }
  }
  if (part === undefined || before === undefined || found >= before.number) return;
  // Documents that were removed in the meantime are not lost.
  const { removed } = await readTotal(database, kind, part);
  const missing = before.number - found - (removed - before.removed);
  if (missing <= 0) return;
  const of = part === null || part === '' ? '' : ` (${kind.part} ${part})`;
  const what = `${missing} of ${before.number} rows of the table ${kind.table}${of} are missing`;
  if (onLost === undefined) throw storeDamaged(database.address, what);
  onLost(what);
}

/** Yields the rows of a query, some at a time. */
async function* readBatches(database: SqlDatabase, kind: AnyKind, query: Query): AsyncGenerator<SqlRow[]> {
  const table = tableOf(kind);
  const { rules, values } = conditionsOf(database, query);
  // What has one value alone need not be compared: the index then leads to the next row.
  const order = kind.order.filter((name) => !isOne(query.where?.[name]));
  const after = `(${order.join(', ')}) ${kind.isNewestFirst === true ? '<' : '>'} (${order.map(() => '?').join(', ')})`;
  let [left, skip] = [query.limit ?? Number.MAX_SAFE_INTEGER, query.skip ?? 0];
  for (let last: SqlValue[] | undefined; left > 0; skip = 0) {
    const size = Math.min(batchSize, left);
    const where = whereOf(last === undefined ? rules : [...rules, after]);
    const sql = `SELECT ${table.selected} FROM ${kind.table}${where} ORDER BY ${orderOf(kind)} LIMIT ? OFFSET ?`;
    const rows = await database.all(sql, [...values, ...(last ?? []), size, skip]);
    yield rows;
    if (rows.length < size) return;
    left -= rows.length;
    const end = named(table.columns, rows.at(-1) as SqlRow);
    last = order.map((name) => end[name] ?? null);
  }
}

/** Returns whether a condition of `where` leaves one value. */
function isOne(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function readOne(
  database: SqlDatabase,
  kind: AnyKind,
  { row, onLost }: { readonly row: SqlRow } & Pick<Listing, 'onLost'>,
): unknown {
  const table = tableOf(kind);
  try {
    return parseJson(readRow(table, row, database).text);
  } catch (error) {
    if (onLost === undefined) throw error;
    const columns = named(table.columns, row) as never;
    const key = row.slice(0, kind.keyLength).join(' ');
    onLost(kind.describe?.(columns) ?? `${nounOf(kind)} ${key}`);
    return undefined;
  }
}

/**
 * Returns the part of a kind that a query reads completely, null for all of it; undefined where it leaves documents out, and no loss
 * can be noticed.
 */
function partOf(kind: AnyKind, { where = {}, ...others }: Query): string | null | undefined {
  if (Object.values(others).some((each) => each !== undefined)) return undefined;
  const [name, ...more] = Object.keys(where).filter((each) => where[each] !== undefined);
  if (name === undefined) return null;
  return more.length === 0 && name === kind.part && isOne(where[name]) ? String(where[name]) : undefined;
}

/** The number of documents that there must be, and of those that were removed. */
interface Total {
  readonly number: number;
  readonly removed: number;
}

async function readTotal(
  database: Pick<SqlSession, 'all'>,
  kind: AnyKind,
  part: string | null,
): Promise<Total> {
  const sql = `SELECT coalesce(sum(number), 0), coalesce(sum(removed), 0) FROM document_totals WHERE kind = ?`;
  const [[number, removed] = []] =
    part === null
      ? await database.all(sql, [kind.name])
      : await database.all(`${sql} AND part = ?`, [kind.name, toValue(part)]);
  return { number: Number(number), removed: Number(removed) };
}

/** Returns the conditions of a query with their values. */
function conditionsOf(
  { dialect }: Pick<SqlDatabase, 'dialect'>,
  { where = {}, from = {}, below = {} }: Query = {},
): { readonly rules: string[]; readonly values: SqlValue[] } {
  const [rules, values]: [string[], SqlValue[]] = [[], []];
  const add = (rule: string, ...given: SqlValue[]) => {
    rules.push(rule);
    values.push(...given.map(toValue));
  };
  for (const [name, value] of Object.entries(where)) {
    if (value === null) add(`${name} IS NULL`);
    else if (typeof value === 'object')
      add(`${name} IN (SELECT item FROM ${dialect.textsIn('?')})`, JSON.stringify(value.map(toValue)));
    else if (value !== undefined) add(`${name} = ?`, value);
  }
  for (const [name, value] of Object.entries(from)) if (value !== undefined) add(`${name} >= ?`, value);
  for (const [name, value] of Object.entries(below)) if (value !== undefined) add(`${name} < ?`, value);
  return { rules, values };
}

/** Returns the `WHERE` clause of conditions; none where there are none. */
function whereOf(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` WHERE ${rules.join(' AND ')}`;
}

/** Returns the columns of an `ORDER BY` clause for the order of a kind. */
function orderOf({ order, isNewestFirst = false }: AnyKind): string {
  return order.map((name) => (isNewestFirst ? `${name} DESC` : name)).join(', ');
}

/** Returns an object of values by their names. */
function named(names: readonly string[], row: SqlRow): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  for (const [index, name] of names.entries()) values[name] = row[index] ?? null;
  return values;
}
