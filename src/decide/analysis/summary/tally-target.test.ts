import { expect, test } from 'vitest';
import type { Outcome } from '../../../core/schema/result.ts';
import type { RunScorecard } from '../../../core/schema/run.ts';
import type { VerdictNumbers } from '../../../core/schema/verdict.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { createOutcomeTally, createTargetTally } from './tally-target.ts';

const scorecard: RunScorecard = {
  name: 'binary-weighted',
  use: { use: 'binary-weighted' },
  version: 1,
  criteria: [
    { name: 'right time', metric: 'time', weight: 1, required: false },
    { name: 'rude', metric: 'rude', weight: 0.2, required: false, negative: true },
  ],
  grades: [],
  outcomes: [
    { outcome: 'done', from: 0.5, meaning: '' },
    { outcome: 'not done', from: 0, meaning: '' },
  ],
  passMark: 0.5,
};

function outcome(caseId: string, time: VerdictNumbers, rude: number, result: string | null): Outcome {
  return {
    case: {},
    trial: { ordinal: 0, caseId, target: 'bot', status: 'completed', retries: 0 },
    verdicts: { time, rude: { status: 'scored', value: rude } },
    scorecard: { total: 1, lower: 1, upper: 1, grade: null, outcome: result, passed: result === 'done' },
  };
}

const scored = (value: number): VerdictNumbers => ({ status: 'scored', value });

test('outcomes are counted with their share, and unknown ones are ignored', () => {
  const tally = createOutcomeTally(scorecard, 1);
  for (const [index, result] of ['done', 'done', 'not done', null].entries()) {
    tally.add(outcome(`c${index}`, scored(1), 0, result));
  }
  expect(tally.summarize().outcomes).toEqual([
    { outcome: 'done', trials: 2, share: expect.objectContaining({ value: 2 / 3, n: 3 }) },
    { outcome: 'not done', trials: 1, share: expect.objectContaining({ value: 1 / 3, n: 3 }) },
  ]);
});

test('a criterion counts as unmet when it is false, and a negative one when it is true', () => {
  const tally = createOutcomeTally(scorecard, 1);
  tally.add(outcome('a', scored(0), 1, 'not done'));
  tally.add(outcome('b', scored(1), 0, 'done'));
  tally.add(outcome('c', { status: 'failed', code: 'judge-down' }, 0, null));
  tally.add(outcome('d', { status: 'not-applicable' }, 0, 'done'));
  expect(tally.summarize().criteria).toMatchObject([
    {
      criterion: 'right time',
      unmet: 1,
      measured: 2,
      notApplicable: 1,
      notMeasured: 1,
      share: { value: 0.5 },
    },
    { criterion: 'rude', unmet: 1, measured: 4, share: { value: 0.25 } },
  ]);
});

test('a category has pass@k and pass^k over all attempts at its own cases', () => {
  const run = buildRun({
    scorecard,
    attempts: 3,
    dataset: { sources: ['golden.jsonl'], cases: 5, hash: 'h' },
  });
  const tally = createTargetTally(
    run,
    'bot',
    new Map([
      ['fees', 4],
      ['dates', 1],
    ]),
  );
  const passes = { a: [1, 1, 1], b: [0, 1, 1], c: [0, 0, 0], d: [1, 1, 1], e: [0, 1, 0] };
  for (const [id, results] of Object.entries(passes)) {
    const category = id === 'e' ? 'dates' : 'fees';
    tally.add(
      results.map((passed) => ({
        ...outcome(id, scored(passed), 0, passed === 1 ? 'done' : 'not done'),
        case: { category },
      })),
    );
  }
  const [fees, dates] = tally.summarize().categories;
  expect(fees?.reliability).toMatchObject({ k: 3, any: { value: 3 / 4, n: 4 }, all: { value: 2 / 4, n: 4 } });
  expect(dates?.reliability).toMatchObject({ k: 3, any: { value: 1, n: 1 }, all: { value: 0, n: 1 } });
  const once = createTargetTally({ ...run, attempts: 1 }, 'bot', new Map([['fees', 1]])).summarize();
  expect(once.categories[0]?.reliability).toBeUndefined();
});

test('quantities that are all equal have a mean and no interval, as their spread is unknown', () => {
  const lengthMetric = {
    name: 'length',
    use: { use: 'length' },
    version: 1,
    fingerprint: 'l',
    family: 'operations',
  } as const;
  const of = (...values: number[]) => {
    const run = buildRun({ metrics: [lengthMetric] });
    const tally = createTargetTally(run, 'bot', new Map([['', values.length]]));
    for (const [index, value] of values.entries()) {
      const length: VerdictNumbers = { status: 'scored', value, unit: 'characters' };
      tally.add([{ ...outcome(`c${index}`, length, 0, null), verdicts: { length } }]);
    }
    return tally.summarize().metrics[0]?.estimate;
  };
  expect(of(3, 3)).toMatchObject({ value: 3, lower: null, upper: null, reason: expect.any(String) });
  expect(of(3, 4)).toMatchObject({ value: 3.5, lower: expect.any(Number) });
});
