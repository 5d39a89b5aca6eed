import type { Database } from '../database.ts';
import { fewRows, type IsBody, type KnownPiece, type Placed, placesIn } from './piece.ts';
import { createPieceTable, mostCharacters, type PageSummary } from './piece-table.ts';
import { pageOf, placeOf, placesOf, placesPerPage } from './place.ts';
import { putInto, type Slots, toSlots } from './slots.ts';

/** A page of more pieces than this has its small ones put together when the run ends. */
const mostPieces = 8;

/** So many small pieces are put together at once. */
const mostSmallPieces = 16;

/**
 * A table whose rows are kept many at a time: what is added at once to one page of the plan is one piece, and small pieces
 * are put together where there are many, once a page is full, and when the run ends. No place is in two pieces.
 * The writer begins the transaction.
 */
export interface PageTable<Value> {
  /** Adds rows, in place of those that are there at the same places, and returns these places. */
  add(rows: readonly Placed<Value>[]): number[];
  remove(places: readonly number[]): void;
  removeRun(number: number): void;
  read(from: number, to: number): Slots<Value>;
  /** The rows at some places, in no order; pieces that have none of them are not unpacked. */
  readAt(places: readonly number[]): Value[];
  /** The same without the body; what is alike in several rows may be one object. */
  readHeads(from: number, to: number): Slots<Value>;
  /** About how many characters there are to read from one place to another. */
  weigh(from: number, to: number): number;
  /** The first place of each page on which a run has rows, from the one of an ordinal on. */
  pages(number: number, from?: number): Generator<number>;
  /** The pages of a run that are in many pieces. */
  scatteredPages(number: number): number[];
  /** Puts the small pieces of a page together, unless they are too long. */
  gather(page: number): void;
}

/** Opens a table. `isBody` says which columns of its rows are kept apart from what numbers are made of. */
export function createPageTable<Value>(
  database: Database,
  table: 'cases' | 'trials' | 'scores',
  isBody: IsBody,
): PageTable<Value> {
  const pieces = createPieceTable<Value>(database, table, isBody);
  const piecesOn = (from: number, to: number) => pieces.known(pageOf(from), lastOf(pageOf(to)));

  function readRows(piece: KnownPiece): Placed<Value>[] {
    const places = placesIn(piece);
    return pieces.read(piece).map((value, index) => ({ place: places[index] as number, value }));
  }

  /** Takes rows out of their pieces. */
  function takeOut(places: ReadonlySet<number>, known: readonly KnownPiece[]): void {
    for (const piece of known) {
      const left = placesIn(piece).filter((place) => !places.has(place));
      if (left.length === piece.offsets.length) continue;
      const rows = left.length === 0 ? [] : readRows(piece).filter(({ place }) => !places.has(place));
      pieces.delete(piece);
      if (rows.length > 0) pieces.insert(rows);
    }
  }

  function addToPage(rows: readonly Placed<Value>[]): number[] {
    const page = pageOf(rows[0]?.place as number);
    const summary = pieces.summary(page, lastOf(page));
    const taken = new Set(summary.taken);
    const again = rows.filter(({ place }) => taken.has(place - page)).map(({ place }) => place);
    if (again.length > 0) takeOut(new Set(again), piecesOn(page, page));
    pieces.insert(isTimeToGather(rows.length, summary) ? [...takeSmall(page), ...rows].sort(byPlace) : rows);
    return again;
  }

  /** Whether small pieces are to be put together with rows that are added to a page of which there is a summary. */
  function isTimeToGather(added: number, { small, taken }: PageSummary): boolean {
    const isFull = taken.length + added >= placesPerPage;
    return isFull || small + Number(added < fewRows) >= mostSmallPieces;
  }

  /** Takes away the rows of the small pieces of a page; of none when that would be too much for one piece. */
  function takeSmall(page: number): Placed<Value>[] {
    const small = piecesOn(page, page).filter(({ offsets }) => offsets.length < fewRows);
    if (sum(small.map(({ size }) => size)) > mostCharacters) return [];
    const rows = small.flatMap(readRows);
    for (const piece of small) pieces.delete(piece);
    return rows;
  }

  /** Makes one piece of the small ones. */
  function gather(page: number): void {
    const rows = takeSmall(page).sort(byPlace);
    if (rows.length > 0) pieces.insert(rows);
  }

  return {
    gather,
    add: (rows) => byPage(rows).flatMap(addToPage),
    remove: (places) => {
      for (const [page, onPage] of Map.groupBy(places, pageOf))
        takeOut(new Set(onPage), piecesOn(page, page));
    },
    removeRun: pieces.deleteRun,
    read: (from, to) =>
      database.read(() => {
        const slots: Slots<Value> = [];
        for (const piece of piecesOn(from, to)) {
          const isWithin = placesIn(piece).some((place) => place >= from && place <= to);
          if (isWithin) putInto(slots, [piece, pieces.read(piece)], { from, to });
        }
        return slots;
      }),
    readAt: (places) =>
      database.read(() =>
        piecesAt(places, piecesOn).flatMap(([piece, wanted]) =>
          readRows(piece).flatMap(({ place, value }) => (wanted.has(place) ? [value] : [])),
        ),
      ),
    readHeads: (from, to) => toSlots(pieces.readHeads(pageOf(from), lastOf(pageOf(to))), { from, to }),
    weigh: (from, to) => sum(piecesOn(from, to).map(({ size }) => size)),
    *pages(number, from = 0) {
      const [, last] = placesOf(number);
      let next = pieces.next(pageOf(placeOf(number, from)), last);
      while (next !== undefined) {
        yield pageOf(next);
        next = pieces.next(lastOf(pageOf(next)) + 1, last);
      }
    },
    scatteredPages: (number) => pieces.pagesOfMany(number, mostPieces).map(pageOf),
  };
}

/** The pieces that have rows at some places, with those that are on their page. */
function piecesAt(
  places: readonly number[],
  piecesOn: (from: number, to: number) => readonly KnownPiece[],
): [piece: KnownPiece, wanted: ReadonlySet<number>][] {
  return [...Map.groupBy(places, pageOf)].flatMap(([page, onPage]) => {
    const wanted = new Set(onPage);
    const isWanted = (place: number) => wanted.has(place);
    return piecesOn(page, page).flatMap((piece): [KnownPiece, ReadonlySet<number>][] =>
      placesIn(piece).some(isWanted) ? [[piece, wanted]] : [],
    );
  });
}

/** The rows of each page in order; of several at the same place the last. */
function byPage<Value>(rows: readonly Placed<Value>[]): Placed<Value>[][] {
  const isInOrder = rows.every((row, index) => index === 0 || row.place > (rows[index - 1]?.place as number));
  const inOrder = isInOrder ? rows : [...new Map(rows.map((row) => [row.place, row])).values()].sort(byPlace);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (pageOf(first.place) === pageOf(last.place)) return [[...inOrder]];
  return [...Map.groupBy(inOrder, ({ place }) => pageOf(place)).values()];
}

function lastOf(page: number): number {
  return page + placesPerPage - 1;
}

function byPlace(a: Placed<unknown>, b: Placed<unknown>): number {
  return a.place - b.place;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
