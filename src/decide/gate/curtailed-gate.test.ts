import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { run } from '../../evaluate/run/run.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';

/** The attempts of each case, true for those that pass. */
const marks: Readonly<Record<string, string>> = {
  good: '+++++',
  flaky: '-++++',
  poor: '+-+-+',
  bad: '-----',
};

async function decide(gate: Gate, ids = Object.keys(marks)) {
  const drafts = ids.map((id) => ({ id, input: id, expected: { keywords: ['yes'] } }));
  const bot = buildTarget(({ caseId, attempt }) => (marks[caseId]?.[attempt - 1] === '+' ? 'yes' : 'no'));
  const parts = { attempts: 5, caseRule: { passes: 4, isCurtailed: true }, gate };
  const needs = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  };
  const { summary } = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)], parts), needs);
  return { calls: bot.calls.length, decision: summary?.decision };
}

const required = (ids: string[], passes?: number): Gate => ({
  minCoverage: 1,
  rules: { smoke: { type: 'required-cases', ids, ...(passes !== undefined && { passes }) } },
});

test('required cases pass by the case rule of the run, even when some attempts were not needed', async () => {
  const passed = await decide(required(['good', 'flaky']));
  expect(passed).toMatchObject({ calls: 4 + 5 + 4 + 2, decision: { outcome: 'pass' } });
  expect((await decide(required(['good', 'poor']))).decision?.outcome).toBe('fail');
});

test('a required number of passes other than the case rule’s is not measured unless it is settled', async () => {
  expect((await decide(required(['good'], 5))).decision?.outcome).toBe('not-measured');
  expect((await decide(required(['bad'], 1))).decision?.outcome).toBe('not-measured');
  expect((await decide(required(['flaky'], 5))).decision?.outcome).toBe('fail');
  expect((await decide(required(['good'], 3))).decision?.outcome).toBe('pass');
});

test('coverage and the mean account for attempts that were not needed', async () => {
  const gate: Gate = { minCoverage: 1, rules: { covered: { type: 'coverage', atLeast: 1 } } };
  expect((await decide(gate)).decision?.outcome).toBe('pass');
});
