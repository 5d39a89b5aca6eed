import { expect, test } from 'vitest';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../../test/support/build-evaluation.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { retrievalRecall } from '../../../evaluate/metrics/retrieval/retrieval-recall.ts';
import type { Expectation } from '../../../core/schema/expectation.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { run } from '../../../evaluate/run/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';

const rows = ['cancellation', 'fees', 'hours'].map((id) => ({
  id,
  input: `question of ${id}`,
  expected: { documents: [id] },
}));

/** Runs a bot that retrieves these ids for every question. */
async function runWith(...ids: readonly string[]) {
  const bot = buildTarget(() => ({ answer: 'yes', toolCalls: [], documents: ids.map((id) => ({ id })) }));
  const recall = retrievalRecall.definition.create(retrievalRecall.definition.options.parse({}), {});
  const reads: Expectation[] = ['documents'];
  const metrics = [{ ...resolvedMetric('recall', recall), reads }];
  const evaluation = buildEvaluation(rows, [resolvedTarget('bot', bot)], { metrics, scorecard: null });
  const store = createMemoryStore();
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  return (await run(evaluation, needs)).summary?.targets[0];
}

test('a run that never retrieves an expected document says so, with an expected and a retrieved id', async () => {
  expect((await runWith('chunk-17', 'chunk-3'))?.neverRetrieved).toEqual({
    trials: 3,
    expected: 'cancellation',
    retrieved: 'chunk-17',
  });
});

test('a single document that was found is enough, and so is nothing retrieved at all', async () => {
  expect(await runWith('chunk-17', 'hours#2')).not.toHaveProperty('neverRetrieved');
  expect(await runWith()).not.toHaveProperty('neverRetrieved');
});
