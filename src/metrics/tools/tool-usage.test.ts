import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../testing/build-records.ts';
import { toolUsage } from './tool-usage.ts';

const metric = toolUsage.definition.create({}, {});
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
  [[], [], 1],
  [[], ['query_database'], 1],
  [undefined, ['query_database'], 1],
])('expected %j, used %j → %d', (expected, used, value) => {
  expect(valueOf(expected, used)).toMatchObject({ status: 'scored', value, passed: value === 1 });
});

test('the verdict names what was expected, what was used once each, and what is missing', () => {
  expect(valueOf(['a', 'b'], ['b', 'c', 'b'])).toMatchObject({
    explanation: 'not used: a',
    evidence: { expected: ['a', 'b'], used: ['b', 'c'], missing: ['a'] },
  });
});

test('an expected tool may be an object with a name', () => {
  const expected = { tools: [{ name: 'query_database', arguments: { sql: 'SELECT 1' } }] };
  const trial = buildTrial('x', { tools: ['query_database'] });
  expect(metric.score({ case: buildCase({ expected }), trial })).toMatchObject({ value: 1 });
});

test('tools are counted over the whole conversation', () => {
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
