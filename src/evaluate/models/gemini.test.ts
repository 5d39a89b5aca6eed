import { expect, test } from 'vitest';
import { ask, createAt, serve } from '../../../test/support/model-harness.ts';

test.each([
  [{ 'retry-after-ms': '120', 'retry-after': '9' }, undefined],
  [{ 'retry-after': '0.12' }, undefined],
  [{}, { error: { code: 429, message: 'slow', details: [{ retryDelay: '0.12s' }] } }],
])('the wait that is asked for is kept: %j', async (headers, body) => {
  const fault = { fault: 'error' as const, status: 429, headers: headers as Record<string, string> };
  const server = await serve([{ ...fault, ...(body && { body: JSON.stringify(body) }) }, 'yes']);
  const reply = await ask(createAt('gemini', server.url));
  expect(reply.attempts[1]?.waitedMs).toBeGreaterThanOrEqual(119);
});

test('a blocked prompt has no answer, and a reason', async () => {
  const body = JSON.stringify({
    promptFeedback: { blockReason: 'SAFETY' },
    usageMetadata: { promptTokenCount: 4 },
  });
  const server = await serve({ fault: 'raw', body });
  expect(await ask(createAt('gemini', server.url))).toMatchObject({
    text: null,
    finishReason: 'content-filter',
  });
});

test("the model's name is part of the path, whatever characters it has", async () => {
  const server = await serve();
  await ask(createAt('gemini', server.url, { model: 'gemini 2.5?' }), { stream: true });
  expect(server.requests[0]?.path).toBe('/v1/models/gemini%202.5%3F:streamGenerateContent?alt=sse');
});
