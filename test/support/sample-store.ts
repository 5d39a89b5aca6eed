import type { Run } from '../../src/core/schema/run.ts';
import type { Store } from '../../src/stores/store.ts';
import { sampleInput } from './build-sample-run.ts';
import type { SampleTrial } from './judge-sample.ts';

/** Adds a finished run over some trials to a store, with its cases, answers, scores and summary. */
export async function addSampleRun(
  store: Store,
  trials: readonly SampleTrial[],
  changes: Partial<Run> = {},
): Promise<void> {
  const { run, summary, results } = sampleInput(trials, changes);
  const all = await Array.fromAsync(results());
  await store.createRun({ ...run, summary });
  await store.addCases(
    run.id,
    all.map(({ case: testCase, trial }, position) => ({
      position,
      hash: trial.caseHash,
      place: `golden.jsonl:${position + 1}`,
      case: testCase,
    })),
  );
  await store.addTrials(run.id, all);
  await store.addScores(run.id, all);
}

/** Trials of which one in three fails and one ends in an error, in two categories. */
export function mixedTrials(count: number, target = 'assistant'): SampleTrial[] {
  return Array.from({ length: count }, (_, index) => ({
    target,
    category: index % 2 === 0 ? 'fees' : 'dates',
    expectedTools: ['search'],
    usedTools: index % 3 === 0 ? [] : ['search'],
    found: index % 3 === 0 ? [] : ['fee'],
    missing: index % 3 === 0 ? ['fee'] : [],
    ...(index === count - 1 && { error: { code: 'timeout', message: 'no answer' } }),
  }));
}
