import { expect, test } from 'vitest';
import { storeToolRun, type ToolCase } from '../../../../test/support/tool-records.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { countMeasured, countWhole } from './distributions.ts';
import { viewFaults, viewToolTarget } from './view-tools.ts';

const { targets } = buildRun();

const asked = (id: string, expected: string[], answer: ToolCase['answers'][string]): ToolCase => {
  return { id, expected, answers: { bot: answer } };
};

/** Returns the view of the tools of one target. */
async function viewOf(cases: readonly ToolCase[]) {
  const { run, store, results } = await storeToolRun(cases, targets);
  const trials = results.map(({ trial, scorecard }) => {
    return { status: trial.status, passed: scorecard?.passed ?? null, steps: 1, trials: 1 };
  });
  const answered = trials.filter(({ status, passed }) => status === 'completed' && passed !== null);
  const judged = { measured: answered.length, passed: answered.filter(({ passed }) => passed).length };
  return viewToolTarget({ trials, judged, traits: await store.countTraits(run.id) });
}

test('a tool is counted by answers, and its calls apart; one that is missing comes first', async () => {
  const { tools, answered, withCalls } = await viewOf([
    asked('one', ['search', 'book'], { calls: ['search', 'search'] }),
    asked('two', ['search'], { calls: ['search', { name: 'pay', error: 'no card' }] }),
    asked('three', ['book'], { calls: [] }),
  ]);
  expect({ answered, withCalls }).toEqual({ answered: 3, withCalls: 2 });
  const shown = tools.map((row) => [
    row.tool,
    row.expected,
    row.used,
    row.missing,
    row.calls,
    row.failedCalls,
  ]);
  expect(shown).toEqual([
    ['book', 2, 0, 2, 0, 0],
    ['search', 2, 2, 0, 3, 0],
    ['pay', 0, 1, 0, 1, 1],
  ]);
});

test('an answer without a call is a sequence of its own, and a share needs a known result', async () => {
  const { sequences, others, unknown } = await viewOf([
    asked('one', [], { calls: ['search', 'book'], passed: true }),
    asked('two', [], { calls: ['search', 'book'], passed: false }),
    asked('three', [], { calls: ['search', 'book'] }),
    asked('four', [], { calls: [], passed: true }),
    asked('five', [], { calls: [], passed: false, parts: { toolsUnknown: true } }),
  ]);
  expect(sequences).toEqual([
    { calls: 'search → book', trials: 3, measured: 2, passed: 1 },
    { calls: null, trials: 1, measured: 1, passed: 1 },
  ]);
  expect({ others, unknown }).toEqual({ others: { sequences: 0, trials: 0 }, unknown: 1 });
});

test('of more than twenty sequences, the most frequent are listed, and the others counted', async () => {
  const cases = Array.from({ length: 30 }, (_, index) =>
    asked(`c${index}`, [], { calls: [`tool-${index}`] }),
  );
  const { sequences, others } = await viewOf([...cases, asked('again', [], { calls: ['tool-7'] })]);
  expect(sequences[0]).toMatchObject({ calls: 'tool-7', trials: 2 });
  expect([sequences.length, others]).toEqual([20, { sequences: 10, trials: 10 }]);
});

test('a handled fault counts for all tools together and for each tool that failed', async () => {
  const condition = { type: 'fault', kind: 'timeout', of: 'bot' } as const;
  const faulty = { name: 'bot + timeout', use: { use: 'bot' }, fingerprint: 'f', condition };
  const answer = (label: string, ...tools: string[]): ToolCase['answers'] => ({
    'bot + timeout': {
      calls: tools.map((name) => ({ name, fault: 'timeout' })),
      verdicts: { handling: { status: 'scored', value: 1, label } },
    },
  });
  const { run, store } = await storeToolRun(
    [
      { id: 'one', expected: [], answers: answer('recovered', 'search', 'search') },
      { id: 'two', expected: [], answers: answer('made-up', 'search', 'book in time') },
    ],
    [...targets, faulty],
  );
  const rows = viewFaults(faulty, await store.countTraits(run.id));
  expect(rows[0]).toMatchObject({ tool: null, ways: { recovered: 1, 'made-up': 1 } });
  expect(new Map(rows.map(({ tool, ways }) => [tool, ways]))).toEqual(
    new Map<string | null, Record<string, number>>([
      [null, { recovered: 1, 'made-up': 1 }],
      ['search', { recovered: 1, 'made-up': 1 }],
      ['book in time', { 'made-up': 1 }],
    ]),
  );
});

test('distributions count every value once', () => {
  expect(
    countWhole([
      [2, 2],
      [4, 1],
    ]),
  ).toEqual([
    { from: 2, to: 3, count: 2 },
    { from: 3, to: 4, count: 0 },
    { from: 4, to: 5, count: 1 },
  ]);
  const spread = countWhole([1, 500, 1000].map((value) => [value, 1]));
  expect(spread.length).toBeLessThanOrEqual(24);
  expect(spread.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const times = [...Array.from({ length: 99 }, (_, index) => 100 + index), 60_000];
  const measured = countMeasured(times.map((value) => [value, 1]));
  expect(measured.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  expect(measured.at(-1)).toMatchObject({ to: null, count: 1 });
  expect(countMeasured([[0, 2]])).toEqual([{ from: 0, to: 1, count: 2 }]);
  expect([countWhole([]), countMeasured([])]).toEqual([[], []]);
});
