import { expect, test } from 'vitest';
import { ask, createAt, serve } from '../../../test/support/model-harness.ts';

test("an old Claude is asked for JSON with a tool, and the tool's arguments are the answer", async () => {
  const server = await serve({ toolCalls: [{ name: 'give_answer', arguments: { ok: true } }] });
  const responseSchema = { name: 'verdict', schema: { type: 'object' } };
  const reply = await ask(createAt('anthropic', server.url, { structuredOutput: 'tool' }), {
    responseSchema,
  });
  expect(reply).toMatchObject({ text: '{"ok":true}', toolCalls: [], finishReason: 'stop' });
  expect(server.requests[0]?.body).toMatchObject({ tool_choice: { type: 'tool', name: 'give_answer' } });
});

test('a stream that reports an overload is tried again', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const body = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
  const server = await serve([
    { fault: 'raw', body, headers: { 'content-type': 'text/event-stream' } },
    'yes',
  ]);
  const reply = await ask(createAt('anthropic', server.url), { stream: true });
  expect(reply.text).toBe('yes');
  expect(reply.attempts[0]?.error?.code).toBe('overloaded');
});

test('redacted thinking is sent back with the tool calls that it led to, and shown nowhere else', async () => {
  const content = [
    { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  ];
  const server = await serve({ fault: 'raw', body: JSON.stringify({ content, stop_reason: 'tool_use' }) });
  const reply = await ask(createAt('anthropic', server.url));
  expect(reply.reasoning).toBeUndefined();
  expect(reply.message.continuation?.parts).toEqual(content);
});
