import { setImmediate as nextTurn } from 'node:timers/promises';
import { planOrder } from '../../../core/lib/filter/parse-sort.ts';
import type { Filter, Sort } from '../../../core/lib/filter/filter.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TrialOutcome } from '../../../core/schema/result.ts';
import type {
  ColumnQuery,
  ColumnValue,
  TrialColumns,
  TrialCursor,
  TrialPage,
  TrialQuery,
} from '../../store.ts';
import { storeDamaged } from '../../refusals.ts';
import {
  attemptsOf,
  comparePlaces,
  matchResults,
  toTrialRow,
  withAttempts,
} from '../../../core/trials/trial-values.ts';
import type { SqlDatabase, SqlRow } from '../database.ts';
import { type ListStatement, listStatement } from './list-statement.ts';
import type { createResultReader } from '../read-results.ts';
import { createRangeReader } from './read-ranges.ts';
import { readTotals } from '../read-rows.ts';
import type { OpenRun } from '../records.ts';
import { requireColumn, type SqlPart } from './trial-columns.ts';

/** A run to select trials of. */
export interface SelectedRun {
  readonly run: Run;
  readonly open: OpenRun;
}

/** The number of trials whose columns are read at a time: more of them would outlive the young generation of the heap. */
const columnsAtOnce = 1000;

/** Creates the methods that list trials by their columns. */
export function createTrialSelector(
  database: Pick<SqlDatabase, 'all' | 'dialect' | 'address'>,
  reader: Pick<ReturnType<typeof createResultReader>, 'readExisting'>,
) {
  const { dialect } = database;
  const scanner = createTrialScanner(database, reader);
  const { scan, readResults, all } = scanner;

  async function selectTrials(of: SelectedRun, query: TrialQuery): Promise<TrialPage> {
    const { limit } = query;
    const places: TrialCursor[] = [];
    for await (const batch of scan(of, query)) {
      places.push(...batch);
      if (places.length > limit) break;
    }
    const shown = places.slice(0, limit);
    const last = shown.at(-1);
    return {
      rows: await readRows(of, shown),
      next: places.length > limit && last !== undefined ? last : null,
    };
  }

  async function readRows(of: SelectedRun, places: readonly TrialCursor[]): Promise<TrialPage['rows']> {
    const shown = await readResults(
      of,
      places.map(({ ordinal }) => ordinal),
    );
    const results = new Map(shown.map((result) => [result.trial.ordinal, result]));
    const outcomes = await readOutcomes(of, places);
    return places.flatMap(({ ordinal }) => {
      const result = results.get(ordinal);
      if (result === undefined) return [];
      return [withAttempts(toTrialRow(of.run, result), { run: of.run, outcomes })];
    });
  }

  /** Reads the outcomes of all attempts of the targets and cases of some trials. */
  async function readOutcomes(
    of: SelectedRun,
    places: readonly TrialCursor[],
  ): Promise<Map<number, TrialOutcome>> {
    const ordinals = [...new Set(places.flatMap(({ ordinal }) => attemptsOf(of.run, ordinal)))];
    const statement = listStatement({
      dialect,
      ...of,
      where: [],
      sort: planOrder,
      ordinals,
      columns: ['result'],
    });
    const rows = await all(statement.known(undefined, ordinals.length));
    return new Map(rows.map((row) => [row[0] as number, row[2] as TrialOutcome]));
  }

  return { selectTrials, readColumns: createColumnReader(database, scanner) };
}

/** Creates the method that reads columns of trials, in the order of the plan. */
function createColumnReader(
  database: Pick<SqlDatabase, 'all' | 'dialect' | 'address'>,
  { keepMatching, all }: Pick<ReturnType<typeof createTrialScanner>, 'keepMatching' | 'all'>,
) {
  const { dialect } = database;

  async function* readColumns(
    of: SelectedRun,
    { where = [], columns = [] }: ColumnQuery = {},
  ): AsyncGenerator<TrialColumns[]> {
    const selected = columns.map((name) => requireColumn(of.run, name, dialect));
    const isWhole = where.length === 0;
    const readRange = isWhole ? createRangeReader(database, of.open, selected) : undefined;
    const lists = columns.flatMap((column, index) => (column === 'tag' ? [index] : []));
    const expected = isWhole ? (await readTotals(database, of.open)).trials : 0;
    let count = 0;
    for await (const trials of readRange ? readRanges(readRange) : readJoined(of, where, columns)) {
      for (const { values } of trials) for (const index of lists) parseList(values as ColumnValue[], index);
      yield trials;
      count += trials.length;
    }
    if (count < expected)
      throw storeDamaged(database.address, `a run has lost ${expected - count} of its attempts`);
  }

  async function* readJoined(
    of: SelectedRun,
    where: Filter,
    columns: readonly string[],
  ): AsyncGenerator<TrialColumns[]> {
    const statement = listStatement({ dialect, ...of, where, sort: planOrder, columns });
    for (let after: TrialCursor | undefined; ; await nextTurn()) {
      const rows = await all(statement.known(after, columnsAtOnce));
      const kept = await keepRows(of, statement.rest, rows);
      yield kept.map((row) => ({ ordinal: row[0] as number, values: row.slice(2) as ColumnValue[] }));
      if (rows.length < columnsAtOnce) return;
      after = toPlaces(rows.slice(-1))[0];
    }
  }

  /** Keeps the rows of the trials whose whole results match the terms that SQL could not decide. */
  async function keepRows(
    of: SelectedRun,
    rest: Filter,
    rows: readonly SqlRow[],
  ): Promise<readonly SqlRow[]> {
    if (rest.length === 0) return rows;
    const kept = new Set((await keepMatching(of, rest, toPlaces(rows))).map(({ ordinal }) => ordinal));
    return rows.filter(([ordinal]) => kept.has(ordinal as number));
  }

  return readColumns;
}

async function* readRanges(
  read: NonNullable<ReturnType<typeof createRangeReader>>,
): AsyncGenerator<TrialColumns[]> {
  for (let after = -1; ; await nextTurn()) {
    const trials = await read(after, columnsAtOnce);
    yield trials;
    const last = trials.at(-1);
    if (last === undefined || trials.length < columnsAtOnce) return;
    after = last.ordinal;
  }
}

/** Replaces the JSON of a list by the list. */
function parseList(values: ColumnValue[], index: number): void {
  values[index] = JSON.parse(String(values[index])) as string[];
}

/** The number of trials that are read at a time, where not all of them may match: few at first, then more. */
const batches = { first: 200, largest: 20_000, results: 200 };

/** Creates the methods that find the places of trials in sorted lists. */
function createTrialScanner(
  database: Pick<SqlDatabase, 'all' | 'dialect'>,
  reader: Pick<ReturnType<typeof createResultReader>, 'readExisting'>,
) {
  const { dialect } = database;
  const all = async ({ sql, values }: SqlPart) => await database.all(sql, values);

  /** Yields the places of the trials that match, in the order of the list. */
  async function* scan(
    of: SelectedRun,
    { where = [], sort = planOrder, after, limit, fold = false }: TrialQuery,
  ): AsyncGenerator<TrialCursor[]> {
    const isFolding = fold && of.run.attempts > 1;
    const statement = listStatement({ dialect, ...of, where, sort });
    const isExact = statement.rest.length === 0 && !isFolding;
    let size = isExact ? limit + 1 : Math.max(batches.first, limit + 1);
    for (let last = after; ; size = Math.min(size * 4, batches.largest)) {
      const found = await readPlaces(statement, { after: last, size });
      const matching = await keepMatching(of, statement.rest, found);
      yield isFolding ? await keepFirst(of, { where, sort }, matching) : matching;
      if (found.length < size) return;
      last = found.at(-1);
      await nextTurn();
    }
  }

  /** Reads the next places in the order of a list: first those with a value, then those without. */
  async function readPlaces(
    { known, unknown }: ListStatement,
    { after, size }: { readonly after: TrialCursor | undefined; readonly size: number },
  ): Promise<TrialCursor[]> {
    const places: TrialCursor[] = [];
    if (after?.value !== null) places.push(...toPlaces(await all(known(after, size))));
    if (places.length === size || unknown === undefined) return places;
    const from = after?.value === null ? after.ordinal : -1;
    const rest = await all(unknown(from, size - places.length));
    return [...places, ...toPlaces(rest)];
  }

  /** Keeps the places whose whole results match the terms that SQL could not decide. */
  async function keepMatching(
    of: SelectedRun,
    rest: Filter,
    places: readonly TrialCursor[],
  ): Promise<TrialCursor[]> {
    if (rest.length === 0) return [...places];
    const matches = matchResults(of.run, rest);
    const wanted = new Set<number>();
    for (let from = 0; from < places.length; from += batches.results) {
      const ordinals = places.slice(from, from + batches.results).map(({ ordinal }) => ordinal);
      for (const result of await readResults(of, ordinals))
        if (matches(result)) wanted.add(result.trial.ordinal);
    }
    return places.filter(({ ordinal }) => wanted.has(ordinal));
  }

  /** Keeps of each case and target the attempt that comes first among those that match. */
  async function keepFirst(
    of: SelectedRun,
    { where, sort }: { readonly where: Filter; readonly sort: Sort },
    places: readonly TrialCursor[],
  ): Promise<TrialCursor[]> {
    const compare = comparePlaces(sort);
    const first = new Map<number, TrialCursor>();
    for (let from = 0; from < places.length; from += batches.results) {
      const some = places.slice(from, from + batches.results);
      const ordinals = new Set(some.flatMap(({ ordinal }) => attemptsOf(of.run, ordinal)));
      const statement = listStatement({ dialect, ...of, where, sort, ordinals: [...ordinals] });
      const rivals = await readPlaces(statement, { after: undefined, size: ordinals.size });
      for (const rival of await keepMatching(of, statement.rest, rivals)) {
        const group = Math.floor(rival.ordinal / of.run.attempts);
        const best = first.get(group);
        if (best === undefined || compare(rival, best) < 0) first.set(group, rival);
      }
    }
    return places.filter(
      ({ ordinal }) => first.get(Math.floor(ordinal / of.run.attempts))?.ordinal === ordinal,
    );
  }

  async function readResults({ open }: SelectedRun, ordinals: readonly number[]): Promise<Result[]> {
    return await reader.readExisting(
      open,
      ordinals.toSorted((one, other) => one - other),
    );
  }

  return { scan, keepMatching, readResults, all };
}

/** Returns the places of trials from the rows of a list statement. */
function toPlaces(rows: readonly SqlRow[]): TrialCursor[] {
  return rows.map((row) => ({ ordinal: row[0] as number, value: row[1] as TrialCursor['value'] }));
}
