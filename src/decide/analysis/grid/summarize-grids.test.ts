import { expect, test } from 'vitest';
import { type CellNumbers, findFront } from './summarize-grids.ts';

const questions = 200;
const clusters = Array.from({ length: questions }, (_, at) => `#${at}`);

/** Returns a cell that fails every `each`-th question. */
function cell(target: string, each: number, cost: number | null): CellNumbers {
  const scores = clusters.map((_, at) => Number(at % each > 0));
  const costs = clusters.map(() => cost ?? Number.NaN);
  return { target, scores, costs, score: 1 - 1 / each, cost };
}

test('a cell is dominated where another is shown to be better and cheaper, and in doubt where it is so by its point alone', () => {
  const cells = [cell('good', 50, 2), cell('poor', 2, 3), cell('near', 45, 2.5), cell('cheap', 3, 1)];
  expect(findFront(cells, { clusters, within: 0.1 })).toEqual([
    { front: 'on', dominatedBy: null, cheaper: [] },
    { front: 'dominated', dominatedBy: 'good', cheaper: ['cheap', 'good', 'near'] },
    { front: 'in-doubt', dominatedBy: null, cheaper: ['good'] },
    { front: 'on', dominatedBy: null, cheaper: [] },
  ]);
});

test('equal cells of other costs are in doubt, and without a cost there is no front', () => {
  const [cheap, dear] = findFront([cell('a', 5, 1), cell('b', 5, 2)], { clusters });
  expect([cheap?.front, dear?.front]).toEqual(['on', 'in-doubt']);
  expect(findFront([cell('a', 5, 1), cell('b', 5, null)], { clusters })[0]?.front).toBe('unknown');
});
