import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import type { TargetSummary } from '../../schema/summary.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import { buildEvaluation, buildTarget, liveTarget } from '../../testing/build-evaluation.ts';
import { checkTotals, withSoundTotals } from './check-totals.ts';
import { run } from '../../run/run.ts';
import { neverStopped } from '../../run/run-needs.ts';

async function targetsOfRun(): Promise<TargetSummary[]> {
  const drafts = Array.from({ length: 9 }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    category: `c${index % 3}`,
  }));
  const bot = buildTarget(({ caseId }) => {
    if (caseId === 'q3') throw new Error('no database');
    return 'yes';
  });
  const needs = { store: createMemoryStore(), executor: createLocalExecutor(), observer: {} };
  const finished = await run(buildEvaluation(drafts, [liveTarget('bot', bot)], { attempts: 2 }), {
    ...needs,
    signals: neverStopped,
  });
  return finished.summary?.targets ?? [];
}

test('the totals of a run add up', async () => {
  const targets = await targetsOfRun();
  expect(targets[0]?.counts).toMatchObject({ planned: 18, measured: 16, errors: 2 });
  expect(checkTotals(targets)).toEqual([]);
  const decision = { outcome: 'pass', reasons: [] } as const;
  expect(withSoundTotals({ ...decision, reasons: [] }, targets)).toEqual(decision);
});

test('a run whose totals do not add up says so, and decides nothing', async () => {
  const [target] = (await targetsOfRun()) as [TargetSummary];
  const short = { ...target, counts: { ...target.counts, measured: 15 } };
  expect(withSoundTotals({ outcome: 'pass', reasons: [] }, [short])).toEqual({
    outcome: 'not-measured',
    reasons: [
      'bot: the totals do not add up: 15 measured + 2 errors + 0 not measured + 0 cancelled + 0 not run is not 18 planned',
      'bot: the totals do not add up: the categories have 16 measured and the whole has 15',
    ],
  });
  const metrics = target.metrics.map((metric) => ({ ...metric, scored: metric.scored - 1 }));
  expect(checkTotals([{ ...target, metrics }])).toHaveLength(target.metrics.length);
});
