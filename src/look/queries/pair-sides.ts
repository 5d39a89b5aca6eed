import { setImmediate as nextTurn } from 'node:timers/promises';
import { uncategorized } from '../../core/schema/case.ts';
import type { CaseNames } from '../../core/schema/result.ts';
import type { Cursor } from './cursor.ts';
import { weighAttempts } from '../../decide/analysis/attempts.ts';
import type { ComparedRun, KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import { findFixedField, metricOf } from '../../core/lib/filter/fields.ts';
import type { ColumnValue, TrialColumns } from '../../stores/store.ts';
import type { Sort } from '../../core/lib/filter/filter.ts';
import type { PairRow } from '../../core/schema/api/comparison/pair-row.ts';
import { createFieldReader } from '../../core/trials/trial-values.ts';

/** An attempt of one side of a pair. */
export interface Attempt {
  readonly ordinal: number;
  /** Its number among the attempts of its {@link Sides}, which have its values. */
  readonly place: number;
  /** Its weight in a mean over the attempts of its case; see `weightAttempts`. */
  readonly weight: number;
}

/** The attempts of one target of a run, by the case. */
export interface Sides {
  /** Returns the attempts at the case at a position of the plan. */
  attemptsAt(position: number): readonly Attempt[];
  valueOf(attempt: Attempt, field: string): string | number | null;
  /** Returns the weighted mean of a number; null when no attempt with an answer has it. */
  meanOf(attempts: readonly Attempt[], field: string): number | null;
  /** Returns whether an attempt passed; null when that was not measured. */
  isPassed(attempt: Attempt): boolean | null;
  /** Returns the weighted share of passes among the attempts that were measured; null when there are none. */
  passShareOf(attempts: readonly Attempt[]): number | null;
}

const always = ['status', 'total', 'passed'] as const;

/**
 * Reads the attempts of a target, with the values of some fields. Their means are those that `compareRuns` compares: of
 * attempts with an answer, weighted where attempts stop as soon as their case is settled.
 * @param positions - The places in the plan of the cases to read, in ascending order; all by default.
 */
export async function readSides(
  { run, store, target }: ComparedRun,
  fields: readonly string[],
  positions?: readonly number[],
): Promise<Sides> {
  const known = fields.filter((field) => findFixedField(field)?.isSortable ?? metricOf(field) !== undefined);
  const columns = [...new Set([...always, ...known])];
  const trialsPerCase = run.targets.length * run.attempts;
  const kept = createAttempts(run.dataset.cases, { attempts: run.attempts, width: columns.length });
  const index = run.targets.findIndex(({ name }) => name === target);
  for await (const trials of readValues({ run, store }, columns, positions)) {
    for (const { ordinal, values } of trials) {
      if (Math.floor(ordinal / run.attempts) % run.targets.length === index)
        kept.add(Math.floor(ordinal / trialsPerCase), ordinal, values);
    }
  }
  const weigh = weighAttempts(run);
  const isCompleted = ({ place }: Attempt) => kept.valueAt(0, place) === 'completed';
  const hasTotal = ({ place }: Attempt) => kept.valueAt(1, place) !== null;
  const passedAt = ({ place }: Attempt) => kept.valueAt(2, place);
  // As `compareRuns` reads it: a total that did not pass has failed.
  const isPassed = (attempt: Attempt) =>
    isCompleted(attempt) && hasTotal(attempt) ? passedAt(attempt) === 'true' : null;
  // As the rule reads it by which attempts stop; see `attemptResult`.
  const resultOf = (attempt: Attempt) => (passedAt(attempt) === null ? null : isPassed(attempt));
  const attemptsAt = (position: number): readonly Attempt[] => {
    const attempts = kept.read(position);
    if (weigh === undefined) return attempts;
    const { weights } = weigh(attempts.map(resultOf));
    return attempts.map((attempt, place) => ({ ...attempt, weight: weights[place] ?? 1 }));
  };
  const valueOf = ({ place }: Attempt, field: string): string | number | null => {
    const column = columns.indexOf(field);
    return column < 0 ? null : kept.valueAt(column, place);
  };
  return {
    attemptsAt,
    valueOf,
    meanOf: (attempts, field) => {
      const isOfAnswer = !withoutAnswer.has(field);
      return weightedMean(attempts, (attempt) => {
        const value = isOfAnswer && !isCompleted(attempt) ? null : valueOf(attempt, field);
        return typeof value === 'number' ? value : null;
      });
    },
    isPassed,
    passShareOf: (attempts) =>
      weightedMean(attempts, (attempt) => {
        const passed = isPassed(attempt);
        return passed === null ? null : Number(passed);
      }),
  };
}

/** Yields trials with the values of some columns: all of a run, or the trials of the cases at some places in its plan. */
async function* readValues(
  { run, store }: KeptRun,
  columns: readonly string[],
  positions: readonly number[] | undefined,
): AsyncGenerator<readonly TrialColumns[]> {
  if (positions === undefined) {
    yield* store.readColumns(run.id, { columns });
    return;
  }
  const ofCase = run.targets.length * run.attempts;
  const ordinals = positions.flatMap((position) =>
    Array.from({ length: ofCase }, (_, place) => position * ofCase + place),
  );
  const read = createFieldReader(run);
  const results = ordinals.length === 0 ? [] : store.readResults(run.id, ordinals);
  for await (const result of results) {
    const values = columns.map((column) => read(result, column)[0] ?? null);
    yield [{ ordinal: result.trial.ordinal, values }];
  }
}

/**
 * Creates a compact store of attempts, which come in the order of the plan: with two runs of a million trials, an object for
 * each would take a gigabyte.
 */
function createAttempts(
  cases: number,
  { attempts: most, width }: { readonly attempts: number; readonly width: number },
) {
  const ordinals = new Int32Array(cases * most);
  let added = 0;
  // The place of the first attempt at each case, by its position, and the number of attempts.
  const firsts = new Int32Array(cases);
  const counts = new Int32Array(cases);
  const columns = Array.from({ length: width }, () => createColumn(cases * most));
  return {
    add: (position: number, ordinal: number, values: readonly ColumnValue[]): void => {
      if (counts[position] === 0) firsts[position] = added;
      counts[position] = (counts[position] ?? 0) + 1;
      ordinals[added] = ordinal;
      for (let index = 0; index < columns.length; index += 1)
        columns[index]?.add(added, values[index] ?? null);
      added += 1;
    },
    read: (position: number): Attempt[] => {
      const [first = 0, count = 0] = [firsts[position], counts[position]];
      const attempts: Attempt[] = [];
      for (let place = first; place < first + count; place += 1)
        attempts.push({ ordinal: ordinals[place] ?? 0, place, weight: 1 });
      return attempts;
    },
    valueAt: (column: number, place: number): string | number | null => columns[column]?.at(place) ?? null,
  };
}

/** Creates a column of numbers, or of texts by their numbers; NaN means null. */
function createColumn(length: number) {
  const numbers = new Float64Array(length);
  const texts: string[] = [];
  const known = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = known.get(text) ?? texts.length;
    if (number === texts.length) {
      texts.push(text);
      known.set(text, number);
    }
    return number;
  };
  return {
    add: (place: number, value: ColumnValue): void => {
      const number = typeof value === 'string' ? numberOf(value) : value;
      numbers[place] = typeof number === 'number' ? number : Number.NaN;
    },
    at: (place: number): string | number | null => {
      const number = numbers[place] ?? Number.NaN;
      if (Number.isNaN(number)) return null;
      return texts.length === 0 ? number : (texts[number] ?? null);
    },
  };
}

/** The numbers that a trial without an answer has as well. */
const withoutAnswer: ReadonlySet<string> = new Set([
  'attempt',
  'cost',
  'inputTokens',
  'outputTokens',
  'retries',
  'steps',
  'toolCalls',
]);

function weightedMean(
  attempts: readonly Attempt[],
  read: (attempt: Attempt) => number | null,
): number | null {
  let [sum, weights] = [0, 0];
  for (const attempt of attempts) {
    const value = read(attempt);
    if (value === null) continue;
    sum += attempt.weight * value;
    weights += attempt.weight;
  }
  return weights === 0 ? null : sum / weights;
}

/** The name of a case in the newer run. */
type NamedCase = Pick<PairRow, 'caseId' | 'category'>;

/** Reads the names of some cases, by their positions in the plan. */
export async function readNames(
  { run, store }: ComparedRun,
  positions: readonly number[],
): Promise<Map<number, NamedCase>> {
  const rising = positions.toSorted((one, other) => one - other);
  const cases = rising.length === 0 ? [] : await Array.fromAsync(store.readCases(run.id, rising));
  return new Map(
    cases.map(({ position, case: { id, category = uncategorized } }) => [position, { caseId: id, category }]),
  );
}

/** The number of pairs that are looked at before other requests are answered. */
const pairsAtOnce = 20_000;

/** The position of a paired case, with the name by which pairs are sorted if they are. */
interface PairPlace {
  readonly position: number;
  readonly name: string | null;
}

/** Calls a function for each paired case, in the order of the plan. */
export async function forEachPair(
  { run, store }: ComparedRun,
  { partners, sort }: { readonly partners: Int32Array; readonly sort: Sort },
  onPair: (place: PairPlace) => void,
): Promise<void> {
  const nameOf = nameIn(sort);
  if (nameOf === undefined) {
    for (let position = 0; position < partners.length; position += 1) {
      if (position % pairsAtOnce === 0) await nextTurn();
      if (partners[position] !== -1) onPair({ position, name: null });
    }
    return;
  }
  let position = 0;
  for await (const page of store.readCaseNames(run.id)) {
    for (const names of page) {
      if (partners[position] !== -1) onPair({ position, name: nameOf(names) });
      position += 1;
    }
  }
}

/** Returns how the name that a list is sorted by is read; undefined when it is sorted by something else. */
function nameIn({ side, field }: Sort): ((names: CaseNames) => string) | undefined {
  if (side !== undefined) return undefined;
  if (field === 'id') return ({ id }) => id;
  return field === 'category' ? ({ category = uncategorized }) => category : undefined;
}

/** A part of a list of pairs in some order. */
interface PartOfList {
  readonly sort: Sort;
  readonly compare: (one: Cursor, other: Cursor) => number;
  /** The place after which the part begins; by default the list's. */
  readonly from: Cursor | undefined;
  readonly limit: number;
}

/** Returns the positions of the first pairs of a list in the order of the plan, and one more where the list goes on. */
export function firstPositions(partners: Int32Array, { sort, from, limit, compare }: PartOfList): number[] {
  const found: number[] = [];
  const last = partners.length - 1;
  for (let index = 0; index <= last && found.length <= limit; index += 1) {
    const position = sort.isDescending ? last - index : index;
    if (partners[position] === -1) continue;
    const place = { ordinal: position, value: position };
    if (from === undefined || compare(place, from) > 0) found.push(position);
  }
  return found;
}

/** Keeps the first entries of a sorted list, whatever the order in which they come. */
export function keepFirst<Each>(compare: (one: Each, other: Each) => number, limit: number) {
  let kept: Each[] = [];
  let [added, worst]: [number, Each | undefined] = [0, undefined];
  const cut = () => {
    kept = kept.toSorted(compare).slice(0, limit);
    worst = kept.length === limit ? kept.at(-1) : undefined;
  };
  return {
    add: (entry: Each): void => {
      added += 1;
      if (worst !== undefined && compare(entry, worst) > 0) return;
      kept.push(entry);
      if (kept.length >= limit * 2) cut();
    },
    list: (): { readonly first: readonly Each[]; readonly isMore: boolean } => {
      cut();
      return { first: kept, isMore: added > kept.length };
    },
  };
}
