import { expect, test } from 'vitest';
import { scriptedJudge } from '../../evaluate/judges/scripted.ts';
import { relevance } from '../../evaluate/metrics/judged/relevance.ts';
import { checkConfig } from './resolve.ts';
import { resolveMetrics } from './resolve-metrics.ts';

const judge = scriptedJudge({ rules: [{ reply: { reason: 'so it is', score: 1 } }] });

test('every judged metric gets the number of samples, computed metrics stay unchanged', () => {
  const settings = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: './bot.ts' }],
    judge,
    scorecard: { use: 'weighted', criteria: [{ metric: { use: 'faithfulness', samples: 2 }, weight: 1 }] },
    metrics: ['groundedness', relevance(), 'keywords', { use: 'safety', threshold: 0.5 }],
  };
  const usesOf = (parts: object) =>
    resolveMetrics(checkConfig({ ...settings, ...parts }), { folder: '.', environment: {} }).metrics.map(
      ({ use }) => use,
    );
  expect(usesOf({ judgeSamples: 3 })).toEqual([
    { use: 'faithfulness', samples: 3 },
    { use: 'groundedness', samples: 3 },
    { use: 'relevance', samples: 3 },
    { use: 'keywords' },
    { use: 'safety', threshold: 0.5, samples: 3 },
  ]);
  expect(usesOf({})[0]).toEqual({ use: 'faithfulness', samples: 2 });
});
