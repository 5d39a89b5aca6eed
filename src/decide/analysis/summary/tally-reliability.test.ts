import { expect, test } from 'vitest';
import type { Outcome } from '../../../core/schema/result.ts';
import { createReliabilityTally } from './tally-reliability.ts';

/** Adds the attempts at one case: passed, failed, or not measured. */
function attemptsOf(caseId: string, marks: string): Outcome[] {
  return Array.from(marks, (mark, index) => ({
    case: {},
    trial: {
      ordinal: index,
      caseId,
      target: 'bot',
      status: mark === '!' ? 'failed' : 'completed',
      retries: 0,
    },
    verdicts: {},
    scorecard:
      mark === '!'
        ? { total: null, lower: 0, upper: 1, grade: null, passed: null }
        : { total: 1, lower: 1, upper: 1, grade: 'A', passed: mark === '+' },
  }));
}

function tally(attempts: number, cases: Record<string, string>, planned = Object.keys(cases).length) {
  const reliability = createReliabilityTally({ attempts, cases: planned });
  for (const [caseId, marks] of Object.entries(cases)) {
    for (const outcome of attemptsOf(caseId, marks)) reliability.add(outcome);
  }
  return reliability.summarize();
}

test('pass@k and pass^k are drawn without replacement, and averaged over cases', () => {
  const { levels } = tally(8, { a: '++++++--' });
  expect(levels[3]).toMatchObject({ k: 4, all: { value: expect.closeTo(0.214_285_714, 9), n: 1 } });
  const two = tally(2, { a: '++', b: '+-', c: '--' });
  expect(two.levels.map(({ k, any, all }) => [k, any.value, all.value])).toEqual([
    [1, expect.closeTo(0.5), expect.closeTo(0.5)],
    [2, expect.closeTo(2 / 3), expect.closeTo(1 / 3)],
  ]);
});

test('cases are grouped by how many of their attempts passed, the flaky ones first', () => {
  const { groups, unmeasured } = tally(3, { a: '+-+', b: '+++', c: '---', d: '-++', e: '!!!' }, 6);
  expect(groups).toEqual([
    { passed: 2, measured: 3, cases: 2, ids: ['a', 'd'] },
    { passed: 0, measured: 3, cases: 1, ids: ['c'] },
    { passed: 3, measured: 3, cases: 1, ids: ['b'] },
  ]);
  expect(unmeasured).toBe(2);
});

test('a case with fewer measured attempts than k does not count for k', () => {
  const { levels } = tally(2, { a: '+!', b: '++' });
  expect(levels.map(({ all }) => [all.value, all.n])).toEqual([
    [1, 2],
    [1, 1],
  ]);
});

test('with many attempts only some k are listed, including the largest', () => {
  expect(tally(20, { a: '+'.repeat(20) }).levels.map(({ k }) => k)).toEqual([1, 2, 4, 8, 16, 20]);
});
