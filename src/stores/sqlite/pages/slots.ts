import type { KnownPiece } from './piece.ts';
import { pageOf } from './place.ts';

/** The rows from one place to another, in this order; undefined where there is none. */
export type Slots<Value> = (Value | undefined)[];

/** A piece with its rows. */
type ReadPiece<Value> = readonly [KnownPiece, Value[]];

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Puts the rows of a piece into their slots, those that stand between the places. */
export function putInto<Value>(
  slots: Slots<Value>,
  [{ place, offsets }, values]: ReadPiece<Value>,
  { from, to }: Range,
): void {
  const start = pageOf(place) - from;
  for (const [index, offset] of offsets.entries()) {
    const slot = start + offset;
    if (slot >= 0 && slot <= to - from) slots[slot] = values[index];
  }
}

/** The rows of some pieces that stand between the places; those of a whole page as they are. */
export function toSlots<Value>(pieces: readonly ReadPiece<Value>[], range: Range): Slots<Value> {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined && isJust(first[0], range)) return first[1];
  const slots: Slots<Value> = [];
  for (const piece of pieces) putInto(slots, piece, range);
  return slots;
}

/** Whether the rows of a piece are those from one place to another, none missing. */
function isJust({ place, offsets }: KnownPiece, { from, to }: Range): boolean {
  const last = pageOf(place) + (offsets.at(-1) as number);
  return place === from && last === to && offsets.length === to - from + 1;
}
