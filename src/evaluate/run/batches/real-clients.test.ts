import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { batchedEvaluation, batchedNeeds } from '../../../../test/support/batched-run.ts';
import { serve } from '../../../../test/support/model-harness.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { run } from '../run.ts';

const apiKey = 'sk-test-0123456789abcdef';

/** Has a run submit its batch, and end. */
async function submitAt(kind: 'openai-chat' | 'anthropic') {
  const server = await serve({ judgement: { reason: 'It does.', score: 0.75 } });
  server.batches.play({ checks: 3 });
  const store = createMemoryStore();
  const evaluation = batchedEvaluation({ url: server.url, kind });
  const ended = await run(evaluation, batchedNeeds(store, { isDetached: true }));
  expect(ended.stops?.[0]?.reason).toBe('batch');
  const requests = await Array.fromAsync(store.documents.list(batchRequestKind));
  const [batch] = await Array.fromAsync(store.documents.list(batchKind));
  const finish = async () => await run(evaluation, batchedNeeds(store), ended);
  return { server, batch, ids: requests.map(({ id }) => id), finish };
}

/** Reads a file of JSON lines. */
function linesOf(text: string): Readonly<Record<string, Json>>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => parseJson(line) as Record<string, Json>);
}

test('the client of OpenAI lists the batch that was submitted, reads its requests and its results', async () => {
  const { server, batch, ids, finish } = await submitAt('openai-chat');
  const client = new OpenAI({ apiKey, baseURL: server.url, maxRetries: 0 });
  const [listed] = await Array.fromAsync(await client.batches.list());
  expect(listed).toMatchObject({ id: batch?.jobs[0], status: 'in_progress', completion_window: '24h' });
  expect(listed?.metadata).toEqual({ touchstone: batch?.id });
  const uploaded = await client.files.content(listed?.input_file_id ?? '');
  const requests = linesOf(await uploaded.text());
  expect(new Set(requests.map(({ custom_id: id }) => id))).toEqual(new Set(ids));
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions' });
  const [file] = await Array.fromAsync(await client.files.list({ purpose: 'batch' }));
  expect(file?.filename).toBe(`${batch?.id}.jsonl`);

  let ended = await client.batches.retrieve(listed?.id ?? '');
  while (ended.status === 'in_progress') ended = await client.batches.retrieve(ended.id);
  expect(ended).toMatchObject({ status: 'completed', request_counts: { total: 30, completed: 30 } });
  const results = linesOf(await (await client.files.content(ended.output_file_id ?? '')).text());
  expect(new Set(results.map(({ custom_id: id }) => id))).toEqual(new Set(ids));
  expect(results).toHaveLength(30);
  expect((await finish()).status).toBe('completed');
  expect(server.batches.jobs).toHaveLength(1);
});

test('the client of Anthropic lists the batch that was submitted and reads its results', async () => {
  const { server, batch, ids, finish } = await submitAt('anthropic');
  const client = new Anthropic({ apiKey, baseURL: new URL(server.url).origin, maxRetries: 0 });
  const [listed] = await Array.fromAsync(await client.messages.batches.list());
  expect(listed).toMatchObject({ id: batch?.jobs[0], request_counts: { processing: 30 } });

  let ended = await client.messages.batches.retrieve(listed?.id ?? '');
  while (ended.processing_status !== 'ended') ended = await client.messages.batches.retrieve(ended.id);
  const results = await Array.fromAsync(await client.messages.batches.results(ended.id));
  expect(new Set(results.map(({ custom_id: id }) => id))).toEqual(new Set(ids));
  expect(results).toHaveLength(30);
  expect(results.map(({ result }) => result.type)).toEqual(ids.map(() => 'succeeded'));
  expect((await finish()).status).toBe('completed');
  expect(server.batches.jobs).toHaveLength(1);
});
