import type { Json } from '../../../schema/json.ts';
import type { Column, ColumnsAside } from '../columns/column.ts';
import { type Making, putTogether } from '../columns/put-together.ts';
import { putBack, setAside } from '../columns/set-aside.ts';
import { takeApart } from '../columns/take-apart.ts';
import type { Row } from '../database.ts';
import { packText, unpackText } from '../pack-text.ts';
import { pageOf } from './place.ts';

/** A row of a table that is kept in pages. */
export interface Placed<Value> {
  readonly place: number;
  readonly value: Value;
}

/** What is known of a piece, some rows of one page, without reading it. */
export interface KnownPiece {
  /** That of its first row. */
  readonly place: number;
  /** Where each row stands on the page, in order. */
  readonly offsets: Uint8Array;
  /** Characters of both texts. */
  readonly size: number;
}

/** A piece as it is kept. */
export interface Piece extends KnownPiece {
  readonly head: string | Uint8Array;
  readonly body: string | Uint8Array;
}

/** Pieces of fewer rows are soon put together with others, and until then are kept as they are: all in the head. */
export const fewRows = 32;

/** A head is read whenever numbers are made: unless it is longer than this, in characters, it is not worth unpacking. */
const longHead = 16_000;

/** Which columns go into the body, by the keys that lead to them: those that no number is made of. */
export type IsBody = (path: readonly string[]) => boolean;

/** Makes a piece of rows of one page, which are in the order of their places. */
export function encodePiece(rows: readonly Placed<unknown>[], isBody: IsBody): Piece {
  const place = rows[0]?.place as number;
  const page = pageOf(place);
  const values = rows.map(({ value }) => value) as Json[];
  const { kept, aside } = setAside(rows.length < fewRows ? { values } : takeApart(values), isBody);
  const [head, body] = [JSON.stringify(kept), JSON.stringify(aside)];
  return {
    place,
    offsets: Uint8Array.from(rows, (row) => row.place - page),
    size: head.length + body.length,
    head: packText(head, longHead),
    body: packText(body),
  };
}

/** The rows of a piece, without the columns of the body where only the head was read. */
export function decodePiece<Value>({ offsets, head, body }: Row, making?: Making): Value[] {
  const column = JSON.parse(unpackText(head)) as Column;
  if (body !== undefined) putBack(column, JSON.parse(unpackText(body)) as ColumnsAside);
  return putTogether(column, (offsets as Uint8Array).length, making) as Value[];
}

/** The places of the rows of a piece, in order. */
export function placesIn({ place, offsets }: KnownPiece): number[] {
  return Array.from(offsets, (offset) => pageOf(place) + offset);
}
