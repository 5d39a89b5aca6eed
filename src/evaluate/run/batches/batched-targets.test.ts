import { expect, test } from 'vitest';
import {
  batchedEvaluation,
  batchedNeeds,
  type BatchedParts,
  botAndJudge,
  numbersOf,
} from '../../../../test/support/batched-run.ts';
import { resolvedMetric } from '../../../../test/support/build-evaluation.ts';
import { serve } from '../../../../test/support/model-harness.ts';
import { createSecretRedactor } from '../../../core/lib/redact-secrets.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { BatchScript } from '../../../library/testing/model-server/served-batches.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { latency } from '../../metrics/operations/latency.ts';
import { run } from '../run.ts';
import type { RunNeeds } from '../run-needs.ts';

/** Runs an evaluation whose bot is asked in batches, against a server that treats batches as a script says. */
async function runWith(
  script: BatchScript = {},
  parts: Partial<BatchedParts> = {},
  needs: Partial<RunNeeds> = {},
) {
  const server = await serve(botAndJudge);
  server.batches.play(script);
  const store = createMemoryStore();
  const evaluation = batchedEvaluation({ url: server.url, asks: 'bot', ...parts });
  const all = batchedNeeds(store, needs);
  return { server, store, evaluation, needs: all, ended: await run(evaluation, all) };
}

const sizes = (server: Awaited<ReturnType<typeof serve>>) =>
  server.batches.jobs.map(({ requests }) => requests.length);

async function answersOf(store: Store, { id }: Run) {
  const results = await Array.fromAsync(store.readResults(id));
  return results.map(({ trial }) => [trial.caseId, trial.answer, trial.finishReason, trial.status]);
}

const once = Array.from({ length: 60 }, () => 1);

test.each(['openai-chat', 'anthropic', 'mistral', 'gemini'] as const)(
  'a bot and a judge at %s are asked in a batch each, every question once; answers and numbers are those of a run without batches',
  async (kind) => {
    const { server, store, ended } = await runWith({ isShuffled: true }, { kind, asks: 'both' });
    expect([sizes(server), server.requests.length]).toEqual([[30, 30], 0]);
    expect([...server.batches.billed.values()]).toEqual(once);
    const other = createMemoryStore();
    const usual = await run(
      batchedEvaluation({ url: server.url, kind, asks: 'both', batch: false }),
      batchedNeeds(other),
    );
    expect(numbersOf(ended)).toEqual(numbersOf(usual));
    expect(await answersOf(store, ended)).toEqual(await answersOf(other, usual));
    const [usage, usualUsage] = [ended, usual].map(({ summary }) => summary?.targets[0]?.usage);
    expect(usage?.cost.sum).toBeCloseTo((usualUsage?.cost.sum ?? 0) / 2);
    expect([usage?.latency, usualUsage?.latency?.n]).toEqual([null, 30]);
    const [result] = await Array.fromAsync(store.readResults(ended.id));
    expect(result?.trial.batch?.id).toMatch(/^touchstone-/);
    expect(result?.trial.startedAt).toBe(result?.trial.batch?.submittedAt);
    expect(await store.documents.count(batchKind)).toBe(0);
    expect(await store.documents.count(batchRequestKind)).toBe(0);
  },
);

test('the latency of what a batch has answered is not measured, nor is a rule on it', async () => {
  const made = latency.definition.create(latency.definition.options.parse({}), {});
  const { store, ended } = await runWith(
    {},
    {
      parts: {
        metrics: [resolvedMetric('latency', made)],
        gate: { rules: { fast: { type: 'latency', percentile: 'p90', atMostMs: 60_000 } } } as never,
      },
    },
  );
  const results = await Array.fromAsync(store.readResults(ended.id));
  expect(new Set(results.map(({ trial }) => trial.latency))).toEqual(new Set([undefined]));
  expect(results[0]?.verdicts['latency']).toEqual({
    status: 'not-applicable',
    reason: 'answered in a batch',
  });
  expect(ended.summary?.decision).toMatchObject({ outcome: 'not-measured' });
});

test('what a batch leaves goes into one more, and what that leaves is asked one by one, each once', async () => {
  const { server, store, ended } = await runWith({ answered: 0.5 });
  expect(sizes(server)).toEqual([30, 15]);
  // The other 30 are questions to the judge.
  expect([server.batches.billed.size, server.requests.length]).toEqual([22, 8 + 30]);
  expect(ended.summary?.targets[0]?.counts.measured).toBe(30);
  expect(await store.documents.count(batchRequestKind)).toBe(0);
});

test('with `otherwise: fail`, what no batch has answered is not measured and no error of the bot', async () => {
  const { server, store, ended } = await runWith(
    { answered: 0.5 },
    { batch: { atLeast: 5, otherwise: 'fail' } },
  );
  expect(server.requests).toHaveLength(22);
  const results = await Array.fromAsync(store.readResults(ended.id));
  const left = results.filter(({ trial }) => trial.status === 'failed');
  expect(left.map(({ trial }) => [trial.error?.code, trial.latency])).toEqual(
    left.map(() => ['batch-unanswered', undefined]),
  );
  expect(ended.summary?.targets[0]?.counts).toMatchObject({ measured: 22, errors: 0 });
});

test('a detached run ends once its batch is submitted; resumed, it gathers the answers and submits the questions to the judge', async () => {
  const { server, store, evaluation, needs, ended } = await runWith(
    { checks: 3 },
    { asks: 'both' },
    { isDetached: true },
  );
  const { host } = new URL(server.url);
  expect(ended.stops).toEqual([{ reason: 'batch', message: `30 questions are in a batch at ${host}` }]);
  expect(await Array.fromAsync(store.readResults(ended.id))).toEqual([]);
  const again = await run(evaluation, { ...needs, isDetached: false }, ended);
  expect(again).toMatchObject({ status: 'completed' });
  expect([sizes(server), server.requests.length]).toEqual([[30, 30], 0]);
  expect([...server.batches.billed.values()]).toEqual(once);
});

test('a run that goes on over changed questions takes the answers that the earlier one has in a batch', async () => {
  const { server, store, evaluation, needs, ended } = await runWith(
    { checks: 3 },
    { asks: 'both' },
    { isDetached: true },
  );
  const more = batchedEvaluation({ url: server.url, asks: 'both', cases: 36 });
  const again = await run({ ...evaluation, dataset: more.dataset }, { ...needs, isDetached: false }, ended);
  expect(again).toMatchObject({ status: 'completed', continues: ended.id });
  expect([...server.batches.billed.values()]).toEqual(Array.from({ length: 72 }, () => 1));
  expect(server.requests).toHaveLength(0);
  expect(await store.documents.count(batchRequestKind)).toBe(0);
});

test('a run that goes on over other questions submits none of those that were taken out before they were in a batch', async () => {
  const limited = { settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, maxCost: 0.0001 } };
  const { server, store, needs, ended } = await runWith({}, { parts: limited });
  expect(await store.documents.count(batchRequestKind)).toBe(30);
  const fewer = batchedEvaluation({ url: server.url, asks: 'bot', cases: 10 });
  const again = await run(fewer, needs, ended);
  expect(again).toMatchObject({ status: 'completed', continues: ended.id });
  expect([sizes(server), server.requests.length]).toEqual([[10], 10]);
});

test('the cost limit keeps a batch from being submitted; a higher one submits it, and takes what was paid for', async () => {
  const limited = (maxCost: number) => ({
    parts: { settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, maxCost } },
  });
  const { server, store, needs, ended } = await runWith({}, limited(0.001));
  expect(sizes(server)).toEqual([]);
  expect(ended.stops?.[0]).toMatchObject({
    reason: 'cost',
    message: expect.stringContaining('a batch of questions (about'),
  });
  const again = await run(batchedEvaluation({ url: server.url, asks: 'bot', ...limited(10) }), needs, ended);
  expect([sizes(server), again.summary?.targets[0]?.counts.measured]).toEqual([[30], 30]);
  expect(await store.documents.count(batchKind)).toBe(0);
});

test('a question that holds a secret is asked by itself, since what waits for a batch is stored', async () => {
  const secrets = createSecretRedactor([['TOKEN', 'question 7?']]);
  const { server, ended } = await runWith({}, { parts: { secrets } });
  expect([sizes(server), server.requests.length]).toEqual([[29], 1 + 30]);
  expect(ended.status).toBe('completed');
});

test('a target that a batch cannot answer is refused with the reason', async () => {
  const tooled = { bot: { tools: 'tools.mjs' } };
  await expect(runWith({}, tooled)).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining('a target with tools asks its model several times about one question'),
  });
  const streamed = { bot: { model: { use: 'openai-chat', stream: true } } };
  await expect(runWith({}, streamed)).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining('a batch is not streamed'),
  });
});
