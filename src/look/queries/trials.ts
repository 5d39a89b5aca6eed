import { TouchstoneError } from '../../core/errors.ts';
import type { Filter } from '../../core/lib/filter/filter.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import type { TrialList } from '../../core/schema/api/trial-row.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { parseTrialFilter, parseTrialSort } from './filters.ts';

/** The largest number of rows that a list returns at a time. */
export const mostRows = 200;

/** A part of a list of trials, as a user or a page asks for it. */
export interface TrialListQuery {
  /** A filter, such as `passed=false total<0.7`; all trials by default. */
  readonly where?: string;
  /** An order, such as `total` or `-latencyMs`; by default the order of the plan. */
  readonly sort?: string;
  /** The `next` of the part before; the beginning of the list by default. */
  readonly after?: string;
  /** The largest number of rows, at most 200; 100 by default. */
  readonly limit?: number;
  /** True for one row for each case and target: of the attempts that match, the first one in the order. */
  readonly fold?: boolean;
}

/** Reads a part of the list of the trials of a run. Throws `usage-invalid` for a filter, order or place that is none. */
export async function listTrials(
  store: Pick<Store, 'selectTrials'>,
  run: Pick<Run, 'id' | 'metrics'>,
  { where, sort, after, limit = 100, fold = false }: TrialListQuery = {},
): Promise<TrialList> {
  const { rows, next } = await store.selectTrials(run.id, {
    where: whereOf(where, run),
    sort: sort === undefined || sort.trim() === '' ? undefined : parseTrialSort(sort, run),
    after: after === undefined ? undefined : readCursor(after),
    limit: Math.min(Math.max(1, Math.floor(limit)), mostRows),
    fold,
  });
  return { rows: [...rows], next: next && writeCursor(next) };
}

/** Parses the text of a filter; an empty one, as a page has it before anything is typed, matches everything. */
export function whereOf(where: string | undefined, run: Pick<Run, 'metrics'>): Filter {
  return where === undefined || where.trim() === '' ? [] : parseTrialFilter([where], run);
}

/** The conditions that select trials of a run; a trial must meet all of them. */
export interface TrialChoice {
  readonly where?: Filter;
  /** The ids of the selected cases; all when empty. */
  readonly cases?: readonly string[];
  /** True to select only trials that did not pass. */
  readonly failed?: boolean;
}

/** The filter of trials that did not pass, for any reason; see `isUnresolved`. */
const unresolved: Filter = [{ field: 'result', operator: '=', values: ['failed', 'error', 'not-measured'] }];

/**
 * Returns the ordinals of the trials that meet some conditions, in rising order, without reading answers; undefined when
 * there are no conditions. Throws `case-not-found` for an unknown id.
 */
export async function findTrials(
  store: Store,
  run: Run,
  { where = [], cases = [], failed = false }: TrialChoice,
): Promise<number[] | undefined> {
  const filter = [...where, ...(failed ? unresolved : [])];
  const named = cases.length === 0 ? undefined : placesOf(run, await findNamed(store, run, cases));
  if (filter.length === 0) return named;
  const wanted = named && new Set(named);
  const found: number[] = [];
  for await (const trials of store.readColumns(run.id, { where: filter })) {
    for (const { ordinal } of trials) if (wanted?.has(ordinal) !== false) found.push(ordinal);
  }
  return found;
}

/** Returns the positions of the cases with the given ids, in rising order. Throws `case-not-found`. */
async function findNamed(store: Store, run: Run, ids: readonly string[]): Promise<number[]> {
  const positions = new Set<number>();
  for (const id of ids) {
    const planned = await store.findCase(run.id, id);
    positions.add(planned?.position ?? (await refuseUnknown(store, run, id)));
  }
  return [...positions].sort((one, other) => one - other);
}

async function refuseUnknown(store: Store, { id }: Run, name: string): Promise<never> {
  const known = (await Array.fromAsync(store.readCaseNames(id))).flat();
  const nearest = nearestName(
    name,
    known.map((each) => each.id),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new TouchstoneError('case-not-found', `Run ${id} has no question "${name}".${hint}`, {
    remedy: `List the ids of the questions: \`touchstone show ${id}\`, or with wildcards: \`--filter 'id=refund-*'\`.`,
  });
}

/** Returns the ordinals of all trials of the cases at the given positions. */
function placesOf({ targets, attempts }: Run, positions: readonly number[]): number[] {
  const ofCase = targets.length * attempts;
  return positions.flatMap((position) =>
    Array.from({ length: ofCase }, (_, place) => position * ofCase + place),
  );
}

/** Returns the ordinal of a trial; undefined for a target or an attempt that the run does not have. */
export function ordinalOf(
  { targets, attempts }: Run,
  {
    position,
    target,
    attempt,
  }: { readonly position: number; readonly target: string | undefined; readonly attempt: number },
): number | undefined {
  const index = targets.findIndex(({ name }) => name === target);
  const isPlanned = index >= 0 && Number.isInteger(attempt) && attempt >= 1 && attempt <= attempts;
  return isPlanned ? (position * targets.length + index) * attempts + attempt - 1 : undefined;
}
