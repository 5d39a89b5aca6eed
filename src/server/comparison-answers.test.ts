import { expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../test/support/build-kept-run.ts';
import { compareRuns } from '../people/reviews/compare-runs.ts';
import { comparisonFileSchema } from '../core/schema/api/comparison/comparison-file.ts';
import {
  comparisonViewSchema,
  differenceListSchema,
  pairListSchema,
} from '../core/schema/api/comparison/comparison-view.ts';
import { pairedCaseSchema } from '../core/schema/api/comparison/paired-case.ts';
import { type AnswerLimits, readComparisonAnswers } from './comparison-answers.ts';

const count = 230;
const asked = (totalOf: (index: number) => number, answer: string): AskedCase[] =>
  Array.from({ length: count }, (_, index) => ({
    asks: `q${index}`,
    attempts: [{ total: totalOf(index), answer: index === 7 ? answer.repeat(5_000) : answer }],
  }));
const a = await buildKeptRun(
  asked(() => 0.9, 'before'),
  { id: 'a' },
);
const b = await buildKeptRun(
  asked((index) => (index < 10 ? index / 20 : 0.95), 'after'),
  { id: 'b' },
);
const comparison = await compareRuns([a, b]);

/** Reads the answers within limits, by their paths. */
async function read(limits: Partial<AnswerLimits> = {}) {
  const all = { cases: 2_000, bytes: 20_000_000, ...limits };
  return new Map(await Array.fromAsync(readComparisonAnswers({ a, b, comparison }, all)));
}

test('a file has the comparison, the differences, the cases and the answers to each', async () => {
  const answers = await read();
  expect(comparisonViewSchema.parse(answers.get('/compare')).comparison.comparisons).toHaveLength(1);
  expect(differenceListSchema.parse(answers.get('/compare/0/differences/0')).steps.length).toBeGreaterThan(2);
  expect(pairListSchema.parse(answers.get('/compare/0/cases'))).toMatchObject({ count, next: null });
  expect(pairedCaseSchema.parse(answers.get('/compare/0/cases/3'))).toMatchObject({
    a: { attempts: [{ answer: 'before' }] },
    b: { attempts: [{ answer: 'after' }] },
  });
  expect(answers.get('/comparison')).toEqual({ pairs: [{ shown: count, cases: count }] });
});

test('the greatest losses come first, and a case that is too large is left out', async () => {
  const few = await read({ cases: 3 });
  const positions = (answers: Map<string, unknown>) =>
    pairListSchema.parse(answers.get('/compare/0/cases')).rows.map(({ position }) => position);
  expect(positions(few)).toEqual([0, 1, 2]);
  expect(comparisonFileSchema.parse(few.get('/comparison'))).toEqual({ pairs: [{ shown: 3, cases: count }] });
  const small = positions(await read({ bytes: 25_000 }));
  expect(small.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 8]);
  expect(small.length).toBeLessThan(count);
});
