import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testMetricContract } from '../../library/testing/metric-contract.ts';
import { declaredIn010 } from '../../core/schema/metric.ts';
import type { Metric, MetricDefinition, MetricNeeds } from './metric.ts';
import * as registry from './registry.ts';

interface AnyDefinition {
  readonly name: string;
  readonly options: {
    readonly shape: object;
    safeParse(options: object): { success: boolean; data?: never };
  };
  create(options: never, needs: MetricNeeds): Metric;
}

const tests = globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(path.join(import.meta.dirname, file), 'utf8'),
);

/** Creates a metric without a judge and without an embedding model; returns the reason where it needs one. */
function tryToCreate({ create }: AnyDefinition, options: never): string | undefined {
  try {
    create(options, {});
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const metrics = (Object.values(registry) as { definition: unknown }[]).map(({ definition }) => {
  const metric = definition as AnyDefinition;
  const { success, data } = metric.options.safeParse({});
  const refusal = success ? tryToCreate(metric, data as never) : undefined;
  return { ...metric, options: metric.options, data: data as never, needsOptions: !success, refusal };
});

for (const { name, create, data } of metrics.filter((each) => !each.needsOptions && !each.refusal)) {
  testMetricContract(name, () => create(data, {}), { test, expect });
}

test.each(metrics.filter(({ needsOptions }) => needsOptions))(
  '$name, which needs options, asks a judge or runs the contract in a test of its own',
  ({ name, options }) => {
    const call = new RegExp(`testMetricContract\\(\\s*'${name}'`);
    expect('judge' in options.shape || tests.some((text) => call.test(text))).toBe(true);
  },
);

test.each(metrics.filter(({ refusal }) => refusal !== undefined))(
  '$name is only refused for want of a judge or an embedding model',
  ({ refusal }) => {
    expect(refusal).toMatch(/judge|embedding model/);
  },
);

test('runs of 0.1.0, which recorded no aspects, are read with those that its metrics declare today', () => {
  const definitions = Object.values(registry).map(
    ({ definition }) => definition as unknown as Partial<MetricDefinition>,
  );
  for (const [name, { aspect, parts }] of declaredIn010) {
    const today = definitions.find((definition) => definition.name === name);
    expect({ name, aspect: today?.aspect, parts: today?.parts }).toEqual({ name, aspect, parts });
  }
});
