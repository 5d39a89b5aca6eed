import type { Database, Row } from '../database.ts';
import { decodePiece, encodePiece, fewRows, type IsBody, type KnownPiece, type Placed } from './piece.ts';
import { placesOf, placesPerPage } from './place.ts';

/** More characters than this are not put into one piece, unless they are one row. */
export const mostCharacters = 4 * 2 ** 20;

/** What is known of all pieces of a page together. */
export interface PageSummary {
  /** How many of them have few rows. */
  readonly small: number;
  /** Where on the page there are rows, in no order. */
  readonly taken: Uint8Array;
}

/** Reads and writes the pieces of one table. `isBody` says which columns are kept apart, for heads to be read without. */
export function createPieceTable<Value>(
  database: Database,
  table: 'cases' | 'trials' | 'scores',
  isBody: IsBody,
) {
  const between = `FROM ${table} WHERE place BETWEEN ? AND ?`;
  const selectKnown = database.prepare(`SELECT place, offsets, size ${between} ORDER BY place`);
  const selectSummary = database.prepare(
    `SELECT count(*) FILTER (WHERE length(offsets) < ${fewRows}) AS small,
       ifnull(group_concat(hex(offsets), ''), '') AS taken ${between}`,
  );
  const selectHeads = database.prepare(`SELECT place, offsets, head ${between}`);
  const selectPiece = database.prepare(`SELECT offsets, head, body FROM ${table} WHERE place = ?`);
  const selectNext = database.prepare(`SELECT place ${between} ORDER BY place LIMIT 1`);
  const selectMany = database.prepare(
    `SELECT min(place) AS place ${between} GROUP BY place / ${placesPerPage} HAVING count(*) > ?`,
  );
  const insertPiece = database.prepare(
    `INSERT INTO ${table} (place, offsets, size, head, body) VALUES (?, ?, ?, ?, ?)`,
  );
  const deletePieces = database.prepare(`DELETE ${between}`);

  /** As in the last piece: rows of a run are of a kind, and it takes long to find out that they were too many for one piece. */
  let charactersPerRow = 1;

  /** Adds rows of one page, in the order of their places, none of which is there. */
  function insert(rows: readonly Placed<Value>[]): void {
    for (let from = 0; from < rows.length; ) {
      const part = rows.slice(from, from + Math.max(1, Math.floor(mostCharacters / charactersPerRow)));
      const { place, offsets, size, head, body } = encodePiece(part, isBody);
      charactersPerRow = size / part.length;
      if (size > mostCharacters && part.length > 1) continue;
      insertPiece.run(place, offsets, size, head, body);
      from += part.length;
    }
  }

  return {
    insert,
    known: (from: number, to: number) => selectKnown.all(from, to) as unknown as KnownPiece[],
    /** In one row: there may be many pieces, and this is asked whenever something is added. */
    summary: (from: number, to: number): PageSummary => {
      const { small, taken } = selectSummary.get(from, to) as Row;
      return { small: Number(small), taken: Buffer.from(String(taken), 'hex') };
    },
    /** The rows of a piece, in the order of its offsets. */
    read: ({ place }: KnownPiece): Value[] => decodePiece<Value>(selectPiece.get(place) as Row),
    /** The same of all pieces from one place to another, without the body; alike values may be one object. */
    readHeads: (from: number, to: number): readonly (readonly [KnownPiece, Value[]])[] =>
      selectHeads.all(from, to).map((row) => {
        return [row as unknown as KnownPiece, decodePiece<Value>(row, { isShared: true })];
      }),
    delete: ({ place }: KnownPiece): void => {
      deletePieces.run(place, place);
    },
    deleteRun: (number: number): void => {
      deletePieces.run(...placesOf(number));
    },
    /** The place of the first piece from one place to another. */
    next: (from: number, to: number) => selectNext.get(from, to)?.['place'] as number | undefined,
    /** A place on each page of a run that is in more pieces than `count`. */
    pagesOfMany: (number: number, count: number): number[] =>
      selectMany.all(...placesOf(number), count).map((row) => row['place'] as number),
  };
}
