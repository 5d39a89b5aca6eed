import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { toolSchema } from './tool-schema.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city'],
  additionalProperties: false,
};
const weather = { type: 'function', function: { name: 'weather', strict: true, parameters } };

function score(calls: (string | ToolCall)[], tools: Json | null = [weather], parts: Partial<Trial> = {}) {
  const metadata: Record<string, Json> = tools === null ? {} : { tools };
  return toolSchema.definition
    .create(toolSchema.definition.options.parse({}), {})
    .score({ case: buildCase({ metadata }), trial: buildTrial('x', { tools: calls, ...parts }) });
}

const call = (given: Json, name = 'weather'): ToolCall => ({ name, arguments: given });

test.each<[given: Json, fault: string | undefined]>([
  [{ city: 'Montrose', days: 2 }, undefined],
  ['{"city":"Montrose"}', undefined],
  [{ days: 2 }, "the value must have required property 'city'"],
  [{ city: 'Montrose', days: 0 }, '/days must be >= 1'],
  [{ city: 'Montrose', unit: 'C' }, 'the value must NOT have additional properties: unit'],
  ['{"city": "Montr', 'the value must be object'],
])('the arguments %j: %s', (given, fault) => {
  expect(score([call(given)])).toMatchObject(
    fault === undefined
      ? { value: 1, passed: true, explanation: 'the call is valid' }
      : { value: 0, passed: false, explanation: expect.stringMatching(/^call 1, weather\(.*/s) },
  );
  if (fault !== undefined)
    expect(JSON.stringify(score([call(given)]))).toContain(JSON.stringify(fault).slice(1, -1));
});

test('every call has to be of a known tool, and valid', () => {
  expect(score([call({ city: 'a' }), call({}, 'wether'), call({})])).toMatchObject({
    value: 0,
    evidence: {
      calls: 3,
      faults: [
        'call 2, wether(): there is no such tool',
        "call 3, weather(): the value must have required property 'city'",
      ],
    },
  });
});

test('reads tools as OpenAI, Anthropic and MCP describe them; a tool without a schema allows anything', () => {
  for (const key of ['parameters', 'input_schema', 'inputSchema']) {
    const tools = [{ name: 'weather', description: 'Says it.', [key]: parameters }];
    expect(score([call({})], tools)).toMatchObject({ value: 0 });
    expect(score([call({ city: 'a' })], tools)).toMatchObject({ value: 1 });
  }
  expect(score([call({ anything: 1 })], [{ name: 'weather' }])).toMatchObject({ value: 1 });
});

test('the tools of the config precede those of the case, and are checked when it is read', () => {
  const { options, create } = toolSchema.definition;
  const metric = create(options.parse({ tools: [weather], ignoreTools: ['think'] }), {});
  const trial = buildTrial('x', { tools: ['think', call({ city: 'a' })] });
  expect(metric.score({ case: buildCase({}), trial })).toMatchObject({ value: 1, evidence: { calls: 1 } });
  expect(options.safeParse({ tools: [{ parameters }] }).success).toBe(false);
  const broken = { name: 'a', parameters: { type: 'no such' } };
  expect(() => create(options.parse({ tools: [broken] }), {})).toThrow(/cannot be used: the schema of a: /);
});

test('what is not known is not measured', () => {
  expect(score([], null)).toEqual({
    status: 'not-applicable',
    reason: 'the question describes no tools at metadata.tools',
  });
  expect(score([])).toEqual({ status: 'not-applicable', reason: 'no tool was called' });
  expect(score([], [weather], { toolsUnknown: true })).toMatchObject({
    status: 'failed',
    code: 'tools-not-recorded',
  });
  expect(score([call({})], 'search, book')).toMatchObject({ status: 'failed', code: 'schema-invalid' });
});
