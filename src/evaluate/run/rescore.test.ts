import { expect, test } from 'vitest';
import { reweighScorecard } from '../../library/config/reweigh-scorecard.ts';
import { createLocalExecutor } from '../executors/local.ts';
import type { RunScorecard } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import { rescore } from './rescore.ts';
import { neverStopped } from './run-needs.ts';
import { run } from './run.ts';
import { compareScores, storeReweighed } from './scoring/reweigh.ts';

const questions = ['q0', 'q1', 'q2'].map((id) => ({ id, input: id, expected: { keywords: ['yes'] } }));

async function finishedRun() {
  const needs = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  };
  const bot = buildTarget(({ caseId }) => (caseId === 'q1' ? 'no' : 'yes'));
  const evaluation = buildEvaluation(questions, [resolvedTarget('bot', bot)]);
  return { needs, bot, evaluation, finished: await run(evaluation, needs) };
}

test('stored answers are scored by other rules, as a run of its own, and no target is called', async () => {
  const { needs, bot, evaluation, finished } = await finishedRun();
  const isShort = resolvedMetric('short', {
    score: ({ trial }) => ({ status: 'scored', value: trial.answer === 'no' ? 1 : 0 }),
  });
  const rules = { ...evaluation, metrics: [...evaluation.metrics, isShort] };
  const rescored = await rescore(finished, rules, needs);
  expect(bot.calls).toHaveLength(3);
  expect(rescored).toMatchObject({ status: 'completed', rescoredFrom: finished.id });
  expect(rescored.summary?.targets[0]?.metrics.at(-1)).toMatchObject({
    metric: 'short',
    estimate: { value: expect.closeTo(1 / 3) },
  });
  const [first] = await Array.fromAsync(needs.store.readResults(rescored.id));
  expect(first?.verdicts['short']).toEqual({ status: 'scored', value: 0 });
  const [before] = await Array.fromAsync(needs.store.readResults(finished.id));
  expect(before?.verdicts).not.toHaveProperty('short');
});

test('other weights use the existing verdicts, and show which answers flip', async () => {
  const { needs, finished } = await finishedRun();
  const given = new Map([['response quality', 0.1]]);
  const scorecard = reweighScorecard(finished.scorecard as RunScorecard, given);
  expect(scorecard.criteria.map(({ weight }) => weight)).toEqual([
    expect.closeTo(0.6),
    0.1,
    expect.closeTo(0.3),
  ]);
  const changes = await compareScores(finished, scorecard, needs.store.readResults(finished.id));
  expect(changes).toMatchObject({
    flipCount: 1,
    flips: [{ caseId: 'q1', before: { mark: 'D', passed: false }, after: { mark: 'A', passed: true } }],
    targets: [{ target: 'bot', compared: 3, passedBefore: 2, passedAfter: 3 }],
  });
  expect(changes.flips[0]?.after.total).toBeCloseTo(0.9, 12);
});

test('the results of other weights can be stored as a run', async () => {
  const { needs, finished } = await finishedRun();
  const given = new Map([['response quality', 0.1]]);
  const kept = await storeReweighed(
    finished,
    reweighScorecard(finished.scorecard as RunScorecard, given),
    needs.store,
  );
  expect(kept).toMatchObject({ status: 'completed', rescoredFrom: finished.id });
  expect(kept.summary?.targets[0]?.counts.passed).toBe(3);
  expect(finished.summary?.targets[0]?.counts.passed).toBe(2);
  expect(kept.scorecard?.use).toMatchObject({ use: 'three-component', weights: { responseQuality: 0.1 } });
});
