import type { KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { type Vocabulary, vocabularyOf } from '../../core/lib/filter/fields.ts';
import { planOrder } from '../../core/lib/filter/parse-sort.ts';
import {
  type MatrixCounts,
  type MatrixHead,
  type MatrixList,
  type MatrixRow,
  mostColumns,
} from '../../core/schema/api/comparison/matrix.ts';
import type { PlannedCase, Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { countCells } from '../../core/trials/matrix-patterns.ts';
import type { MatrixPlace } from '../../core/trials/trial-queries.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import type { Store } from '../../stores/store.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { parseTexts, sortOf } from './filters.ts';
import { attemptsOf, matrixCell, matrixHead, matrixRow, matrixTargets } from './matrix-row.ts';
import { findRun } from './runs.ts';

/** A column of a matrix: a target of a run in a store. */
export interface MatrixTarget extends Pick<KeptRun, 'run'> {
  readonly target: string;
}

/** The columns of a matrix, and those beyond the most that it shows. */
export interface MatrixTargets {
  readonly columns: readonly MatrixTarget[];
  readonly leftOut: readonly MatrixTarget[];
}

/** A part of a matrix, as a user or a page asks for it. */
export interface MatrixListQuery {
  /** A filter, such as `cells=differ` or `a.passed=true c.passed=false`; all rows by default. */
  readonly where?: string;
  /** An order, such as `-spread` or `c.total`; by default the order of the plan of the first column. */
  readonly sort?: string;
  /** The `next` of the part before; the beginning by default. */
  readonly after?: string;
  /** The largest number of rows, at most 100, which is the default. */
  readonly limit?: number;
}

/** The most rows of a part, and the most characters of answers after which it ends early. */
const most = { rows: 100, characters: 1_000_000 };

/**
 * Finds the columns that a user names: `RUN:TARGET`, or `RUN` for all of its targets without a condition, or with one where it has
 * no other target to compare with. Commas and percent signs in the name of a target are written `%2C` and `%25`. Throws
 * `run-not-found`, and `usage-invalid` for a target that the run does not have and for no columns at all.
 */
export async function findColumns(store: Store, names: readonly string[]): Promise<MatrixTargets> {
  const found: MatrixTarget[] = [];
  for (const name of names) {
    const [, given = name, wanted] = /^([^:]+):(.+)$/s.exec(name) ?? [];
    const run = await findRun(store, given);
    const targets =
      wanted === undefined ? matrixTargets(run, names.length === 1) : [findTarget(run, readName(wanted))];
    found.push(...targets.map((target) => ({ run, target })));
  }
  const isFirst = ({ run, target }: MatrixTarget, at: number) =>
    at === found.findIndex((other) => other.run.id === run.id && other.target === target);
  const columns = found.filter(isFirst);
  if (columns.length === 0)
    throw new TouchstoneError('usage-invalid', 'A matrix needs at least one run.', {
      remedy: 'Name runs or targets: `RUN`, or `RUN:TARGET`.',
    });
  return { columns: columns.slice(0, mostColumns), leftOut: columns.slice(mostColumns) };
}

function readName(text: string): string {
  return text.replaceAll(/%2C/gi, ',').replaceAll('%25', '%');
}

function findTarget({ id, targets }: Run, name: string): string {
  if (targets.some((target) => target.name === name)) return name;
  const known = targets.map((target) => target.name).join(', ');
  throw new TouchstoneError('usage-invalid', `Run ${id} has no target "${name}"; it has ${known}.`, {
    remedy: 'Name one of them, or the run alone for all of its targets.',
  });
}

/** Reads a part of a matrix. Throws `usage-invalid` for an invalid filter, order or place. */
export async function listMatrix(
  store: Store,
  { columns, leftOut }: MatrixTargets,
  { where, sort = '', after, limit = most.rows }: MatrixListQuery = {},
): Promise<MatrixList> {
  const vocabulary = vocabularyIn(columns);
  const { places, isMore } = await store.matrix.select(columns.map(named), {
    where: filterOf(where, vocabulary),
    sort: sort.trim() === '' ? planOrder : sortOf(sort, vocabulary),
    after: after === undefined ? undefined : readCursor(after),
    limit: Math.min(Math.max(1, Math.floor(limit)), most.rows),
  });
  const rows = await readRows(store, columns, places);
  const last = places[rows.length - 1];
  const isEnd = last === undefined || (!isMore && rows.length === places.length);
  return {
    columns: await Promise.all(columns.map((column) => headOf(store, column))),
    leftOut: leftOut.map(named),
    rows,
    next: isEnd ? null : writeCursor({ ordinal: last.positions[0] ?? 0, value: last.value }),
  };
}

/** Counts the rows of a matrix, the rows that match a filter and the rows of each pattern, and finds what does not pair. */
export async function countMatrix(
  store: Store,
  { columns }: Pick<MatrixTargets, 'columns'>,
  where?: string,
): Promise<MatrixCounts> {
  const filter = filterOf(where, vocabularyIn(columns));
  const of = columns.map(named);
  const all = await store.matrix.count(of, []);
  const matching = filter.length === 0 ? all : await store.matrix.count(of, filter);
  return {
    matching: matching.reduce((sum, { rows }) => sum + rows, 0),
    ...countCells(all, columns.length),
    unpaired: (await store.matrix.unpaired(of)).map(({ cases, first }) => ({ cases, first: [...first] })),
  };
}

const named = ({ run, target }: MatrixTarget) => ({ run: run.id, target });

function vocabularyIn(columns: readonly MatrixTarget[]): Vocabulary {
  const metrics = columns.flatMap(({ run }) => run.metrics.map(({ name }) => name));
  return vocabularyOf('matrix', [...new Set(metrics)], columns.length);
}

function filterOf(where: string | undefined, vocabulary: Vocabulary) {
  return where === undefined || where.trim() === '' ? [] : parseTexts([where], vocabulary);
}

async function headOf(store: Store, { run, target }: MatrixTarget): Promise<MatrixHead> {
  return matrixHead(run, target, run.summary === undefined ? undefined : await readSummary(run, store));
}

/** Reads the rows at some places, up to the one with which their answers get too long to be sent. */
async function readRows(
  store: Store,
  columns: readonly MatrixTarget[],
  places: readonly MatrixPlace[],
): Promise<MatrixRow[]> {
  const [first] = columns;
  if (first === undefined || places.length === 0) return [];
  const cases = new Map<number, PlannedCase>();
  for await (const planned of store.readCases(first.run.id, rising(places, 0)))
    cases.set(planned.position, planned);
  const results: ReadonlyMap<number, Result>[] = [];
  for (const [at, column] of columns.entries())
    results.push(await readResults(store, column, rising(places, at)));
  const rows: MatrixRow[] = [];
  let characters = 0;
  for (const { positions, results: outcomes } of places) {
    const planned = cases.get(positions[0] ?? -1);
    if (planned === undefined) continue;
    const cells = columns.map((column, at) => {
      const tried = attemptsOf(column, positions[at] ?? -1).map((ordinal) => results[at]?.get(ordinal));
      return matrixCell(column.run, tried, outcomes[at] ?? null);
    });
    rows.push(matrixRow(planned, cells));
    characters += cells.reduce(
      (sum, { answer, reason }) => sum + (answer?.length ?? 0) + (reason?.length ?? 0),
      0,
    );
    if (characters > most.characters) break;
  }
  return rows;
}

function rising(places: readonly MatrixPlace[], at: number): number[] {
  return places.flatMap(({ positions }) => positions[at] ?? []).toSorted((one, other) => one - other);
}

async function readResults(
  store: Store,
  column: MatrixTarget,
  positions: readonly number[],
): Promise<Map<number, Result>> {
  const ordinals = positions.flatMap((position) => attemptsOf(column, position));
  const found = new Map<number, Result>();
  for await (const result of store.readResults(column.run.id, ordinals))
    found.set(result.trial.ordinal, result);
  return found;
}
