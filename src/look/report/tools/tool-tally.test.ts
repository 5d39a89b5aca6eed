import { expect, test } from 'vitest';
import { storeToolRun, type ToolCase } from '../../../../test/support/tool-records.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { countMeasured, countWhole } from './distributions.ts';
import { createFaultTally } from './fault-tally.ts';
import { createToolTally } from './tool-tally.ts';

const { targets } = buildRun();

/** Tallies the answers of one target. */
async function tally(cases: readonly ToolCase[]) {
  const { run, results } = await storeToolRun(cases, targets);
  const tools = createToolTally(run);
  for (const result of results) tools.add(result);
  return tools.summarize();
}

const asked = (id: string, expected: string[], answer: ToolCase['answers'][string]): ToolCase => {
  return { id, expected, answers: { bot: answer } };
};

test('a tool is expected, used and missing by answers, and calls are counted apart', async () => {
  const { tools, answered, withCalls } = await tally([
    asked('one', ['search', 'book'], { calls: ['search', 'search'] }),
    asked('two', ['search'], { calls: ['search', 'pay'] }),
    asked('three', ['book'], { calls: [] }),
  ]);
  expect({ answered, withCalls }).toEqual({ answered: 3, withCalls: 2 });
  expect(
    tools.map(({ tool, expected, used, missing, calls }) => [
      tool,
      expected.trials,
      used.trials,
      missing.caseIds,
      calls,
    ]),
  ).toEqual([
    ['book', 2, 0, ['one', 'three'], 0],
    ['search', 2, 2, [], 3],
    ['pay', 0, 1, [], 1],
  ]);
});

test('failed calls are those with an error of the tool, or those that a metric found', async () => {
  const found: Verdict = { status: 'scored', value: 0, evidence: { failed: ['search(q: "a") (no data)'] } };
  const { tools } = await tally([
    asked('error', [], { calls: [{ name: 'book', error: 'no seat' }, 'book'] }),
    asked('found', [], { calls: [{ name: 'search', result: 'Error: no data' }], verdicts: { usage: found } }),
  ]);
  expect(tools.map(({ tool, failedCalls, failed }) => [tool, failedCalls, failed.caseIds])).toEqual([
    ['book', 1, ['error']],
    ['search', 1, ['found']],
  ]);
});

test('wrong arguments are counted where a metric compared them, and are unknown elsewhere', async () => {
  const calls = [
    { expected: 'search(q: "a")', actual: 'search(q: "b")', right: 0, total: 1 },
    { expected: 'book(seat: 1)', actual: 'book(seat: 1)', right: 1, total: 1 },
  ];
  const compared = { status: 'scored', value: 0.5, evidence: { calls } } as const;
  const known = await tally([
    asked('one', [], { calls: ['search', 'book'], verdicts: { arguments: compared } }),
  ]);
  expect(known.hasArguments).toBe(true);
  expect(known.tools.map(({ tool, wrongCalls }) => [tool, wrongCalls])).toEqual([
    ['search', 1],
    ['book', 0],
  ]);
  const unknown = await tally([asked('one', [], { calls: ['search'] })]);
  expect(unknown.hasArguments).toBe(false);
});

test('an answer whose recording leaves tools out misses none', async () => {
  const { tools, unknown, answered } = await tally([
    asked('one', ['search'], { calls: [], parts: { toolsUnknown: true } }),
  ]);
  expect({ tools, unknown, answered }).toEqual({ tools: [], unknown: 1, answered: 1 });
});

test('calls of one tool in a row are one step of a sequence, and a share needs a known result', async () => {
  const { sequences, others } = await tally([
    asked('one', [], { calls: ['search', 'search', 'book'], passed: true }),
    asked('two', [], { calls: ['search', 'search', 'book'], passed: false }),
    asked('three', [], { calls: ['search', 'search', 'book'] }),
    asked('four', [], { calls: ['search', 'book'], passed: true }),
  ]);
  expect(sequences).toEqual([
    {
      steps: [
        { tool: 'search', times: 2 },
        { tool: 'book', times: 1 },
      ],
      trials: 3,
      caseIds: ['one', 'two', 'three'],
      measured: 2,
      passed: 1,
    },
    expect.objectContaining({ trials: 1, measured: 1, passed: 1 }),
  ]);
  expect(others).toEqual({ sequences: 0, trials: 0 });
});

test('a handled fault counts for all tools together and for each tool that failed', async () => {
  const condition = { type: 'fault', kind: 'timeout', of: 'bot' } as const;
  const faulty = { name: 'bot + timeout', use: { use: 'bot' }, fingerprint: 'f', condition };
  const label = (name: string) => ({ handling: { status: 'scored', value: 1, label: name } as const });
  const answer = (way: string, ...tools: string[]) => ({
    'bot + timeout': { calls: tools.map((name) => ({ name, fault: 'timeout' })), verdicts: label(way) },
  });
  const { run, results } = await storeToolRun(
    [
      { id: 'one', expected: [], answers: answer('recovered', 'search', 'search') },
      { id: 'two', expected: [], answers: answer('made-up', 'search', 'book') },
    ],
    [...targets, faulty],
  );
  const faults = createFaultTally(run, faulty);
  for (const result of results) faults.add(result);
  expect(faults.summarize().map(({ tool, ways }) => [tool, ways])).toEqual([
    [null, { recovered: { trials: 1, caseIds: ['one'] }, 'made-up': { trials: 1, caseIds: ['two'] } }],
    ['search', { recovered: { trials: 1, caseIds: ['one'] }, 'made-up': { trials: 1, caseIds: ['two'] } }],
    ['book', { 'made-up': { trials: 1, caseIds: ['two'] } }],
  ]);
});

test('distributions count every value once', () => {
  expect(countWhole([2, 2, 4])).toEqual([
    { from: 2, to: 3, count: 2 },
    { from: 3, to: 4, count: 0 },
    { from: 4, to: 5, count: 1 },
  ]);
  const spread = countWhole([1, 500, 1000]);
  expect(spread.length).toBeLessThanOrEqual(24);
  expect(spread.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  const times = [...Array.from({ length: 99 }, (_, index) => 100 + index), 60_000];
  const measured = countMeasured(times);
  expect(measured.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  expect(measured.at(-1)).toMatchObject({ to: null, count: 1 });
  expect(countMeasured([0, 0])).toEqual([{ from: 0, to: 1, count: 2 }]);
  expect([countWhole([]), countMeasured([])]).toEqual([[], []]);
});
