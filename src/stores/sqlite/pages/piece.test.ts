import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Row } from '../database.ts';
import { packText } from '../pack-text.ts';
import { decodePiece, encodePiece, type Piece } from './piece.ts';

/** A page of rows with a number and some words each, all different. */
const rows = Array.from({ length: 200 }, (_, place) => ({
  place,
  value: { total: place / 7, said: `what was said of number ${place}, at some length` },
}));
const isBody = ([key]: readonly string[]) => key === 'said';
const values = rows.map(({ value }) => value);

/** As it comes back from the database. */
const read = (piece: Piece) => decodePiece(piece as unknown as Row);

test('the numbers of a page are kept as text, its words compressed', () => {
  const { head, body, ...piece } = encodePiece(rows, isBody);
  if (typeof head !== 'string' || typeof body === 'string') throw new Error('packed the other way round');
  expect(JSON.parse(head)).toMatchObject({
    columns: { total: { values: values.map(({ total }) => total) } },
  });
  expect(zstdDecompressSync(body).toString()).toContain('what was said of number 199');
  expect(read({ ...piece, head, body })).toEqual(values);
});

test('a head that was packed is read as well', () => {
  const { head, body, ...piece } = encodePiece(rows, isBody);
  const packed = packText(String(head), 0);
  expect(packed).toBeInstanceOf(Uint8Array);
  expect(read({ ...piece, head: packed, body })).toEqual(values);
});

test('a head without measure is packed', () => {
  const long = rows.map(({ place, value }) => ({
    place,
    value: { ...value, name: 'name '.repeat(30) + place },
  }));
  const { head, body, ...piece } = encodePiece(long, isBody);
  expect(head).toBeInstanceOf(Uint8Array);
  expect(read({ ...piece, head, body })).toEqual(long.map(({ value }) => value));
});
