import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparePair } from '../../decide/analysis/compare/compare-pair.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { encodeBaseline } from '../../decide/gate/baselines.ts';
import { makeBaseline } from '../../decide/gate/make-baseline.ts';
import { latency } from '../metrics/operations/latency.ts';
import { type Gate, gateRuleSchema } from '../../core/schema/gate.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { TargetFailure } from '../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { neverStopped } from './run-needs.ts';
import { run } from './run.ts';

const cases = 20;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-outage-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** Runs the three-component scorecard over a bot that answers the first questions perfectly, and fails on the rest. */
async function runWithOutage(answered: number, gate: Partial<Gate>, parts: Partial<Evaluation> = {}) {
  const bot = buildTarget(async ({ caseId }) => {
    if (Number(caseId.slice(1)) < answered) return 'yes';
    throw new TargetFailure('target-threw', 'connection refused');
  });
  const drafts = Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));
  const evaluation = buildEvaluation(drafts, [resolvedTarget('bot', bot)], {
    gate: { minCoverage: 1, ...gate },
    ...parts,
  });
  const metrics = [...evaluation.metrics, resolvedMetric('latency', latency.definition.create({}, {}))];
  const store = createMemoryStore();
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  return { run: await run({ ...evaluation, metrics }, needs), store };
}

const outcomeOf = ({ run: { summary } }: { readonly run: Run }) => summary?.decision.outcome;

test.each([1, 50, 79, 80, 81, 85, 99, 100])(
  'when every trial failed, a threshold of %s in a hundred is not measured',
  async (failUnder) => {
    const found = await runWithOutage(0, { failUnder });
    expect(outcomeOf(found)).toBe('not-measured');
    expect(found.run.summary?.targets[0]).toMatchObject({ worstCase: 0, bestCase: 1 });
  },
);

test('the record of a failed trial keeps its scorecard result', async () => {
  const { run: finished, store } = await runWithOutage(0, {});
  const [first] = await Array.fromAsync(store.readResults(finished.id));
  expect(first?.verdicts['error-handling']).toMatchObject({ status: 'scored', value: 0, passed: false });
  expect(first?.scorecard).toMatchObject({ total: null, lower: 0, upper: expect.closeTo(0.8, 12) });
  expect(finished.summary?.targets[0]?.errorRate).toMatchObject({ value: 1, n: cases });
});

const rules = [
  { type: 'score', atLeast: 99 },
  { type: 'score', atLeast: 99, confidence: 0.95 },
  { type: 'score', atLeast: 99, category: '*' },
  { type: 'pass-rate', atLeast: 99 },
  { type: 'metric', metric: 'error-handling', atLeast: 99 },
  { type: 'metric', metric: 'latency', atMost: 0.0001 },
  { type: 'criterion', criterion: 'error handling', atLeast: 99 },
  { type: 'required-cases', ids: ['q*'] },
  { type: 'latency', percentile: 'p50', atMostMs: 0.0001 },
  { type: 'latency', percentile: 'p99', atMostMs: 600_000 },
] as const;

test.each(rules)('an outage neither fails nor passes the rule %j', async (rule) => {
  const gate = { rules: { it: gateRuleSchema.parse(rule) } };
  const whole = await runWithOutage(0, gate);
  expect(whole.run.summary?.decision.rules).toMatchObject([{ outcome: 'not-measured' }]);
  // The same holds question by question.
  const watched = await runWithOutage(0, { ...gate, sequential: { error: 0.05, leastCases: 1, seed: 7 } });
  expect(outcomeOf(watched)).toBe('not-measured');
});

test('when some trials failed, only what they could not change is decided', async () => {
  const scoreOf = async (atLeast: number) =>
    outcomeOf(
      await runWithOutage(15, {
        minCoverage: 0,
        rules: { it: gateRuleSchema.parse({ type: 'metric', metric: 'error-handling', atLeast }) },
      }),
    );
  // Without a minimum coverage the rule concerns what was measured: 15 of 15 answers.
  expect(await scoreOf(99)).toBe('pass');
  expect(outcomeOf(await runWithOutage(15, { failUnder: 75 }))).toBe('pass');
  expect(outcomeOf(await runWithOutage(15, { failUnder: 76 }))).toBe('not-measured');
  expect(outcomeOf(await runWithOutage(15, { failUnder: 100 }))).toBe('not-measured');
});

test('attempts that failed neither pass nor fail a case', async () => {
  const parts = { attempts: 3, caseRule: { passes: 2, isCurtailed: true } };
  const found = await runWithOutage(0, { failUnder: 95 }, parts);
  expect(outcomeOf(found)).toBe('not-measured');
  expect(found.run.summary?.targets[0]?.reliability?.rule).toMatchObject({
    passed: 0,
    failed: 0,
    undecided: cases,
  });
});

const againstBaseline = async (before: number, now: number, subject: object) => {
  const kept = await runWithOutage(before, {});
  const baseline = path.join(folder, 'main.json');
  await writeFile(baseline, encodeBaseline(await makeBaseline('main', kept.run, kept.store)));
  const rule = gateRuleSchema.parse({ type: 'no-regression', margin: 5, ...subject });
  const { run: finished } = await runWithOutage(now, { baseline, rules: { it: rule } });
  return finished.summary?.decision.rules?.[0]?.outcome;
};

test.each([{}, { of: 'pass-rate' }, { metric: 'error-handling' }])(
  'an outage in a run or its baseline is neither a regression nor proof of none: %j',
  async (subject) => {
    expect(await againstBaseline(cases, 0, subject)).toBe('not-measured');
    expect(await againstBaseline(0, cases, subject)).toBe('not-measured');
    expect(await againstBaseline(0, 0, subject)).toBe('not-measured');
  },
);

async function compare(a: { run: Run; store: Store }, b: { run: Run; store: Store }) {
  const side = (found: { run: Run; store: Store }) => ({ ...found, target: 'bot' });
  return await comparePair(side(a), side(b), { flips: 0, margin: 0.05 });
}

test('two runs are compared on the cases that both answered, and nothing is decided that an outage could reverse', async () => {
  const [whole, out, partly] = [
    await runWithOutage(cases, {}),
    await runWithOutage(0, {}),
    await runWithOutage(10, {}),
  ];
  for (const pair of [await compare(whole, out), await compare(out, whole)]) {
    expect(pair.regression?.decision).toBe('not-measured');
    for (const { measure, name, difference } of pair.differences) {
      // Error handling counts errors, too, under its own name.
      if (measure !== 'errors' && name !== 'error handling')
        expect([measure, name, difference.n]).toEqual([measure, name, 0]);
    }
  }
  for (const pair of [await compare(whole, partly), await compare(partly, whole)]) {
    expect(['not-measured', 'inconclusive']).toContain(pair.regression?.decision);
  }
});
