import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../schema/message.ts';
import { createToolRecorder, withRecordedCalls } from './tool-recorder.ts';
import type { AroundTool } from './target.ts';

const plain: ToolCall = { name: 'search', arguments: { query: 'pets' }, result: [] };
const hit: ToolCall = { name: 'search', arguments: {}, result: [], fault: 'empty', withheld: [1] };

test('what was recorded counts where nothing was reported', () => {
  expect(withRecordedCalls({ answer: 'No.', toolCalls: [] }, [plain, hit])).toEqual({
    answer: 'No.',
    toolCalls: [plain, hit],
  });
  const reply = { answer: 'No.', toolCalls: [] };
  expect(withRecordedCalls(reply, [])).toBe(reply);
});

test('a transcript without calls gets them in its last message', () => {
  const transcript: Message[] = [
    { role: 'user', content: 'Pets?' },
    { role: 'assistant', content: 'No.' },
  ];
  expect(withRecordedCalls({ answer: 'No.', toolCalls: [], transcript }, [plain]).transcript).toEqual([
    { role: 'user', content: 'Pets?' },
    { role: 'assistant', content: 'No.', toolCalls: [plain] },
  ]);
});

test('what was reported stays, with a note of what was tampered with, counted from the end', () => {
  const earlier = { name: 'search', result: 'of an earlier turn' };
  const reported = [earlier, { name: 'list' }, { name: 'search', result: 'short' }, { name: 'search' }];
  const transcript: Message[] = [
    { role: 'assistant', content: null, toolCalls: reported.slice(0, 2) },
    { role: 'assistant', content: 'No.', toolCalls: reported.slice(2) },
  ];
  const reply = withRecordedCalls({ answer: 'No.', toolCalls: reported, transcript }, [hit, plain]);
  expect(reply.toolCalls).toEqual([
    earlier,
    { name: 'list' },
    { name: 'search', result: 'short', fault: 'empty', withheld: [1] },
    { name: 'search' },
  ]);
  expect(reply.transcript?.flatMap(({ toolCalls = [] }) => toolCalls)).toEqual(reply.toolCalls);
});

const rows = [{ id: 1, since: new Date('2025-01-31T00:00:00Z') }];

test('a tool gives what it gives, the very same value, and the call is kept as JSON', async () => {
  const { useTool, calls } = createToolRecorder();
  expect(await useTool('query', { sql: 'SELECT 1' }, () => rows)).toBe(rows);
  expect(await useTool('later', {}, async () => 42)).toBe(42);
  expect(calls()).toEqual([
    { name: 'query', arguments: { sql: 'SELECT 1' }, result: [{ id: 1, since: '2025-01-31T00:00:00.000Z' }] },
    { name: 'later', arguments: {}, result: 42 },
  ]);
});

test('a tool throws what it throws, the very same error, and its words are kept', async () => {
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

test('calls stand in the order in which they were begun, also those that are not over', async () => {
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

test('an error in place of the tool can be caught, and known by its code', async () => {
  const around: AroundTool = async ({ name }) => ({
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

test('a spoilt result comes in place of the real one, as a value of its own', async () => {
  const spoilt = [{ id: 1 }];
  const around: AroundTool = async (_use, run) => {
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
