import {
  type ComparedRun,
  type KeptRun,
  pickTargets,
  type TargetChoice,
} from '../../decide/analysis/compare/compared-run.ts';
import { pairPositions } from '../../decide/analysis/compare/pair-cases.ts';
import { findFixedField, metricOf, vocabularyOf } from '../../core/lib/filter/fields.ts';
import type { FieldValues, Filter, FilterTerm, Side, Sort } from '../../core/lib/filter/filter.ts';
import { compileTerm } from '../../core/lib/filter/match-filter.ts';
import { planOrder } from '../../core/lib/filter/parse-sort.ts';
import type { PairRow, PairSide } from '../../core/schema/api/comparison/pair-row.ts';
import type { TrialRow } from '../../core/schema/api/trial-row.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { comparePlaces, toTrialRow } from '../../core/trials/trial-values.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { parseTexts, sortOf } from './filters.ts';
import {
  type Attempt,
  firstPositions,
  forEachPair,
  keepFirst,
  readNames,
  readSides,
  type Sides,
} from './pair-sides.ts';
import { mostRows } from './trials.ts';

/** A part of a list of pairs, as a user or a page asks for it. */
export interface PairListQuery {
  /** A filter, such as `a.passed=true b.passed=false` or `change<-0.2`; all pairs by default. */
  readonly where?: string;
  /** An order, such as `change` or `-b.latencyMs`; by default the order of the plan of run B. */
  readonly sort?: string;
  /** The `next` of the part before; the beginning of the list by default. */
  readonly after?: string;
  /** The largest number of rows, at most 200; 100 by default. */
  readonly limit?: number;
  /** The targets to compare; those that `touchstone compare` pairs first by default. */
  readonly targets?: TargetChoice;
}

/** A part of a list of pairs. */
export interface PairList {
  readonly targets: TargetChoice;
  readonly rows: readonly PairRow[];
  /** The number of pairs that match. */
  readonly count: number;
  /** The place after which the list goes on; null at its end. */
  readonly next: string | null;
}

/**
 * Reads a part of the list of the cases that two runs have in common, paired by content. A number of a side is the mean of
 * its attempts, a text is the one of the attempt shown. Throws `usage-invalid` for an invalid filter, order, place or target.
 */
export async function listPairs(
  a: KeptRun,
  b: KeptRun,
  { where = '', sort = '', after, limit = 100, targets }: PairListQuery = {},
): Promise<PairList> {
  const metrics = new Set([...a.run.metrics, ...b.run.metrics].map(({ name }) => name));
  const vocabulary = vocabularyOf('pair', [...metrics]);
  const filter = where.trim() === '' ? [] : parseTexts([where], vocabulary);
  const order = sort.trim() === '' ? planOrder : sortOf(sort, vocabulary);
  const [chosen] = pickTargets(a, b, targets === undefined ? [] : [targets]);
  const [older, newer] = chosen as [ComparedRun, ComparedRun];
  const compare = comparePlaces(order);
  const { shown, count, isMore } = await choosePairs(older, newer, {
    filter,
    sort: order,
    compare,
    from: after === undefined ? undefined : readCursor(after),
    limit: Math.min(Math.max(1, Math.floor(limit)), mostRows),
  });
  const last = shown.at(-1);
  return {
    targets: { a: older.target, b: newer.target },
    rows: await toRows(shown, { older, newer }),
    count,
    next: last === undefined || !isMore ? null : writeCursor(last),
  };
}

/** The attempts of one side of a pair, with the values of the columns that are read. */
interface SideOfPair {
  /** The side of all pairs that this one belongs to. */
  readonly sides: Sides;
  readonly attempts: readonly Attempt[];
  readonly total: number | null;
  readonly passShare: number | null;
  /** The ordinal of the attempt that is shown. */
  readonly shown: number | undefined;
}

interface Pair extends Pick<PairRow, 'position' | 'change' | 'flip'> {
  readonly a: SideOfPair;
  readonly b: SideOfPair;
}

/** A pair with its place in a sorted list. */
interface PlacedPair extends Cursor {
  readonly pair: Pair;
}

interface PairChoice {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly compare: (one: Cursor, other: Cursor) => number;
  /** The place after which the part begins; by default the list's. */
  readonly from: Cursor | undefined;
  readonly limit: number;
}

/** A part of a sorted list. */
interface ChosenPairs {
  readonly shown: readonly PlacedPair[];
  /** The number of pairs that match, in the whole list. */
  readonly count: number;
  /** True when the list goes on. */
  readonly isMore: boolean;
}

/** Chooses the pairs of a part of the list, and keeps nothing of the others. */
async function choosePairs(older: ComparedRun, newer: ComparedRun, choice: PairChoice): Promise<ChosenPairs> {
  const { filter, sort, compare, from, limit } = choice;
  const partners = await pairPositions(older, newer);
  const isWhole = filter.length === 0 && sort.side === undefined && sort.field === planOrder.field;
  // The first pairs of the plan are found without their values, so that these are read for them alone.
  const wanted = isWhole ? firstPositions(partners, choice) : undefined;
  const fields = (side: 'a' | 'b') =>
    [...filter, sort].flatMap((each) => (each.side === side ? [each.field] : []));
  const before = await readSides(older, fields('a'), wanted && partnersOf(wanted, partners));
  const after = await readSides(
    newer,
    fields('b'),
    wanted?.toSorted((one, other) => one - other),
  );
  const tests = await Promise.all(filter.map((term) => createTest(term, { older, newer })));
  const chosen = keepFirst<PlacedPair>(compare, limit);
  let matching = 0;
  const consider = ({
    position,
    name,
  }: {
    readonly position: number;
    readonly name: string | null;
  }): void => {
    const pair = toPair(
      position,
      { sides: before, attempts: before.attemptsAt(partners[position] ?? -1) },
      { sides: after, attempts: after.attemptsAt(position) },
    );
    if (!tests.every((test) => test(pair))) return;
    matching += 1;
    const place = { pair, ordinal: position, value: name ?? valueOf(pair, sort) };
    if (from === undefined || compare(place, from) > 0) chosen.add(place);
  };
  if (wanted !== undefined) for (const position of wanted) consider({ position, name: null });
  else await forEachPair(newer, { partners, sort }, consider);
  const { first, isMore } = chosen.list();
  const count = isWhole ? partners.reduce((sum, partner) => sum + Number(partner !== -1), 0) : matching;
  return { shown: first, count, isMore };
}

function partnersOf(positions: readonly number[], partners: Int32Array): number[] {
  return positions.map((position) => partners[position] ?? -1).toSorted((one, other) => one - other);
}

/** The attempts of one side at a case. */
type CaseOfSide = Pick<SideOfPair, 'sides' | 'attempts'>;

function toPair(position: number, before: CaseOfSide, after: CaseOfSide): Pair {
  const [shareA, shareB] = [before, after].map(({ sides, attempts }) => sides.passShareOf(attempts));
  const flip = flipOf(shareA ?? null, shareB ?? null);
  const side = ({ sides, attempts }: CaseOfSide, passShare: number | null): SideOfPair => {
    const isMostlyPassed = passShare !== null && passShare > 0.5;
    const typical = attempts.find((attempt) => sides.isPassed(attempt) === isMostlyPassed);
    const shown = flip === 'none' ? attempts[0] : (typical ?? attempts[0]);
    return { sides, attempts, passShare, total: sides.meanOf(attempts, 'total'), shown: shown?.ordinal };
  };
  const [a, b] = [side(before, shareA ?? null), side(after, shareB ?? null)];
  const change = a.total === null || b.total === null ? null : b.total - a.total;
  return { position, a, b, change, flip };
}

function flipOf(a: number | null, b: number | null): Pair['flip'] {
  if (a === null || b === null) return 'none';
  if (a > 0.5 && b < 0.5) return 'worse';
  return a < 0.5 && b > 0.5 ? 'better' : 'none';
}

/** Returns true when most attempts passed, false when most failed; null otherwise. */
function passedOf({ passShare }: SideOfPair): boolean | null {
  return passShare === null || passShare === 0.5 ? null : passShare > 0.5;
}

/** Returns the value of a pair in an order. */
function valueOf(pair: Pair, { side, field }: Sort): string | number | null {
  if (side === undefined) {
    const values: Readonly<Record<string, string | number | null>> = {
      ordinal: pair.position,
      change: pair.change,
      flip: pair.flip,
    };
    return values[field] ?? null;
  }
  return sideValue(sideOf(pair, side), field);
}

/** Returns a side of a pair. The vocabulary of pairs has two names of sides. */
function sideOf({ a, b }: Pair, side: Side): SideOfPair {
  return side === 'a' ? a : b;
}

function sideValue(side: SideOfPair, field: string): string | number | null {
  if (field === 'passed') {
    const passed = passedOf(side);
    return passed === null ? null : String(passed);
  }
  const { sides, attempts } = side;
  const attempt = attempts.find(({ ordinal }) => ordinal === side.shown);
  const shown = attempt && sides.valueOf(attempt, field);
  return typeof shown === 'string' ? shown : sides.meanOf(attempts, field);
}

interface Runs {
  readonly older: ComparedRun;
  readonly newer: ComparedRun;
}

/** Creates the test of a term. A term on texts that are only in records is decided by the store. */
async function createTest(term: FilterTerm, { older, newer }: Runs): Promise<(pair: Pair) => boolean> {
  const { side, field } = term;
  const matches = compileTerm(term);
  const known = (value: string | number | null): FieldValues => (value === null ? [] : [value]);
  if (side === undefined) {
    if (field === 'change' || field === 'flip')
      return (pair) => matches(known(valueOf(pair, { field, isDescending: false })));
    const ofCases = await findOrdinals(newer, term);
    const trialsPerCase = newer.run.targets.length * newer.run.attempts;
    const positions = new Set(Array.from(ofCases, (ordinal) => Math.floor(ordinal / trialsPerCase)));
    return ({ position }) => positions.has(position);
  }
  const isNumber = metricOf(field) !== undefined || findFixedField(field)?.type === 'number';
  if (isNumber || field === 'passed') return (pair) => matches(known(sideValue(sideOf(pair, side), field)));
  const { side: _run, ...plain } = term;
  const found = await findOrdinals(side === 'a' ? older : newer, plain);
  return (pair) => {
    const { shown } = sideOf(pair, side);
    return shown !== undefined && found.has(shown);
  };
}

/** Returns the ordinals of the trials that a term matches. */
async function findOrdinals({ run, store }: KeptRun, term: FilterTerm): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const trials of store.readColumns(run.id, { where: [term] })) {
    for (const { ordinal } of trials) found.add(ordinal);
  }
  return found;
}

async function toRows(shown: readonly PlacedPair[], { older, newer }: Runs): Promise<PairRow[]> {
  const pairs = shown.map(({ pair }) => pair);
  const names = await readNames(
    newer,
    pairs.map(({ position }) => position),
  );
  const ordinalsOf = (side: 'a' | 'b') => pairs.flatMap((pair) => pair[side].shown ?? []);
  const [before, after] = [
    await readTrialRows(older, ordinalsOf('a')),
    await readTrialRows(newer, ordinalsOf('b')),
  ];
  return pairs.flatMap(({ a, b, ...pair }) => {
    const name = names.get(pair.position);
    return name === undefined ? [] : [{ ...pair, ...name, a: toSide(a, before), b: toSide(b, after) }];
  });
}

function toSide(side: SideOfPair, rows: ReadonlyMap<number, TrialRow>): PairSide {
  const { total, passShare, shown } = side;
  return { total, passShare, passed: passedOf(side), trial: rows.get(shown ?? -1) ?? null };
}

async function readTrialRows(
  { run, store }: { readonly run: Run; readonly store: Pick<Store, 'readResults'> },
  ordinals: readonly number[],
): Promise<Map<number, TrialRow>> {
  const rising = [...ordinals].sort((one, other) => one - other);
  const results = rising.length === 0 ? [] : await Array.fromAsync(store.readResults(run.id, rising));
  return new Map(results.map((result) => [result.trial.ordinal, toTrialRow(run, result)]));
}
