import type { Factory } from '../../src/core/lib/define.ts';
import type { Metric, MetricNeeds } from '../../src/evaluate/metrics/metric.ts';
import { buildCase, buildTrial } from '../../src/library/testing/build-records.ts';

/**
 * Returns the value that a retrieval metric gives to a worked example, for tests. Five documents were retrieved; the
 * second (relevance 1) and the fourth (relevance 3) are relevant. A third relevant one (2) was missed, one of the
 * others is judged not relevant, and two are not judged.
 */
export function scoreDocuments<Input, Options>(
  { definition }: Factory<'metric', Input, Options, Metric, MetricNeeds>,
  options: object = {},
): number | string | undefined {
  const relevances = { bad: 0, fair: 1, good: 2, best: 3 };
  const expected = {
    documents: Object.entries(relevances).map(([id, relevance]) => ({ id, relevance })),
  };
  const documents = ['bad', 'fair', 'unknown', 'best', 'foreign'].map((id) => ({ id }));
  const verdict = definition
    .create(definition.options.parse(options), {})
    .score({ case: buildCase({ expected }), trial: buildTrial('x', { documents }) });
  return 'value' in verdict ? verdict.value : undefined;
}
