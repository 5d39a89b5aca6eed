import { expect, test } from 'vitest';
import type { ScoredTrial } from '../../schema/result.ts';
import { buildCase, buildTrial } from '../../testing/build-records.ts';
import { createScoreRecorder } from './score-recorder.ts';

function prepare() {
  const kept: number[] = [];
  const store = {
    addScores: async (_run: string, scored: readonly unknown[]) => void kept.push(scored.length),
  };
  return { kept, keeper: createScoreRecorder('run', store) };
}

function scored(count: number, from = 0): ScoredTrial[] {
  return Array.from({ length: count }, (_, index) => {
    const trial = buildTrial('yes', { ordinal: from + index });
    return { case: buildCase(), trial, verdicts: {}, scorecard: null };
  });
}

test('scores that come fast are stored many at a time, and the rest at the end', async () => {
  const { kept, keeper } = prepare();
  for (let round = 0; round < 30; round += 1) await keeper.add(scored(10));
  await keeper.finish();
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(300);
  expect(kept[0]).toBe(10);
  expect(kept.length).toBeLessThan(10);
});

test('a score that comes alone is stored at once, and nothing is left at the end', async () => {
  const { kept, keeper } = prepare();
  await keeper.add(scored(1));
  expect(kept).toEqual([1]);
  await keeper.finish();
  expect(kept).toEqual([1]);
});

test('scores that come fast are stored some hundreds at a time', async () => {
  const { kept, keeper } = prepare();
  for (let from = 0; from < 2000; from += 10) await keeper.add(scored(10, from));
  expect(kept).toEqual([10, ...Array.from({ length: 9 }, () => 200)]);
});
