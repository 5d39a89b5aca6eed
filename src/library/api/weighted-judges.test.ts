import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgedRun, labelRun, scored, version } from '../../../test/support/labelled-run.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { calibrate } from './calibrate.ts';
import { compare, trends } from './compare.ts';
import { gate } from './runs/gate.ts';

test('with weights of cases nothing is corrected, and every report says that it is not, with the reason', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-weighted-judges-'));
  const store = createMemoryStore();
  const targets = [version('v1', 0.9), version('v2', 0.4)];
  const weight = (index: number) => 1 + (index % 3);
  const rules = {
    helps: { type: 'metric', metric: 'helps the user', atLeast: 50, confidence: 0.95 },
  } as const;
  const made = await judgedRun(store, folder, 'smooth', { targets, ...scored, weight, gate: { rules } });
  await labelRun(store, { labels: 400 });
  expect((await calibrate({ store, rubric: 'helps' })).certificate).not.toBeNull();
  const run = (await store.readRun(made.id))!;
  const { judged } = await readSummary(run, store);
  const { decision } = await gate(run.id, { store });
  const reason = 'the questions have different weights';
  for (const { corrected, why } of judged?.[0]?.targets ?? []) {
    expect(corrected).toBeNull();
    expect(why).toContain(reason);
  }
  expect(decision.rules).toHaveLength(2);
  for (const rule of decision.rules ?? [])
    expect(rule).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining(reason) });
  const [pair] = (await compare([run.id], { store, margin: 0.05 })).comparisons;
  expect(pair).toMatchObject({
    verdict: { outcome: 'not-comparable' },
    regression: { decision: 'not-measured', reason: expect.stringContaining(reason) },
  });
  for (const { points } of (await trends({ store })).trends)
    for (const point of points)
      expect(point).toMatchObject({ notCorrected: expect.stringContaining(reason) });
  await rm(folder, { recursive: true });
});
