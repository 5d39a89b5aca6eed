import type { Factory } from '../../src/core/lib/define.ts';
import type { Metric, MetricNeeds } from '../../src/evaluate/metrics/metric.ts';
import type { Case } from '../../src/core/schema/case.ts';
import type { Expected } from '../../src/core/schema/expected.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../src/library/testing/build-records.ts';

/** Scores one answer with a metric, for tests; the options are checked like the options in a config. */
export function scoreAnswer<Input, Options>(
  metric: Factory<'metric', Input, Options, Metric, MetricNeeds>,
  answer: string | null,
  { options = {}, expected = {}, metadata = {} }: ScoreAnswerOptions = {},
): Verdict {
  const { definition } = metric;
  const verdict = definition
    .create(definition.options.parse(options), {})
    .score({ case: buildCase({ expected, metadata }), trial: buildTrial(answer) });
  if (verdict instanceof Promise) throw new Error(`${definition.name} answers later: await its score`);
  return verdict;
}

interface ScoreAnswerOptions {
  readonly options?: object;
  readonly expected?: Expected;
  readonly metadata?: Case['metadata'];
}

/** Returns the value of a scored verdict, or the reason why it has none, for tests. */
export function valueOf(verdict: Verdict): number | string {
  return verdict.status === 'scored' ? verdict.value : verdict.reason;
}
