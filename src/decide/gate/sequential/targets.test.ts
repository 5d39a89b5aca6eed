import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import type { Gate } from '../../../core/schema/gate.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { run } from '../../../evaluate/run/run.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';

const drafts = Array.from({ length: 150 }, (_, index) => ({
  id: `q${index}`,
  input: `question ${index}`,
  expected: { keywords: ['yes'] },
}));
const rules: Gate['rules'] = {
  good: { type: 'pass-rate', atLeast: 80, confidence: 0.95, method: 'clopper-pearson' },
};

/** Runs targets that always give the same answer, one call at a time for each. */
async function runTargets(answers: Readonly<Record<string, string>>, parts: object = {}) {
  const bots = Object.entries(answers).map(([name, answer]) => [name, buildTarget(() => answer)] as const);
  const targets = bots.map(([name, bot]) => resolvedTarget(name, bot));
  const evaluation = buildEvaluation(drafts, targets, {
    settings: { concurrency: 1, timeLimitMs: 60_000, maxRetries: 0 },
    gate: { minCoverage: 1, rules, sequential: { error: 0.05, leastCases: 1, seed: 1 } },
    ...parts,
  });
  const store = createMemoryStore();
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const calls = () => bots.map(([, bot]) => bot.calls);
  return { run: await run(evaluation, needs), calls: calls() };
}

test('every target is decided separately, and the run ends once all have passed', async () => {
  const { run: finished, calls } = await runTargets({ one: 'yes', other: 'yes' });
  const { decision } = finished.summary ?? {};
  expect(decision?.rules?.map(({ target, outcome }) => [target, outcome])).toEqual([
    ['one', 'pass'],
    ['other', 'pass'],
  ]);
  for (const of of calls) expect(of.length).toBeLessThan(60);
  expect(calls[0]?.slice(0, 20)).toEqual(calls[1]?.slice(0, 20));
  expect(decision?.sequential).toMatchObject({ planned: 300, asked: calls.flat().length });
});

test('one failed target ends the run, and the decisions about the others stay open', async () => {
  const { run: finished, calls } = await runTargets({ good: 'yes', bad: 'no' });
  expect(finished).toMatchObject({ status: 'completed', summary: { decision: { outcome: 'fail' } } });
  expect(finished.summary?.decision.rules?.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'fail']);
  expect(calls.flat().length).toBeLessThan(40);
});

test('interleaved targets are asked the same cases and end together', async () => {
  const { run: finished, calls } = await runTargets({ one: 'yes', other: 'yes' }, { isInterleaved: true });
  expect(finished).toMatchObject({ status: 'completed', summary: { decision: { outcome: 'pass' } } });
  const [one = [], other = []] = calls;
  expect(Math.abs(one.length - other.length)).toBeLessThan(2);
});
