import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../schema/message.ts';
import { withRecordedCalls } from './module.ts';

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
