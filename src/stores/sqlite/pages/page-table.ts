import type { Database } from '../database.ts';
import { type IsBody, type KnownPiece, type Placed, placesIn } from './piece.ts';
import { createPieceTable, mostCharacters } from './piece-table.ts';
import { pageOf, placesOf, placesPerPage } from './place.ts';
import { putInto, type Slots } from './slots.ts';

/** Pages of more pieces than this are put together. */
const mostPieces = 3;

/**
 * A table whose rows are kept many at a time: what is added at once to one page of the plan is one piece, and the pieces
 * are put together once the page is full, or the run ends. No place is in two pieces. Whoever writes sees to the
 * transaction.
 */
export interface PageTable<Value> {
  /** Adds rows, in the stead of those that are there at the same places, and returns these places. */
  add(rows: readonly Placed<Value>[]): number[];
  remove(places: readonly number[]): void;
  removeRun(number: number): void;
  read(from: number, to: number): Slots<Value>;
  /** The same without the body; what is alike in several rows may be one object. */
  readHeads(from: number, to: number): Slots<Value>;
  /** About how many characters there are to read from one place to another. */
  weigh(from: number, to: number): number;
  /** The first place of each page on which a run has rows. */
  pages(number: number): Generator<number>;
  /** The pages of a run that are in many pieces. */
  scatteredPages(number: number): number[];
  /** Puts the pieces of a page together, unless they are too large. */
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

  /** Takes rows out of their pieces; returns the places at which there were any. */
  function takeOut(places: ReadonlySet<number>, known: readonly KnownPiece[]): number[] {
    return known.flatMap((piece) => {
      const found = placesIn(piece).filter((place) => places.has(place));
      if (found.length === 0) return [];
      const isLeft = found.length < piece.offsets.length;
      const left = isLeft ? readRows(piece).filter(({ place }) => !places.has(place)) : [];
      pieces.delete(piece);
      if (left.length > 0) pieces.insert(left);
      return found;
    });
  }

  function addToPage(rows: readonly Placed<Value>[]): number[] {
    const page = pageOf(rows[0]?.place as number);
    const known = piecesOn(page, page);
    const replaced = known.length === 0 ? [] : takeOut(new Set(rows.map(({ place }) => place)), known);
    pieces.insert(rows);
    const count = sum(known.map(({ offsets }) => offsets.length)) - replaced.length + rows.length;
    if (count === placesPerPage && known.length >= mostPieces) gather(page);
    return replaced;
  }

  function gather(page: number): void {
    const known = piecesOn(page, page);
    if (sum(known.map(({ size }) => size)) > mostCharacters) return;
    const rows = known.flatMap(readRows).sort(byPlace);
    for (const piece of known) pieces.delete(piece);
    pieces.insert(rows);
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
    readHeads: (from, to) => {
      const slots: Slots<Value> = [];
      for (const read of pieces.readHeads(pageOf(from), lastOf(pageOf(to))))
        putInto(slots, read, { from, to });
      return slots;
    },
    weigh: (from, to) => sum(piecesOn(from, to).map(({ size }) => size)),
    *pages(number) {
      const [first, last] = placesOf(number);
      let next = pieces.next(first, last);
      while (next !== undefined) {
        yield pageOf(next);
        next = pieces.next(lastOf(pageOf(next)) + 1, last);
      }
    },
    scatteredPages: (number) => pieces.pagesOfMany(number, mostPieces).map(pageOf),
  };
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
