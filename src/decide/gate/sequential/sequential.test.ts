import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../../core/schema/run.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { encodeBaseline } from '../baselines.ts';
import { makeBaseline } from '../make-baseline.ts';
import { summarizeRun } from '../../../evaluate/run/summarize.ts';
import { type GatedCase, type GatedRunOptions, runScores } from '../../../../test/support/gated-run.ts';
import { readRuns } from '../../../stores/store.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-sequential-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const once = (...scores: (number | null)[]): GatedCase[] => scores.map((score) => ({ scores: [score] }));
const passes = (count: number, of: number): GatedCase[] =>
  once(...Array.from({ length: of }, (_, index) => Number(index < count)));

/** Runs some cases with a sequential gate of one rule. */
async function runGate(cases: readonly GatedCase[], rule: object, options: GatedRunOptions = {}) {
  const gate = {
    rules: { it: rule as never },
    sequential: { error: 0.05, leastCases: 1, seed: 7 },
    ...options.gate,
  };
  return await runScores(cases, { concurrency: 1, ...options, gate });
}

type Ended = { readonly run: Run };
const decisionOf = ({ summary }: Run) => summary?.decision;
const countsOf = ({ summary }: Run) => summary?.targets[0]?.counts;

test('a run ends once its gate is decided, and trials that were not needed are counted apart from missing ones', async () => {
  const { run, calls } = await runGate(passes(200, 200), {
    type: 'pass-rate',
    atLeast: 80,
    confidence: 0.95,
  });
  expect(run.status).toBe('completed');
  expect(decisionOf(run)).toMatchObject({
    outcome: 'pass',
    sequential: { isDecided: true, seed: 7, planned: 200 },
  });
  expect(calls.length).toBeLessThan(40);
  expect(countsOf(run)).toMatchObject({
    planned: 200,
    measured: calls.length,
    notRun: 0,
    notNeeded: 200 - calls.length,
  });
  expect(run.summary?.targets[0]).toMatchObject({ coverage: 1, worstCase: 1, bestCase: 1 });
  expect(decisionOf(run)?.reasons[0]).toContain(`decided after ${calls.length} of 200 attempts: pass`);
  expect(decisionOf(run)?.rules?.[0]?.lower).toBeGreaterThanOrEqual(0.8);
});

test('cases are asked in a random order that is derived from the seed and recorded', async () => {
  const rule = { type: 'pass-rate', atLeast: 50 };
  const asked = async (seed?: number) => {
    const sequential = { error: 0.05, leastCases: 40, ...(seed !== undefined && { seed }) };
    const { run, calls } = await runGate(passes(20, 40), rule, { gate: { sequential } });
    return { calls: calls.map((id) => Number(id.slice(1))), seed: run.order?.seed };
  };
  const [first, again, other] = [await asked(1), await asked(1), await asked()];
  expect(again).toEqual(first);
  expect(first.calls.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  expect(first.calls).not.toEqual(first.calls.toSorted((a, b) => a - b));
  expect(other.seed).not.toBe(1);
  expect((await asked(other.seed)).calls).toEqual(other.calls);
});

test('without a sequential gate all cases are asked in the order of the plan', async () => {
  const { run, calls } = await runScores(passes(5, 5), { concurrency: 1, gate: { failUnder: 10 } });
  expect(calls).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
  expect([run.order, run.summary?.decision.sequential]).toEqual([undefined, undefined]);
});

test('a rule without a confidence is decided at the latest when the remaining cases cannot change it', async () => {
  const { run, calls } = await runGate(passes(1, 10), { type: 'pass-rate', atLeast: 90 });
  expect(decisionOf(run)?.outcome).toBe('fail');
  expect(calls.length).toBeLessThan(5);
  const { run: close, calls: all } = await runGate(passes(9, 10), { type: 'pass-rate', atLeast: 90 });
  expect(decisionOf(close)).toMatchObject({ outcome: 'pass' });
  expect(all.length).toBeGreaterThanOrEqual(9);
});

test('missing values count at their worst for a pass, and at their best for a fail', async () => {
  const broken = once(...Array.from({ length: 60 }, () => null));
  const { run, calls } = await runGate(
    broken,
    { type: 'pass-rate', atLeast: 50 },
    { settings: { stopAfterFailures: null } },
  );
  expect(calls.length).toBe(60);
  expect(decisionOf(run)).toMatchObject({ outcome: 'not-measured', sequential: { isDecided: false } });
});

test('the least score of a gate is watched like a rule', async () => {
  const gate = { failUnder: 60, sequential: true } as const;
  const { run, calls } = await runScores(passes(200, 200), { concurrency: 1, gate });
  expect(decisionOf(run)).toMatchObject({
    outcome: 'pass',
    rules: [{ name: 'fail under 60', outcome: 'pass' }],
  });
  expect(calls.length).toBeLessThan(67);
});

test('required cases are asked first, and one that fails ends the run', async () => {
  const rule = { type: 'required-cases', ids: ['q7', 'q3'] };
  const { run, calls } = await runGate(passes(5, 10), rule);
  // A call starts before the previous one is scored.
  expect(calls.slice(0, 2)).toEqual(['q3', 'q7']);
  expect(calls.length).toBeLessThan(6);
  expect(decisionOf(run)).toMatchObject({ outcome: 'fail', rules: [{ reason: 'q7 did not pass' }] });
});

test('when all required cases passed, the other rules are decided in the random order', async () => {
  const rules = {
    certain: { type: 'required-cases', ids: ['q7', 'q3'] },
    good: { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
  } as never;
  const { run, calls } = await runGate(passes(100, 100), {}, { gate: { rules } });
  expect(calls.slice(0, 2)).toEqual(['q3', 'q7']);
  expect(decisionOf(run)?.rules?.map(({ outcome }) => outcome)).toEqual(['pass', 'pass']);
  expect(calls.length).toBeLessThan(40);
});

test('coverage and the cost of a run are decided on the trials made so far and never keep a run going', async () => {
  const rules = {
    covered: { type: 'coverage', atLeast: 99 },
    cheap: { type: 'cost', atMost: 5, per: 'run' },
    good: { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
  } as never;
  const reply = { cost: 0.01 };
  const { run, calls } = await runGate(passes(300, 300), {}, { gate: { rules }, reply });
  expect(decisionOf(run)?.outcome).toBe('pass');
  expect(calls.length).toBeLessThan(50);
  expect(decisionOf(run)?.rules?.map(({ reason }) => reason)).toEqual([
    'the coverage of what was asked, 100.0 %, is at least 99 %',
    expect.stringContaining('the cost of what was asked'),
    expect.stringContaining('the pass rate is at least 80 %, with 97.5 % confidence: shown by'),
  ]);
  expect(decisionOf(run)?.sequential?.saved?.cost).toBeCloseTo((300 - calls.length) * 0.01, 9);
});

test('a run that costs too much fails at once; a mean without bounds keeps the run going', async () => {
  const reply = { cost: 1 };
  const dear = await runGate(passes(50, 50), { type: 'cost', atMost: 3, per: 'run' }, { reply });
  expect(decisionOf(dear.run)?.outcome).toBe('fail');
  expect(dear.calls.length).toBeLessThan(8);
  const cheap = await runGate(passes(50, 50), { type: 'cost', atMost: 50, per: 'run' }, { reply });
  expect([cheap.calls.length, decisionOf(cheap.run)?.outcome]).toEqual([50, 'pass']);
  const mean = await runGate(passes(50, 50), { type: 'cost', atMost: 3, per: 'trial' }, { reply });
  expect([mean.calls.length, decisionOf(mean.run)?.outcome]).toEqual([50, 'pass']);
});

test('a latency percentile is decided by the share of the trials within its limit', async () => {
  const reply = { latency: { totalMs: 900 } };
  const slow = await runGate(
    passes(100, 100),
    { type: 'latency', percentile: 'p90', atMostMs: 500 },
    { reply },
  );
  expect(decisionOf(slow.run)?.outcome).toBe('fail');
  expect(slow.calls.length).toBeLessThan(12);
});

test('answers count in the random order, so a bot that is slow where it fails gains nothing', async () => {
  const cases = passes(120, 200);
  const rule = { type: 'pass-rate', atLeast: 80, confidence: 0.95 };
  const onCall = async (_: string, score: number | null) => await wait(score === 1 ? 0 : 40);
  const [alone, together] = await Promise.all(
    [1, 50].map(async (concurrency) => await runGate(cases, rule, { concurrency, onCall })),
  );
  const rules = decisionOf((alone as Ended).run)?.rules;
  expect(rules).toMatchObject([{ outcome: 'fail' }]);
  expect(decisionOf((together as Ended).run)?.rules).toEqual(rules);
});

test('a run that is stopped before its decision is not measured, and continues in the same order', async () => {
  const cases = passes(100, 100);
  const rule = { type: 'pass-rate', atLeast: 80, confidence: 0.95 };
  const whole = await runGate(cases, rule);
  const store = createMemoryStore();
  const reply = { cost: 1 };
  const first = await runGate(cases, rule, { store, reply, settings: { maxCost: 10 } });
  expect(first.run).toMatchObject({
    status: 'interrupted',
    summary: { decision: { outcome: 'not-measured' } },
  });
  const second = await runGate(cases, rule, { store, resume: first.run });
  expect([...first.calls, ...second.calls]).toEqual(whole.calls);
  const gate = { sequential: true } as const;
  const unnamed = await runGate(cases, rule, { reply, settings: { maxCost: 5 }, gate });
  const again = await runGate(cases, rule, { store: unnamed.store, resume: unnamed.run, gate });
  expect(again.run.order).toEqual(unnamed.run.order);
  expect(second.run).toMatchObject({ status: 'completed', summary: { decision: { outcome: 'pass' } } });
});

test('a crashed run continues in the same order and reaches the same decision', async () => {
  const cases = draw(5, 150, 0.93);
  const rule = { type: 'pass-rate', atLeast: 80, confidence: 0.95 };
  const whole = await runGate(cases, rule);
  const store = createMemoryStore();
  let scored = 0;
  const observer = {
    onScored: () => {
      if ((scored += 1) === 12) throw new Error('the power is gone');
    },
  };
  await expect(runGate(cases, rule, { store, needs: { observer } })).rejects.toThrow('the power is gone');
  const [left] = await Array.fromAsync(readRuns(store));
  const kept = await Array.fromAsync(store.readResults((left as Run).id));
  const rest = await runGate(cases, rule, { store, resume: left as Run });
  expect([...kept.map(({ trial }) => trial.caseId), ...rest.calls].toSorted()).toEqual(
    whole.calls.toSorted(),
  );
  const decided = (run: Run) =>
    decisionOf(run)?.rules?.map(({ n, outcome, lower }) => ({ n, outcome, lower }));
  expect(decided(rest.run)).toEqual(decided(whole.run));
});

test('deciding a stored run again gives the same decision', async () => {
  const { run, store } = await runGate(draw(6, 150, 0.93), {
    type: 'pass-rate',
    atLeast: 80,
    confidence: 0.95,
  });
  expect((await summarizeRun(run, store)).decision).toEqual(decisionOf(run));
});

test('a run that ended early is not measured under a gate that needs every question asked', async () => {
  const { run, store } = await runGate(passes(100, 100), {
    type: 'pass-rate',
    atLeast: 80,
    confidence: 0.95,
  });
  const { decision } = await summarizeRun({ ...run, gate: { minCoverage: 1, failUnder: 80 } }, store);
  expect(decision.outcome).toBe('not-measured');
});

test('a sequential gate without a rule is refused before anything is called', async () => {
  const store = createMemoryStore();
  const refused = runScores(passes(2, 2), { store, gate: { sequential: true } });
  await expect(refused).rejects.toMatchObject({ code: 'config-invalid' });
  expect(await store.listRuns()).toEqual([]);
});

test('attempts at a case that stop once they settle it count with their weights', async () => {
  const cases = Array.from({ length: 120 }, () => ({ scores: [1, 1, 1, 1, 1] }));
  const caseRule = { passes: 4, isCurtailed: true } as never;
  const { run, calls } = await runGate(
    cases,
    { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
    { evaluation: { caseRule } },
  );
  expect(decisionOf(run)?.outcome).toBe('pass');
  expect(calls.length).toBeLessThan(140);
  const counts = countsOf(run);
  expect((counts?.measured ?? 0) + (counts?.notNeeded ?? 0)).toBe(600);
});

test('a run that its gate ended can be completed without the gate', async () => {
  const store = createMemoryStore();
  const rule = { type: 'pass-rate', atLeast: 80, confidence: 0.95 };
  const first = await runGate(passes(100, 100), rule, { store });
  await expect(runGate(passes(100, 100), rule, { store, resume: first.run })).rejects.toMatchObject({
    code: 'run-not-resumable',
  });
  const rest = await runGate(passes(100, 100), rule, {
    store,
    resume: first.run,
    gate: { sequential: false },
  });
  expect(rest.calls.length).toBe(100 - first.calls.length);
  expect(countsOf(rest.run)).toMatchObject({ measured: 100, notRun: 0 });
});

test('cases that share a cluster count as one, and are asked side by side', async () => {
  const cases = passes(200, 200).map((each, index) => ({ ...each, cluster: `c${index % 50}` }));
  const { run, calls } = await runGate(cases, { type: 'pass-rate', atLeast: 80, confidence: 0.95 });
  const clusters = calls.map((id) => Number(id.slice(1)) % 50);
  expect(clusters.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => clusters[0]));
  // 50 clusters say as much as 50 cases: more than 20 of them are needed.
  expect(calls.length).toBeGreaterThan(80);
  expect(decisionOf(run)?.outcome).toBe('pass');
});

test('a category is decided by its own cases', async () => {
  const cases = passes(100, 200).map((each, index) => ({ ...each, category: index < 100 ? 'easy' : 'hard' }));
  const { run } = await runGate(cases, { type: 'pass-rate', atLeast: 60, category: '*' });
  expect(decisionOf(run)?.outcome).toBe('fail');
  expect(decisionOf(run)?.rules?.map(({ category, outcome }) => [category, outcome])).toContainEqual([
    'hard',
    'fail',
  ]);
});

/** Saves a baseline over some cases and returns it as a gate names it. */
async function baselineOf(cases: readonly GatedCase[]): Promise<string> {
  const { run, store } = await runScores(cases);
  const file = path.join(folder, 'main.json');
  await writeFile(file, encodeBaseline(await makeBaseline('main', run, store)));
  return file;
}

test('both the absence and the presence of a regression are shown case by case', async () => {
  const rule = { type: 'no-regression', of: 'pass-rate', margin: 5 };
  const baseline = await baselineOf(passes(180, 200));
  const gate = { sequential: true, baseline } as const;
  const same = await runGate(passes(180, 200), rule, { gate });
  expect(decisionOf(same.run)?.outcome).toBe('pass');
  expect(same.calls.length).toBeLessThan(134);
  const worse = await runGate(passes(130, 200), rule, { gate });
  expect(decisionOf(worse.run)?.outcome).toBe('fail');
  expect(worse.calls.length).toBeLessThan(134);
});

test('an incomparable baseline is reported at the end, and every question is asked', async () => {
  const baseline = await baselineOf(passes(30, 41));
  const gate = { sequential: true, baseline } as const;
  const { run, calls } = await runGate(passes(30, 40), { type: 'no-regression' }, { gate });
  expect(calls.length).toBe(40);
  expect(decisionOf(run)).toMatchObject({ outcome: 'not-measured', sequential: { isDecided: false } });
});

test('attempts at a case count together as one case', async () => {
  const cases = Array.from({ length: 100 }, () => ({ scores: [1, 0, 1] }));
  const { run, calls } = await runGate(cases, { type: 'pass-rate', atLeast: 30, confidence: 0.95 });
  expect(decisionOf(run)?.outcome).toBe('pass');
  expect(calls.slice(0, 3)).toEqual([calls[0], calls[0], calls[0]]);
  expect(calls.length).toBeLessThan(250);
});

/** Draws the scores of a run, which pass with a given probability. */
function draw(seed: number, count: number, chance: number): GatedCase[] {
  const random = createRandom(seed);
  return once(...Array.from({ length: count }, () => Number(random.next() < chance)));
}

test('for a clear difference, the decision equals that of a whole run with less than two thirds of the calls', async () => {
  for (const [chance, rule] of [
    [0.97, { type: 'pass-rate', atLeast: 80, confidence: 0.95 }],
    [0.5, { type: 'pass-rate', atLeast: 80, confidence: 0.95 }],
    [0.95, { type: 'score', atLeast: 80 }],
    [0.6, { type: 'score', atLeast: 80 }],
  ] as const) {
    const cases = draw(1, 150, chance);
    const whole = await runGate(cases, rule, { gate: { sequential: false } });
    const { run, calls } = await runGate(cases, rule, {
      gate: { sequential: { error: 0.05, leastCases: 1, seed: 1 } },
    });
    expect(decisionOf(run)?.outcome).toBe(decisionOf(whole.run)?.outcome);
    expect(calls.length / 150).toBeLessThan(2 / 3);
  }
});
