import { expect, test } from 'vitest';
import { listPairs } from '../../../../src/look/queries/pairs.ts';
import { type AskedCase, buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { choosePairs } from './comparison.ts';

const asked = (totals: readonly (readonly number[])[]): AskedCase[] =>
  totals.map((attempts, index) => ({
    asks: `q${index}`,
    category: index % 2 === 0 ? 'even' : 'odd',
    attempts: attempts.map((total) => ({ total })),
  }));
const a = await buildKeptRun(
  asked([
    [1, 1],
    [1, 1],
    [0, 1],
    [0, 0],
    [0.4, 0.2],
    [1, 0.5],
    [0, 0.1],
  ]),
);
const b = await buildKeptRun(
  asked([
    [1, 0.9],
    [0, 0],
    [1, 1],
    [1, 0],
    [0.9, 0.9],
    [1, 0.5],
    [0.3, 0],
  ]),
);
const { rows } = await listPairs(a, b);

test.each([
  ['', 'change'],
  ['', '-change'],
  ['', ''],
  ['flip=worse', 'change'],
  ['flip=better', '-change'],
  ['change<0', 'b.total'],
  ['change>0 category=even', '-a.total'],
  ['a.passed=true b.passed=false', 'change'],
  ['a.passed=true b.passed=true', 'id'],
])('a file lists the cases with "%s", sorted by "%s", as the server does', async (where, sort) => {
  const { rows: expected } = await listPairs(a, b, { where, sort });
  expect(choosePairs(rows, where, sort)).toEqual(expected);
});

test('what the rows do not contain is refused, never ignored', () => {
  expect(() => choosePairs(rows, 'b.latencyMs>5', '')).toThrow('cannot filter or sort by "latencyMs"');
  expect(() => choosePairs(rows, '', '-b.cost')).toThrow('cannot filter or sort by "cost"');
  expect(() => choosePairs(rows, 'flop=worse', '')).toThrow('unknown field');
});
