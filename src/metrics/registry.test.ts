import { expect, test } from 'vitest';
import { testMetricContract } from '../testing/metric-contract.ts';
import type { Metric, MetricNeeds } from './metric.ts';
import * as registry from './registry.ts';

/** The options of metrics that have required ones. */
const needed: Readonly<Record<string, object>> = {
  check: { path: 'answer', longerThan: 3 },
  function: { function: () => true },
  regex: { pattern: 'basis' },
};

const judged = new Set([
  'correctness',
  'faithfulness',
  'groundedness',
  'question',
  'relevance',
  'robustness',
  'rubric',
  'safety',
  'semantic-similarity',
]);

interface AnyDefinition {
  readonly name: string;
  readonly options: { parse(options: object): never };
  create(options: never, needs: MetricNeeds): Metric;
}

/** The metrics that compute. Those that ask a judge have tests with judges of their own. */
const computing = (Object.values(registry) as { definition: unknown }[])
  .map(({ definition }) => definition as AnyDefinition)
  .filter(({ name }) => !judged.has(name));

for (const { name, options, create } of computing) {
  const createMetric = () => create(options.parse(needed[name] ?? {}), {});
  testMetricContract(name, createMetric, { test, expect });
}
