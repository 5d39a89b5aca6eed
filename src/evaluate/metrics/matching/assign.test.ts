import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign } from './assign.ts';

/** Returns the largest sum over all assignments of columns to rows, by trying each. */
function bestByTrying(weights: readonly (readonly number[])[], taken = new Set<number>(), row = 0): number {
  const columns = weights[row];
  if (columns === undefined) return 0;
  const sums = columns.map((weight, column) => {
    if (taken.has(column)) return 0;
    return weight + bestByTrying(weights, new Set([...taken, column]), row + 1);
  });
  return Math.max(bestByTrying(weights, taken, row + 1), ...sums);
}

function sumOf(weights: readonly (readonly number[])[]): number {
  return assign(weights).reduce<number>(
    (sum, column, row) => sum + (column === null ? 0 : (weights[row]?.[column] ?? Number.NaN)),
    0,
  );
}

test('a row gives up its best partner when the sum is larger then', () => {
  expect(
    assign([
      [1, 0.9],
      [0.8, 0],
    ]),
  ).toEqual([1, 0]);
});

test('rows and columns without a positive weight stay unpaired', () => {
  expect(assign([])).toEqual([]);
  expect(assign([[], []])).toEqual([null, null]);
  expect(
    assign([
      [0, 0],
      [0, 1],
      [0.5, 0],
      [0, 0.2],
    ]),
  ).toEqual([null, 1, 0, null]);
});

const matrices = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })).chain(([rows, columns]) => {
  const weight = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  const row = fc.array(weight, { minLength: columns, maxLength: columns });
  return fc.array(row, { minLength: rows, maxLength: rows });
});

test('the sum equals that of the best of all pairings', () => {
  fc.assert(
    fc.property(matrices, (weights) => {
      expect(sumOf(weights)).toBeCloseTo(bestByTrying(weights), 9);
    }),
    { numRuns: 1_000 },
  );
});

test('assigns no column twice', () => {
  fc.assert(
    fc.property(matrices, (weights) => {
      const given = assign(weights).filter((column) => column !== null);
      expect(new Set(given).size).toBe(given.length);
    }),
  );
});

test('finds a diagonal that was planted among a hundred rows and columns', () => {
  const weights = Array.from({ length: 100 }, (_, row) =>
    Array.from({ length: 100 }, (_, column) =>
      column === (row * 37) % 100 ? 1 : ((row + column) % 10) / 11,
    ),
  );
  expect(assign(weights)).toEqual(Array.from({ length: 100 }, (_, row) => (row * 37) % 100));
});

test('pairs many rows that clearly differ; many that are all alike are too many', () => {
  const alone = Array.from({ length: 600 }, (_, row) =>
    Array.from({ length: 600 }, (__, column) => Number(row === column)),
  );
  expect(assign(alone).every((column, row) => column === row)).toBe(true);
  const alike = Array.from({ length: 600 }, () => Array.from({ length: 600 }, () => 1));
  expect(() => assign(alike)).toThrow(expect.objectContaining({ code: 'too-long' }));
});
