import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { findFailure, readCalls } from './read-calls.ts';

const read = (tools: readonly ToolCall[], ignored: string[] = []) =>
  readCalls({ case: buildCase(), trial: buildTrial('x', { tools }) }, { ignoreTools: ignored });
const outcomes = (tools: readonly ToolCall[]) =>
  read(tools).map(({ outcome, isRetried }) => [outcome, isRetried]);

test('arguments are an object: empty when none were given, parsed from JSON text, or other text as it is', () => {
  const tools = [
    { name: 'a' },
    { name: 'b', arguments: { x: 1 } },
    { name: 'c', arguments: '{"x": 1}' },
    { name: 'd', arguments: '{"x": ' },
    { name: 'e', arguments: '' },
    { name: 'f', arguments: null },
  ];
  expect(read(tools).map((call) => call.arguments)).toEqual([{}, { x: 1 }, { x: 1 }, '{"x": ', {}, {}]);
});

test('calls are numbered without those of ignored tools', () => {
  const calls = read([{ name: 'think' }, { name: 'a' }, { name: 'think' }, { name: 'b' }], ['think']);
  expect(calls.map(({ number, name }) => [number, name])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});

test('a call failed by its error or its result, and was retried when a later one of its tool did not fail', () => {
  expect(
    outcomes([
      { name: 'a', error: 'timeout' },
      { name: 'b', error: 'timeout' },
      { name: 'a', result: { error: 'busy' } },
      { name: 'a', result: 1 },
      { name: 'c' },
    ]),
  ).toEqual([
    ['failed', true],
    ['failed', false],
    ['failed', true],
    ['ok', false],
    ['ok', false],
  ]);
});

test('without reported results the outcome of calls is unknown', () => {
  expect(outcomes([{ name: 'a' }, { name: 'a' }])).toEqual([
    ['unknown', false],
    ['unknown', false],
  ]);
});

test('a result may be in a message of the tool', () => {
  const transcript: Message[] = [
    {
      role: 'assistant',
      content: null,
      toolCalls: [
        { id: '1', name: 'a' },
        { id: '2', name: 'b' },
      ],
    },
    { role: 'tool', content: 'Error: no such user', toolCallId: '1' },
    { role: 'tool', content: '', toolCallId: '2' },
  ];
  const calls = readCalls({ case: buildCase(), trial: buildTrial('x', { transcript }) });
  expect(calls.map(({ outcome, problem }) => [outcome, problem])).toEqual([
    ['failed', 'Error: no such user'],
    ['ok', undefined],
  ]);
});

test('calls in the conversation that a case begins with are not the calls of the target', () => {
  const input: Message[] = [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', content: 'Found.', toolCalls: [{ name: 'search' }] },
    { role: 'user', content: 'Book it.' },
  ];
  const own: Message = { role: 'assistant', content: 'Booked.', toolCalls: [{ name: 'book' }] };
  const callsIn = (transcript: Message[]) =>
    readCalls({ case: buildCase({ input }), trial: buildTrial('x', { transcript }) }).map(({ name }) => name);
  expect(callsIn([...input, own])).toEqual(['book']);
  expect(callsIn([{ role: 'user', content: 'Book it.' }, own])).toEqual(['book']);
});

test.each<[Json, string]>([
  [{ error: 'no such user' }, 'no such user'],
  [{ error: { code: 404, message: 'not found' } }, '{"code":404,"message":"not found"}'],
  [{ isError: true, content: 'no connection' }, 'no connection'],
  [{ is_error: true }, '{"is_error":true}'],
  [{ success: false, message: 'sold out' }, 'sold out'],
  [{ ok: false }, '{"ok":false}'],
  [{ status: 'error', message: 'down' }, 'down'],
  [{ errors: [{ message: 'syntax' }] }, '[{"message":"syntax"}]'],
  ['{"error": "timeout"}', 'timeout'],
  ['Error: user not found', 'Error: user not found'],
  ['ValueError: invalid literal', 'ValueError: invalid literal'],
  ['Query failed: database is locked', 'Query failed: database is locked'],
])('%j is the result of a failed call', (result, said) => {
  expect(findFailure(result)).toBe(said);
});

test.each<[Json]>([
  [''],
  [null],
  [0],
  [false],
  [[]],
  [{}],
  [{ error: null }],
  [{ error: '' }],
  [{ error: [] }],
  [{ errors: [], data: {} }],
  [{ errors: [{ message: 'one field' }], data: { user: 1 } }],
  [{ status: 'failed', payment: 5 }],
  [{ success: true }],
  ['{"hits": 0}'],
  ['None'],
  ['null'],
  ['no response'],
  ['{not JSON'],
  ['There was no error in the log.'],
  ['Errors are listed in chapter 4.'],
])('%j is not the result of a failed call', (result) => {
  expect(findFailure(result)).toBeUndefined();
});
