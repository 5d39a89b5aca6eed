import { expect, test } from 'vitest';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { check } from '../criteria/check.ts';
import type { Metric, MetricNeeds } from '../metric.ts';
import { toolArguments } from './tool-arguments.ts';
import { toolCallAccuracy } from './tool-call-accuracy.ts';
import { toolCalls } from './tool-calls.ts';
import { toolF1 } from './tool-f1.ts';
import { toolFailures } from './tool-failures.ts';
import { toolSchema } from './tool-schema.ts';
import { toolUsage } from './tool-usage.ts';

interface MetricFactory {
  readonly definition: {
    readonly options: { parse(options: unknown): unknown };
    readonly create: (options: never, needs: MetricNeeds) => Metric;
  };
}

interface Given {
  readonly expected?: Expected;
  readonly metadata?: Record<string, Json>;
  readonly calls: readonly ToolCall[];
}

function score({ definition }: MetricFactory, options: object, { expected, metadata, calls }: Given) {
  const testCase = buildCase({ ...(expected && { expected }), ...(metadata && { metadata }) });
  const metric = definition.create(definition.options.parse(options) as never, {});
  return metric.score({ case: testCase, trial: buildTrial('x', { tools: [...calls] }) }, {} as never);
}

const lookup: ToolCall = { name: 'mcp__shop__lookup', arguments: { id: 7 }, result: 'found' };
const expected = { calls: [{ name: 'lookup', arguments: { id: 7 } }] };
const parameters = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

test.each<[string, MetricFactory, object, Given]>([
  ['tool-calls', toolCalls, {}, { expected, calls: [lookup] }],
  ['tool-usage', toolUsage, {}, { expected, calls: [lookup] }],
  ['tool-f1', toolF1, {}, { expected, calls: [lookup] }],
  ['tool-arguments', toolArguments, {}, { expected, calls: [lookup] }],
  ['tool-call-accuracy', toolCallAccuracy, {}, { expected, calls: [lookup] }],
  ['tool-schema', toolSchema, { tools: [{ name: 'lookup', parameters }] }, { calls: [lookup] }],
  ['check', check, { calls: 'lookup', which: 'count', equals: 1 }, { calls: [lookup] }],
  [
    'tool-failures',
    toolFailures,
    { dealtWith: 'retried' },
    {
      calls: [
        { name: 'mcp__a__lookup', error: 'down' },
        { name: 'mcp__b__lookup', result: 'found' },
      ],
    },
  ],
])('%s compares names without their prefix, where stripPrefix says so', (_name, metric, options, given) => {
  expect(score(metric, { ...options, stripPrefix: true }, given)).toMatchObject({ value: 1 });
  expect(score(metric, options, given)).not.toMatchObject({ value: 1 });
});

test.each<[string, MetricFactory]>([
  ['tool-calls', toolCalls],
  ['tool-usage', toolUsage],
])('%s with stripPrefix knows a tool by its full name, too', (_name, metric) => {
  const strips = { stripPrefix: true };
  const calls = [lookup];
  expect(score(metric, strips, { calls, expected: { tools: ['mcp__shop__lookup'] } })).toMatchObject({
    value: 1,
  });
  // A tool that is forbidden in full was allowed, because only its plain name was compared.
  const forbidding = { calls: { mustNot: ['mcp__shop__lookup'] } };
  expect(score(metric, strips, { calls, expected: forbidding })).toMatchObject({ value: 0 });
  const another = { calls: { mustNot: ['mcp__bank__lookup'] } };
  expect(score(metric, strips, { calls, expected: another })).toMatchObject({ value: 1 });
});

test('tool-schema with stripPrefix reads a description in full before one without its prefix', () => {
  const tools = [
    { name: 'mcp__bank__lookup', parameters: { type: 'object', required: ['iban'] } },
    { name: 'mcp__shop__lookup', parameters },
  ];
  expect(score(toolSchema, { tools, stripPrefix: true }, { calls: [lookup] })).toMatchObject({ value: 1 });
  const bank = { ...lookup, name: 'mcp__bank__lookup' };
  expect(score(toolSchema, { tools, stripPrefix: true }, { calls: [bank] })).toMatchObject({ value: 0 });
});

test('check refuses stripPrefix where it looks at no calls', () => {
  const { options } = check.definition;
  expect(
    options.safeParse({ path: 'answer', exists: true, stripPrefix: true }).error?.issues[0]?.message,
  ).toBe('`stripPrefix` goes with `calls`');
});
