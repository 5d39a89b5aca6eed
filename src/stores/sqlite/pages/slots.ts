import type { KnownPiece } from './piece.ts';
import { pageOf } from './place.ts';

/** The rows from one place to another, in this order; undefined where there is none. */
export type Slots<Value> = (Value | undefined)[];

/** Puts the rows of a piece into their slots, those that stand between the places. */
export function putInto<Value>(
  slots: Slots<Value>,
  [{ place, offsets }, values]: readonly [KnownPiece, readonly Value[]],
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const start = pageOf(place) - from;
  for (const [index, offset] of offsets.entries()) {
    const slot = start + offset;
    if (slot >= 0 && slot <= to - from) slots[slot] = values[index];
  }
}
