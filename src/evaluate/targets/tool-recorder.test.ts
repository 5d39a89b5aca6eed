import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import { createToolRecorder, withRecordedCalls } from './tool-recorder.ts';
import type { ToolInterceptor } from './target.ts';

const plain: ToolCall = { name: 'search', arguments: { query: 'pets' }, result: [] };
const hit: ToolCall = { name: 'search', arguments: {}, result: [], fault: 'empty', withheld: [1] };

test('recorded calls are used when none are reported', () => {
  expect(withRecordedCalls({ answer: 'No.', toolCalls: [] }, [plain, hit])).toEqual({
    answer: 'No.',
    toolCalls: [plain, hit],
  });
  const reply = { answer: 'No.', toolCalls: [] };
  expect(withRecordedCalls(reply, [])).toBe(reply);
});

test('recorded calls are added to the last message of a transcript without calls', () => {
  const transcript: Message[] = [
    { role: 'user', content: 'Pets?' },
    { role: 'assistant', content: 'No.' },
  ];
  expect(withRecordedCalls({ answer: 'No.', toolCalls: [], transcript }, [plain]).transcript).toEqual([
    { role: 'user', content: 'Pets?' },
    { role: 'assistant', content: 'No.', toolCalls: [plain] },
  ]);
});

test('recorded calls take the place of reported ones; what was reported of the same tools is beside them', () => {
  const reported = [
    { name: 'list' },
    { name: 'search', id: 'a', arguments: { query: 'pets' }, result: [2] },
    { name: 'search' },
  ];
  const transcript: Message[] = [
    { role: 'user', content: 'Pets?' },
    { role: 'assistant', content: null, toolCalls: reported.slice(0, 2) },
    { role: 'assistant', content: 'No.', toolCalls: reported.slice(2) },
  ];
  const reply = withRecordedCalls({ answer: 'No.', toolCalls: reported, transcript }, [plain, hit]);
  expect(reply.toolCalls).toEqual([{ name: 'list' }, { ...plain, id: 'a' }, hit]);
  expect(reply.transcript?.flatMap(({ toolCalls = [] }) => toolCalls)).toEqual(reply.toolCalls);
  expect(reply.reportedCalls).toEqual([
    { name: 'search', arguments: { query: 'pets' }, result: [2] },
    { name: 'search' },
  ]);
});

test('a reported call of a recorded tool that was not made is not among the calls', () => {
  const made = { name: 'search', arguments: { query: 'cats' } };
  const reply = withRecordedCalls({ answer: 'No.', toolCalls: [made] }, [plain]);
  expect(reply).toEqual({ answer: 'No.', toolCalls: [plain], reportedCalls: [made] });
});

const rows = [{ id: 1, since: new Date('2025-01-31T00:00:00Z') }];

test('a tool returns the very same value, and the call is kept as JSON', async () => {
  const { useTool, calls } = createToolRecorder();
  expect(await useTool('query', { sql: 'SELECT 1' }, () => rows)).toBe(rows);
  expect(await useTool('later', {}, async () => 42)).toBe(42);
  expect(calls()).toEqual([
    { name: 'query', arguments: { sql: 'SELECT 1' }, result: [{ id: 1, since: '2025-01-31T00:00:00.000Z' }] },
    { name: 'later', arguments: {}, result: 42 },
  ]);
});

test('a tool throws the very same error, and its message is kept', async () => {
  const { useTool, calls } = createToolRecorder();
  const thrown = new RangeError('no such table');
  const fail = () => {
    throw thrown;
  };
  await expect(useTool('query', {}, fail)).rejects.toBe(thrown);
  await expect(useTool('query', {}, async () => fail())).rejects.toBe(thrown);
  expect(calls()).toEqual([
    { name: 'query', arguments: {}, error: 'no such table' },
    { name: 'query', arguments: {}, error: 'no such table' },
  ]);
});

test('calls stay in the order in which they began, including unfinished ones', async () => {
  const { useTool, calls } = createToolRecorder();
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = useTool('slow', {}, () => promise);
  await useTool('quick', {}, () => 'b');
  const before = calls();
  resolve('a');
  await slow;
  expect(before).toEqual([
    { name: 'slow', arguments: {} },
    { name: 'quick', arguments: {}, result: 'b' },
  ]);
  expect(calls()[0]).toEqual({ name: 'slow', arguments: {}, result: 'a' });
});

test('an error injected in place of the tool can be caught, and recognised by its code', async () => {
  const around: ToolInterceptor = async ({ name }) => ({
    error: `${name}: timed out`,
    details: { code: 'ETIMEDOUT' },
    fault: 'timeout',
  });
  const { useTool, calls } = createToolRecorder(around);
  const run = () => expect.fail('the tool is not run');
  const thrown: unknown = await useTool('query', {}, run).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).toMatchObject({ message: 'query: timed out', code: 'ETIMEDOUT' });
  expect(calls()).toEqual([{ name: 'query', arguments: {}, error: 'query: timed out', fault: 'timeout' }]);
});

test('an injected result replaces the real one, as a value of its own', async () => {
  const spoilt = [{ id: 1 }];
  const around: ToolInterceptor = async (_use, run) => {
    const outcome = await run();
    return { result: spoilt, fault: 'truncated', ...('result' in outcome && { withheld: outcome.result }) };
  };
  const { useTool, calls } = createToolRecorder(around);
  const given = await useTool('query', {}, () => [{ id: 1 }, { id: 2 }]);
  expect(given).toEqual(spoilt);
  given.length = 0;
  expect(calls()[0]).toMatchObject({
    result: [{ id: 1 }],
    fault: 'truncated',
    withheld: [{ id: 1 }, { id: 2 }],
  });
});

test('a use without a name says what is missing', async () => {
  const { useTool } = createToolRecorder();
  await expect(useTool('', {}, () => 1)).rejects.toThrow('needs the name of the tool first');
});
