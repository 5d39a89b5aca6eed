import { expect, test } from 'vitest';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { run } from '../../evaluate/run/run.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';

const drafts = Array.from({ length: 6 }, (_, index) => ({
  id: `q${index}`,
  input: `question ${index}`,
  expected: { keywords: ['yes'] },
}));

/** Runs three bots: one that always passes, one that never does, and one that crashes. Returns the decision of a gate. */
async function decide(gate: Partial<Gate>) {
  const bots = {
    good: buildTarget(() => 'yes'),
    bad: buildTarget(() => 'no'),
    down: buildTarget(() => {
      throw new Error('down');
    }),
  };
  const targets = Object.entries(bots).map(([name, bot]) => resolvedTarget(name, bot));
  const evaluation = buildEvaluation(drafts, targets, {
    settings: { concurrency: 1, timeLimitMs: 60_000, maxRetries: 0, stopAfterFailures: 3 },
    gate: { minCoverage: 1, ...gate },
  });
  const needs = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  };
  const { stops, summary } = await run(evaluation, needs);
  expect(stops?.map(({ target }) => target)).toEqual(['down']);
  return summary?.decision;
}

test('a gate that names targets is about these alone: others neither fail it nor keep it from deciding', async () => {
  expect(await decide({ failUnder: 90 })).toMatchObject({ outcome: 'fail' });
  expect(await decide({ failUnder: 90, targets: ['good', 'down'] })).toMatchObject({
    outcome: 'not-measured',
  });
  const alone = await decide({ failUnder: 90, targets: ['good'] });
  expect(alone).toMatchObject({ outcome: 'pass' });
  expect(alone?.reasons.join()).not.toMatch(/bad|down/);
});

test('a rule that names a target is decided for it alone', async () => {
  const rules: Gate['rules'] = {
    high: { type: 'score', atLeast: 90, target: 'good' },
    floor: { type: 'score', atLeast: 1 },
  };
  const decision = await decide({ rules, targets: ['good', 'bad'] });
  expect(decision?.rules?.map(({ name, target, outcome }) => [name, target, outcome])).toEqual([
    ['high', 'good', 'pass'],
    ['floor', 'good', 'pass'],
    ['floor', 'bad', expect.any(String)],
  ]);
});

test('a gate all of whose rules name targets is about these', async () => {
  const rules: Gate['rules'] = { high: { type: 'score', atLeast: 90, target: 'good' } };
  expect(await decide({ rules })).toMatchObject({ outcome: 'pass' });
  expect(await decide({ rules, failUnder: 0 })).toMatchObject({ outcome: 'not-measured' });
});

test('a target that the run did not ask keeps the gate from deciding, with its name', async () => {
  const decision = await decide({ failUnder: 0, targets: ['good', 'other'] });
  expect(decision).toMatchObject({
    outcome: 'not-measured',
    reasons: ['the gate is about other, which this run did not ask: it asked good, bad, down'],
  });
});
