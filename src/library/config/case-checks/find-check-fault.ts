import { messageOf } from '../../../core/errors.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import type { Metric, MetricNeeds } from '../../../evaluate/metrics/metric.ts';
import * as metricExports from '../../../evaluate/metrics/registry.ts';
import { createCaseMetrics } from './case-metrics.ts';
import { ConfigProblem } from '../config-problem.ts';
import { noJudge } from '../resolve-metrics.ts';
import { createRegistry } from '../resolve-use.ts';

/**
 * Returns what is wrong with a check that a case would bring along, apart from the judge and the embedding model, which
 * the config brings; undefined when it can be made.
 */
export function findCheckFault(check: Readonly<Record<string, unknown>>): string | undefined {
  const { name: _name, weight: _weight, required: _required, ...use } = check;
  const registry = createRegistry<'metric', Metric, MetricNeeds>('metric', metricExports);
  try {
    createCaseMetrics(registry, { embedder: () => noJudge, judge: () => noJudge }).find(use as NamedUse);
    return undefined;
  } catch (error) {
    return error instanceof ConfigProblem && error.issues[0] !== undefined
      ? error.issues[0].message
      : messageOf(error);
  }
}
