import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Filter, sides } from '../../../core/lib/filter/filter.ts';
import { planOrder } from '../../../core/lib/filter/parse-sort.ts';
import type { Run } from '../../../core/schema/run.ts';
import { comparePlaces, matchCases, matchResults } from '../../../core/trials/trial-values.ts';
import type {
  MatrixColumn,
  MatrixCount,
  MatrixPage,
  MatrixPlace,
  MatrixQuery,
  UnpairedCases,
} from '../../../core/trials/trial-queries.ts';
import type { SqlDatabase, SqlRow } from '../database.ts';
import type { MatrixRows } from '../../matrix-rows.ts';
import { createResultReader } from '../read-results.ts';
import { anyOf } from './compile-filter.ts';
import { matrixStatement, type OpenColumn, type Range } from './matrix-statement.ts';
import { countPacked, packMatrix, selectPacked } from './matrix-columns.ts';
import { createPackedColumns } from './packed-columns.ts';
import { plannedCaseOf } from '../records.ts';
import type { createRunTable } from '../run-table.ts';
import type { SelectedRun } from './select-trials.ts';
import type { SqlPart } from './trial-columns.ts';

/**
 * The number of rows that are looked at first where not all of them may match, of those that are counted at a time, so that rows are
 * read in between, and of records that are read at a time.
 */
const batches = { first: 1000, counted: 2000, records: 100 };

/** The largest number of ids of unpaired cases that are named. */
const mostNamed = 20;

/** Creates the methods that read the rows of matrices. */
export function createMatrixRows({
  database,
  runs,
}: {
  readonly database: SqlDatabase;
  readonly runs: Pick<ReturnType<typeof createRunTable>, 'open'>;
}): MatrixRows {
  const keepMatching = createRowTest(createResultReader(database));
  const packed = createPackedColumns(database);
  /** Opens the runs of columns. */
  const opened = async (columns: readonly MatrixColumn[]): Promise<OpenColumn[]> => {
    const found: OpenColumn[] = [];
    for (const { run, target } of columns) {
      const selected = await runs.open(database, run);
      found.push({ ...selected, target, isSamePlan: isSamePlan(found[0] ?? selected, selected) });
    }
    return found;
  };
  return {
    select: async (columns, query) => {
      const open = await opened(columns);
      const { sort = planOrder } = query;
      // In the order of the plan, the first rows are found at once.
      const matrix = sort.field === planOrder.field ? undefined : await packMatrix(open, query, packed);
      if (matrix !== undefined) return await selectPacked(matrix, { ...query, sort });
      return await selectRows(database, open, { ...query, keepMatching });
    },
    count: async (columns, where) => {
      const open = await opened(columns);
      const matrix = await packMatrix(open, { where }, packed);
      if (matrix !== undefined) return await countPacked(matrix, where);
      return await countRows(database, open, { where, keepMatching });
    },
    unpaired: async (columns) => {
      const all = await opened(columns);
      const found: UnpairedCases[] = [];
      for (const column of all)
        found.push(
          await findUnpaired(
            database,
            column,
            all.filter((other) => !isSamePlan(column, other)),
          ),
        );
      return found;
    },
  };
}

interface RowTest {
  readonly keepMatching: ReturnType<typeof createRowTest>;
}

async function selectRows(
  database: SqlDatabase,
  columns: readonly OpenColumn[],
  { where = [], sort = planOrder, after, limit, keepMatching }: MatrixQuery & RowTest,
): Promise<MatrixPage> {
  const { dialect } = database;
  const { rows, rest } = matrixStatement({ dialect, columns, where, sort });
  const isPlan = sort.field === planOrder.field;
  const size = rest.length === 0 ? limit + 1 : undefined;
  const compare = comparePlaces(sort);
  const firstSize = where.length === 0 ? limit + 1 : batches.first;
  const ranges = rangesOf(await lastPosition(database, columns[0]), {
    isDescending: isPlan && sort.isDescending,
    after: isPlan ? after?.ordinal : undefined,
    first: isPlan ? firstSize : dialect.countedAtOnce,
    largest: dialect.countedAtOnce,
  });
  let found: MatrixPlace[] = [];
  for (const range of ranges) {
    const places = await readPlaces(database, rows(range, after, size), columns);
    found.push(...(await keepMatching(columns, rest, places)));
    if (isPlan && found.length > limit) break;
    if (!isPlan)
      found = found.toSorted((one, other) => compare(toCursor(one), toCursor(other))).slice(0, limit + 1);
    await nextTurn();
  }
  return { places: found.slice(0, limit), isMore: found.length > limit };
}

async function countRows(
  database: SqlDatabase,
  columns: readonly OpenColumn[],
  { where, keepMatching }: RowTest & { readonly where: Filter },
): Promise<MatrixCount[]> {
  const { all, dialect } = database;
  const { rows, counts, rest } = matrixStatement({ dialect, columns, where, sort: planOrder });
  const counted = new Map<string, MatrixCount>();
  const add = (results: MatrixPlace['results'], number: number): void => {
    const key = JSON.stringify(results);
    counted.set(key, { results, rows: (counted.get(key)?.rows ?? 0) + number });
  };
  const size = Math.min(batches.counted, dialect.countedAtOnce);
  for (const range of rangesOf(await lastPosition(database, columns[0]), { first: size, largest: size })) {
    if (rest.length > 0) {
      const places = await readPlaces(database, rows(range, undefined, undefined), columns);
      for (const { results } of await keepMatching(columns, rest, places)) add(results, 1);
    } else {
      const { sql, values } = counts(range);
      for (const row of await all(sql, values))
        add(row.slice(0, -1) as MatrixPlace['results'][number][], Number(row.at(-1)));
    }
    await nextTurn();
  }
  return [...counted.values()];
}

/** Finds the cases of a column that not all of the others have. */
async function findUnpaired(
  database: SqlDatabase,
  column: OpenColumn,
  others: readonly OpenColumn[],
): Promise<UnpairedCases> {
  if (others.length === 0) return { cases: 0, first: [] };
  const missing = anyOf(
    others.map(({ open }) => ({
      sql: 'NOT EXISTS (SELECT 1 FROM cases AS other WHERE other.run = ? AND other.hash = cases.hash)',
      values: [open.trialsOf],
    })),
  );
  const first: string[] = [];
  let cases = 0;
  const size = database.dialect.countedAtOnce;
  for (const range of rangesOf(await lastPosition(database, column), { first: size, largest: size })) {
    const ids = await database.all(
      `SELECT cases.id FROM cases WHERE cases.run = ? AND cases.position >= ? AND cases.position < ? AND ${missing.sql}
        ORDER BY cases.position`,
      [column.open.trialsOf, ...range, ...missing.values],
    );
    cases += ids.length;
    first.push(...ids.slice(0, mostNamed - first.length).map(([id]) => id as string));
    await nextTurn();
  }
  return { cases, first };
}

async function readPlaces(
  { all }: Pick<SqlDatabase, 'all'>,
  { sql, values }: SqlPart,
  { length }: readonly OpenColumn[],
): Promise<MatrixPlace[]> {
  return (await all(sql, values)).map((row) => toPlace(row, length));
}

async function lastPosition(
  { all }: Pick<SqlDatabase, 'all'>,
  column: Pick<OpenColumn, 'open'> | undefined,
): Promise<number> {
  const [row] = await all('SELECT max(position) FROM cases WHERE run = ?', [column?.open.trialsOf ?? null]);
  return (row?.[0] as number | null | undefined) ?? -1;
}

/** Returns whether two columns have the same cases at the same positions. A run that is being planned has no hash. */
function isSamePlan(one: SelectedRun, other: SelectedRun): boolean {
  if (one.open.trialsOf === other.open.trialsOf) return true;
  const [a, b] = [one.run.dataset, other.run.dataset];
  return a.hash !== '' && a.hash === b.hash && a.cases === b.cases;
}

interface Ranging {
  readonly isDescending?: boolean;
  /** The position after which to begin, in the direction. */
  readonly after?: number;
  /** The number of positions of the first range, and of the largest. */
  readonly first: number;
  readonly largest: number;
}

/** Yields ranges of positions up to the last one, larger and larger. */
function* rangesOf(last: number, { isDescending = false, after, first, largest }: Ranging): Generator<Range> {
  let size = Math.min(first, largest);
  if (isDescending) {
    for (let end = after ?? last + 1; end > 0; end -= size, size = Math.min(largest, size * 4))
      yield [Math.max(0, end - size), end];
    return;
  }
  for (let from = (after ?? -1) + 1; from <= last; size = Math.min(largest, size * 4)) {
    yield [from, from + size];
    from += size;
  }
}

function toPlace(row: SqlRow, columns: number): MatrixPlace {
  return {
    positions: row.slice(0, columns) as number[],
    results: row.slice(columns, 2 * columns) as MatrixPlace['results'][number][],
    value: row[2 * columns] as MatrixPlace['value'],
  };
}

function toCursor({ positions, value }: MatrixPlace) {
  return { ordinal: positions[0] ?? 0, value };
}

/** Creates the function that keeps the rows whose records match the terms that SQL could not decide. */
function createRowTest(reader: ReturnType<typeof createResultReader>) {
  async function findMatching(
    columns: readonly OpenColumn[],
    term: Filter[number],
    places: readonly MatrixPlace[],
  ): Promise<(place: MatrixPlace) => boolean> {
    const at = term.side === undefined ? 0 : sides.indexOf(term.side);
    const { run, open } = columns[at] as OpenColumn;
    const positionOf = ({ positions }: MatrixPlace) => positions[at] ?? -1;
    const rising = places.map(positionOf).toSorted((one, other) => one - other);
    const { side, ...plain } = term;
    const found = new Set<number>();
    if (side === undefined) {
      const matches = matchCases([plain]);
      for await (const some of reader.readCases(open, rising))
        for (const planned of some.map(plannedCaseOf)) if (matches(planned.case)) found.add(planned.position);
    } else {
      const matches = matchResults(run, [plain]);
      const first = rising.map((position) => firstOrdinal(columns[at] as OpenColumn, position));
      const ordinals = first.flatMap((ordinal) =>
        Array.from({ length: run.attempts }, (_, index) => ordinal + index),
      );
      for (const result of await reader.readExisting(open, ordinals))
        if (matches(result)) found.add(Math.floor(result.trial.ordinal / open.trialsPerCase));
    }
    return (place) => found.has(positionOf(place));
  }

  return async (
    columns: readonly OpenColumn[],
    rest: Filter,
    places: readonly MatrixPlace[],
  ): Promise<MatrixPlace[]> => {
    if (rest.length === 0) return [...places];
    const kept: MatrixPlace[] = [];
    for (let from = 0; from < places.length; from += batches.records) {
      const some = places.slice(from, from + batches.records);
      const tests: ((place: MatrixPlace) => boolean)[] = [];
      for (const term of rest) tests.push(await findMatching(columns, term, some));
      kept.push(...some.filter((place) => tests.every((test) => test(place))));
    }
    return kept;
  };
}

/** Returns the ordinal of the first attempt of a column at a position. */
function firstOrdinal(
  { run, target }: { readonly run: Pick<Run, 'targets' | 'attempts'>; readonly target: string },
  position: number,
): number {
  const index = run.targets.findIndex(({ name }) => name === target);
  return (position * run.targets.length + index) * run.attempts;
}
