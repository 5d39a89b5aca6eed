import type { Cursor } from './cursor.ts';
import { weighAttempts } from '../analysis/attempts.ts';
import type { ComparedRun, KeptRun } from '../analysis/compare/compared-run.ts';
import { findFixedField, metricOf } from '../lib/filter/fields.ts';
import type { ColumnValue, TrialColumns } from '../stores/store.ts';
import type { Sort } from '../lib/filter/filter.ts';
import type { PairRow } from '../schema/api/comparison/pair-row.ts';
import { createFieldReader } from '../stores/trial-values.ts';

/** An attempt of one side of a pair. */
export interface Attempt {
  readonly ordinal: number;
  /** The values of the columns of its {@link Sides}. */
  readonly values: readonly ColumnValue[];
  /** Its weight in a mean over the attempts of its case; see `weightAttempts`. */
  readonly weight: number;
}

/** The attempts of one target of a run, by the case. */
export interface Sides {
  /** Returns the attempts at the case at a position of the plan. */
  attemptsAt(position: number): readonly Attempt[];
  valueOf(attempt: Attempt, field: string): ColumnValue;
  /** Returns the weighted mean of a number; null when no attempt with an answer has it. */
  meanOf(attempts: readonly Attempt[], field: string): number | null;
  /** Returns whether an attempt passed; null when that was not measured. */
  isPassed(attempt: Attempt): boolean | null;
  /** Returns the weighted share of passes among the attempts that were measured; null when there are none. */
  passShareOf(attempts: readonly Attempt[]): number | null;
}

const always = ['target', 'status', 'total', 'passed'] as const;

/**
 * Reads the attempts of a target, with the values of some fields. Their means are those that `compareRuns` compares: of
 * attempts with an answer, weighted where attempts stop as soon as their case is settled.
 * @param positions - The places in the plan of the cases to read, in ascending order; all when left out.
 */
export async function readSides(
  { run, store, target }: ComparedRun,
  fields: readonly string[],
  positions?: readonly number[],
): Promise<Sides> {
  const known = fields.filter((field) => findFixedField(field)?.isSortable ?? metricOf(field) !== undefined);
  const columns = [...new Set([...always, ...known])];
  const trialsPerCase = run.targets.length * run.attempts;
  const kept = createAttempts(columns.length);
  for await (const trials of readValues({ run, store }, columns, positions)) {
    for (const { ordinal, values } of trials)
      if (values[0] === target) kept.add(Math.floor(ordinal / trialsPerCase), ordinal, values);
  }
  const weigh = weighAttempts(run);
  const attemptsAt = (position: number): readonly Attempt[] => {
    const attempts = kept.read(position);
    if (weigh === undefined) return attempts;
    const { weights } = weigh(attempts.map(resultOf));
    return attempts.map((attempt, place) => ({ ...attempt, weight: weights[place] ?? 1 }));
  };
  const valueOf = ({ values }: Attempt, field: string): ColumnValue => values[columns.indexOf(field)] ?? null;
  return {
    attemptsAt,
    valueOf,
    meanOf: (attempts, field) => {
      const isOfAnswer = !withoutAnswer.has(field);
      return weightedMean(attempts, (attempt) => {
        const value = isOfAnswer && attempt.values[1] !== 'completed' ? null : valueOf(attempt, field);
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

/** Yields trials with the values of some columns: all of a run, or those of the cases at some places in its plan. */
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
function createAttempts(width: number) {
  const ordinals: number[] = [];
  // The place of the first attempt at each case, by its position, and the place after the last.
  const firsts: number[] = [];
  const ends: number[] = [];
  const numbers: number[][] = Array.from({ length: width }, () => []);
  const others: ColumnValue[][] = Array.from({ length: width }, () => []);
  const known = new Map<string, string>();
  return {
    add: (position: number, ordinal: number, values: readonly ColumnValue[]): void => {
      const place = ordinals.length;
      ordinals.push(ordinal);
      firsts[position] ??= place;
      ends[position] = place + 1;
      for (const [column, value] of values.entries()) {
        const isNumber = typeof value === 'number';
        numbers[column]?.push(isNumber ? value : Number.NaN);
        if (isNumber) continue;
        const same = typeof value === 'string' && value.length < 100 ? known.get(value) : undefined;
        if (same === undefined && typeof value === 'string' && known.size < 10_000) known.set(value, value);
        const texts = others[column];
        if (texts !== undefined) texts[place] = same ?? value;
      }
    },
    read: (position: number): Attempt[] => {
      const first = firsts[position];
      if (first === undefined) return [];
      return Array.from({ length: (ends[position] ?? first) - first }, (_, index) => {
        const place = first + index;
        const values = numbers.map((column, at): ColumnValue => {
          const number = column[place] ?? Number.NaN;
          return Number.isNaN(number) ? (others[at]?.[place] ?? null) : number;
        });
        return { ordinal: ordinals[place] ?? 0, values, weight: 1 };
      });
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

/** Returns whether an attempt passed, as `compareRuns` reads it: a total that did not pass has failed. */
function isPassed({ values: [, status, total, passed] }: Attempt): boolean | null {
  return status === 'completed' && total !== null ? passed === 'true' : null;
}

/** Returns whether an attempt passed, as the rule reads it by which attempts stop; see `attemptResult`. */
function resultOf({ values: [, status, total, passed] }: Attempt): boolean | null {
  if (status !== 'completed' || total === null || passed === null) return null;
  return passed === 'true';
}

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
export type NamedCase = Pick<PairRow, 'position' | 'caseId' | 'category'>;

/** Yields the names of paired cases in the order of the plan: of all, or of those at some positions. */
export async function* readNames(
  { run, store }: ComparedRun,
  partners: Int32Array,
  wanted: readonly number[] | undefined,
): AsyncGenerator<NamedCase> {
  const chosen = wanted && new Set(wanted);
  const last = wanted === undefined ? partners.length - 1 : Math.max(-1, ...wanted);
  let position = -1;
  if (last < 0) return;
  for await (const page of store.readCaseNames(run.id)) {
    for (const { id: caseId, category = 'uncategorized' } of page) {
      position += 1;
      if (partners[position] !== -1 && chosen?.has(position) !== false) yield { position, caseId, category };
      if (position === last) return;
    }
  }
}

/** A part of a list of pairs in some order. */
interface PartOfList {
  readonly sort: Sort;
  readonly compare: (one: Cursor, other: Cursor) => number;
  /** The place after which the part begins; that of the list when left out. */
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
