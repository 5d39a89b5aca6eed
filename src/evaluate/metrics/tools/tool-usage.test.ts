import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { toolUsage } from './tool-usage.ts';

const callOf = (name: string, given: Record<string, string>) => ({
  role: 'assistant' as const,
  content: null,
  toolCalls: [{ name, arguments: given }],
});
const metric = toolUsage.definition.create({ nothingExpected: 'full' }, {});
const valueOf = (expected: string[] | undefined, used: string[]) =>
  metric.score({
    case: buildCase({ expected: { tools: expected } }),
    trial: buildTrial('x', { tools: used }),
  });

test.each([
  [['query_database'], ['query_database'], 1],
  [['search_document_content'], [], 0],
  [['list_business_documents'], ['query_database'], 0],
  [['query_database', 'search_document_content'], ['search_document_content', 'query_database'], 1],
  [['query_database', 'search_document_content'], ['query_database'], 0],
  [['query_database'], ['query_database', 'list_business_documents', 'query_database'], 1],
  [['caf\u00e9'], ['cafe\u0301'], 1],
  [['caf\u00e9'], ['cafe'], 0],
  [[], [], 1],
  [[], ['query_database'], 1],
  [undefined, ['query_database'], 1],
])('expected %j, used %j → %d', (expected, used, value) => {
  expect(valueOf(expected, used)).toMatchObject({ status: 'scored', value, passed: value === 1 });
});

test('the verdict names expected, used and missing tools, each once', () => {
  expect(valueOf(['a', 'b'], ['b', 'c', 'b'])).toMatchObject({
    explanation: 'not used: a',
    evidence: { expected: ['a', 'b'], used: ['b', 'c'], missing: ['a'] },
  });
});

const asked = (sql: string) => buildTrial('x', { transcript: [callOf('query_database', { sql })] });

test('an expected tool may be an object with a name, and with arguments that count', () => {
  const named = { tools: [{ name: 'query_database' }] };
  expect(metric.score({ case: buildCase({ expected: named }), trial: asked('x') })).toMatchObject({
    value: 1,
  });
  const expected = { tools: [{ name: 'query_database', arguments: { sql: 'SELECT 1' } }] };
  expect(metric.score({ case: buildCase({ expected }), trial: asked('SELECT 1') })).toMatchObject({
    value: 1,
  });
  expect(metric.score({ case: buildCase({ expected }), trial: asked('SELECT 2') })).toMatchObject({
    value: 0,
    passed: false,
    evidence: { expected: ['query_database'], used: ['query_database'], missing: [] },
  });
});

test('every rule for tool calls must be kept', () => {
  const calls = { mustNot: ['query_database'] };
  expect(metric.score({ case: buildCase({ expected: { calls } }), trial: asked('x') })).toMatchObject({
    value: 0,
    passed: false,
    evidence: { broken: [expect.stringContaining('query_database')] },
  });
  const trial = buildTrial('x', { tools: [] });
  expect(metric.score({ case: buildCase({ expected: { calls } }), trial })).toMatchObject({ value: 1 });
  const both = { calls, tools: ['search'] };
  expect(metric.score({ case: buildCase({ expected: both }), trial })).toMatchObject({ value: 0 });
});

test('a case that states nothing about tools is not applicable, unless full marks are asked for', () => {
  const input = { case: buildCase({}), trial: buildTrial('x', { tools: [] }) };
  const { definition } = toolUsage;
  expect(definition.create(definition.options.parse({}), {}).score(input)).toMatchObject({
    status: 'not-applicable',
  });
  expect(metric.score(input)).toMatchObject({ status: 'scored', value: 1 });
});

test('tools count over the whole conversation', () => {
  const trial = buildTrial('done', {
    transcript: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: null, toolCalls: [{ name: 'look_up' }] },
      { role: 'tool', content: '42' },
      { role: 'assistant', content: 'done' },
    ],
  });
  expect(metric.score({ case: buildCase({ expected: { tools: ['look_up'] } }), trial })).toMatchObject({
    value: 1,
  });
});

test.each<[true | string[] | undefined, string, number]>([
  ...[
    'mcp__shop__lookup',
    'shop__lookup',
    'functions.lookup',
    'shop.lookup',
    'shop/lookup',
    'shop:lookup',
    'lookup',
  ].map((name): [true, string, number] => [true, name, 1]),
  [true, 'mcp__shop__lookup_all', 0],
  [['shop_'], 'shop_lookup', 1],
  [['shop_'], 'mcp__shop__lookup', 0],
  [undefined, 'mcp__shop__lookup', 0],
])('with stripPrefix %j, a call of %s is one of lookup: %d', (stripPrefix, name, value) => {
  const score = (expected: Parameters<typeof buildCase>[0]) =>
    toolUsage.definition
      .create({ nothingExpected: 'not-applicable', stripPrefix }, {})
      .score({ case: buildCase(expected), trial: buildTrial('x', { tools: [name] }) });
  expect(score({ expected: { tools: ['lookup'] } })).toMatchObject({ value });
  expect(score({ expected: { calls: { mustNot: ['lookup'] } } })).toMatchObject({ value: 1 - value });
});
