import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { exactNumber } from '../../../core/lib/json/exact-number.ts';
import type { Json } from '../../../core/schema/json.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import type { Metric } from '../metric.ts';
import { compareRows } from './query/compare-rows.ts';
import { stateQuery } from './state-query.ts';

const tables: { [table: string]: Json } = {
  bookings: [
    { id: 1, who: 'Ann', minutes: 30, paid: true, tags: ['a'], note: null },
    { id: 2, who: 'Bob', minutes: 45, paid: false },
    { id: 3, who: 'Ann', minutes: 15.5, paid: true, big: 9007199254740991 },
  ],
  rooms: [{ id: 7, name: 'Blue "suite"' }],
  'odd "table"': [{ select: 1, 'a b': 'x' }],
};

const opened: Metric[] = [];
afterAll(async () => await Promise.all(opened.map(async (metric) => await metric.close?.())));

function create(options: object): Metric {
  const { definition } = stateQuery;
  const metric = definition.create(definition.options.parse(options), {});
  opened.push(metric);
  return metric;
}

const shared = new Map<string, Metric>();

async function score(options: object, state: Json = { tables }, expected?: Json) {
  const key = JSON.stringify(options);
  const metric = shared.get(key) ?? create(options);
  shared.set(key, metric);
  return await metric.score({
    case: buildCase({ expected: expected === undefined ? {} : { state: expected } }),
    trial: buildTrial('Done.', { state }),
  });
}

test.each<[string, Json, object, boolean]>([
  ['SELECT count(*) FROM bookings', 3, {}, true],
  ['SELECT count(*) FROM bookings', 2, {}, false],
  ['SELECT who FROM bookings', ['Ann', 'Ann', 'Bob'], {}, true],
  ['SELECT who FROM bookings', ['Ann', 'Bob'], {}, false],
  ['SELECT DISTINCT who FROM bookings', ['Bob', 'Ann'], {}, true],
  ['SELECT who FROM bookings ORDER BY id', ['Ann', 'Bob', 'Ann'], { ordered: true }, true],
  ['SELECT who FROM bookings ORDER BY id', ['Ann', 'Ann', 'Bob'], { ordered: true }, false],
  [
    'SELECT id, paid FROM bookings',
    [
      { id: 2, paid: false },
      { id: 1, paid: true },
      { id: 3, paid: true },
    ],
    {},
    true,
  ],
  [
    'SELECT id, paid FROM bookings',
    [
      [1, 1],
      [2, 0],
      [3, true],
    ],
    {},
    true,
  ],
  ['SELECT id, paid FROM bookings', [{ id: 2 }, { id: 1 }, { id: 3 }], {}, false],
  ['SELECT sum(minutes) FROM bookings', 90, {}, false],
  ['SELECT sum(minutes) FROM bookings', 90, { tolerance: 0.5 }, true],
  ['SELECT sum(minutes) FROM bookings', { $near: 90, $tolerance: 0.5 }, {}, true],
  ['SELECT minutes / 2 FROM bookings WHERE id = 2', 22, {}, true],
  [
    'SELECT who, minutes FROM bookings',
    [{ who: { $regex: '^A' }, minutes: { $any: true } }, ['Bob', 45], { who: 'Ann', minutes: 30 }],
    {},
    false,
  ],
  ['SELECT who FROM bookings', [{ $regex: '^.nn' }, 'Ann', { $oneOf: ['Bob', 'Cem'] }], {}, true],
  ['SELECT note FROM bookings', [null, null, null], {}, true],
  ["SELECT json_extract(tags, '$[0]') FROM bookings WHERE tags IS NOT NULL", ['a'], {}, true],
  ['SELECT name FROM rooms', ['Blue "suite"'], {}, true],
  ['SELECT "select", "a b" FROM "odd ""table"""', [{ select: 1, 'a b': 'x' }], {}, true],
  ['SELECT big FROM bookings WHERE big IS NOT NULL', 9007199254740991, {}, true],
  ['SELECT big * 1000 FROM bookings WHERE big IS NOT NULL', '9007199254740991000', {}, true],
  [
    'SELECT big * 1000 FROM bookings WHERE big IS NOT NULL',
    exactNumber('9007199254740991000') ?? null,
    {},
    true,
  ],
  [
    'SELECT big * 1000 + 1 FROM bookings WHERE big IS NOT NULL',
    exactNumber('9007199254740991000') ?? null,
    {},
    false,
  ],
  ['SELECT big * 1000 + 1 FROM bookings WHERE big IS NOT NULL', '9007199254740991000', {}, false],
  ['SELECT 1 WHERE 0', [], {}, true],
  ['SELECT 1 WHERE 0', 1, {}, false],
  ["-- who\nWITH ann AS (SELECT * FROM bookings WHERE who = 'Ann') SELECT id FROM ann", [1, 3], {}, true],
  ["VALUES (x'00ff')", ['AP8='], {}, true],
  ['SELECT id FROM cancelled', [], { columns: { cancelled: ['id'] } }, true],
  ['SELECT typeof(id) FROM bookings LIMIT 1', 'integer', {}, true],
  ['SELECT typeof(paid) FROM bookings LIMIT 1', 'integer', {}, true],
])('%s gives %j with %j: %s', async (sql, rows, options, passed) => {
  expect(await score({ sql, rows, ...options })).toMatchObject({
    status: 'scored',
    value: passed ? 1 : 0,
    passed,
  });
});

test('names missing and unexpected rows', async () => {
  const found = { status: 'scored', value: 0, passed: false };
  expect(
    await score({
      sql: 'SELECT id, who FROM bookings',
      rows: [
        { id: 1, who: 'Ann' },
        { id: 4, who: 'Cem' },
      ],
    }),
  ).toEqual({
    ...found,
    explanation:
      'the row {"id":4,"who":"Cem"} is missing; the row {"id":2,"who":"Bob"} was not expected; the row {"id":3,"who":"Ann"} was not expected',
    evidence: {
      rows: [
        [1, 'Ann'],
        [2, 'Bob'],
        [3, 'Ann'],
      ],
      count: 3,
    },
  });
  expect(
    await score({ sql: 'SELECT who FROM bookings ORDER BY id', rows: ['Ann', 'Cem'], ordered: true }),
  ).toMatchObject({
    explanation: 'the query returns 3 rows, not 2; row 2 is "Bob", not "Cem"',
  });
  expect(await score({ sql: 'SELECT id, who FROM bookings', rows: 3 })).toMatchObject({
    explanation: 'the query returns 2 columns, but one was expected',
  });
});

test('finds tables at a path, in `tables` or alone, and each case can have its own query and rows', async () => {
  const options = { sql: 'SELECT count(*) FROM rooms', rows: 1 };
  expect(await score(options, tables)).toMatchObject({ value: 1 });
  expect(await score({ ...options, at: 'world.db' }, { world: { db: tables } })).toMatchObject({ value: 1 });
  const expected = { query: 'SELECT who FROM bookings WHERE id = 2', rows: ['Bob'] };
  expect(await score({}, { tables }, expected)).toMatchObject({ value: 1 });
  expect(await score({}, { tables }, { query: expected.query })).toEqual({
    status: 'not-applicable',
    reason: 'the question has no expected.state.rows',
  });
  expect(await score({}, { tables })).toMatchObject({ status: 'not-applicable' });
});

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-query-'));
afterAll(() => rmSync(folder, { recursive: true }));

function databaseFile(name: string, sql: string): string {
  const file = path.join(folder, name);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return readFileSync(file).toString('base64');
}

test('queries a database file in base64 and leaves nothing of it on disk', async () => {
  const file = databaseFile(
    'state.db',
    "CREATE TABLE t (id INTEGER, word TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b')",
  );
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('touchstone-state-'));
  const options = { sql: 'SELECT word FROM t', rows: ['a', 'b'] };
  expect(await score(options, file)).toMatchObject({ value: 1 });
  expect(await score(options, { database: file })).toMatchObject({ value: 1 });
  expect(await score({ ...options, at: 'files.db' }, { files: { db: file } })).toMatchObject({ value: 1 });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('touchstone-state-'))).toEqual(before);
});

test.each<[string, object, Json | undefined, string]>([
  ['state-invalid', {}, 'aGVsbG8=', 'the text in the final state is not a SQLite database in base64'],
  ['state-invalid', {}, [1], 'the final state contains neither tables nor a database'],
  ['state-invalid', { at: 'db' }, {}, 'db of the final state contains neither'],
  ['state-invalid', {}, { tables: { t: [1] } }, 'the table t in the final state is not a list of objects'],
  ['state-invalid', {}, { tables: { t: [{ a: 1, A: 2 }] } }, 'duplicate column name: A'],
  [
    'state-invalid',
    {},
    Buffer.from(`SQLite format 3\0${'x'.repeat(5000)}`).toString('base64'),
    'not a database',
  ],
  ['query-failed', { sql: 'SELECT absent FROM bookings' }, { tables }, 'no such column: absent'],
  ['query-failed', { sql: 'SELECT * FROM sqlite_schema, pragma_table_list' }, { tables }, 'not authorized'],
  ['query-failed', { sql: 'WITH x AS (SELECT 1) DELETE FROM bookings' }, { tables }, 'not authorized'],
  ['query-failed', { sql: "SELECT load_extension('x')" }, { tables }, 'not authorized'],
])('%s is not measured: %j', async (code, options, state, reason) => {
  expect(await score({ sql: 'SELECT 1', rows: 1, ...options }, state)).toMatchObject({
    status: 'failed',
    code,
    reason: expect.stringContaining(reason),
  });
});

test('a state that was not reported is not measured', async () => {
  const metric = create({ sql: 'SELECT 1', rows: 1 });
  const verdict = await metric.score({ case: buildCase(), trial: buildTrial('x') });
  expect(verdict).toMatchObject({ status: 'failed', code: 'state-missing' });
});

test('accepts only queries', () => {
  const parse = (sql: string) => stateQuery.definition.options.safeParse({ sql }).error?.issues[0]?.message;
  expect(parse('DELETE FROM t')).toBe('a query begins with SELECT, WITH or VALUES');
  expect(parse('/* x */ -- y\n select 1')).toBeUndefined();
  expect(parse('ATTACH DATABASE "x" AS y')).toBe('a query begins with SELECT, WITH or VALUES');
});

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT';

test('stops an endless query and answers the next one', async () => {
  const metric = create({ from: 'metadata.sql', rows: 1, timeLimitMs: 1000 });
  const ask = async (sql: string) =>
    await metric.score({
      case: buildCase({ metadata: { sql } }),
      trial: buildTrial('x', { state: { tables } }),
    });
  const [stuck, next] = await Promise.all([ask(`${endless} max(i) FROM n`), ask('SELECT 1')]);
  expect(stuck).toEqual({
    status: 'failed',
    code: 'query-timeout',
    reason: 'the query took more than 1000 ms',
  });
  expect(next).toMatchObject({ value: 1 });
  await metric.close?.();
  expect(await ask('SELECT 1')).toMatchObject({ value: 1 });
});

test('more rows than are read never score 1', async () => {
  expect(await score({ sql: `${endless} i FROM n`, rows: [1, 2], maxRows: 2 })).toMatchObject({
    value: 0,
    explanation: 'the query returns more than 2 rows',
  });
});

test('unordered rows are as expected exactly when sorting both sides makes them equal', () => {
  const row = fc.tuple(fc.constantFrom('a', 'b', null), fc.integer({ min: 0, max: 2 }));
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 6 }),
      fc.array(row, { maxLength: 6 }),
      fc.boolean(),
      (rows, other, isSame) => {
        const wanted = isSame ? rows.toReversed() : other;
        const isEqual =
          JSON.stringify(rows.map(String).toSorted()) === JSON.stringify(wanted.map(String).toSorted());
        const columns = ['a', 'b'];
        for (const tolerance of [0, 0.1]) {
          const options = { ordered: false, tolerance };
          expect(compareRows({ columns, rows }, wanted, options).length === 0).toBe(isEqual);
          const named = wanted.map(([a, b]) => ({ b, a }));
          expect(compareRows({ columns, rows }, named, options).length === 0).toBe(isEqual);
        }
      },
    ),
    { numRuns: 500 },
  );
});
