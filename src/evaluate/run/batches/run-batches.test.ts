import { expect, test } from 'vitest';
import {
  batchedEvaluation,
  batchedNeeds,
  type BatchedParts,
  numbersOf,
} from '../../../../test/support/batched-run.ts';
import { buildEvaluation } from '../../../../test/support/build-evaluation.ts';
import { serve } from '../../../../test/support/model-harness.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ModelScript } from '../../../library/testing/model-server/script.ts';
import type { BatchScript } from '../../../library/testing/model-server/served-batches.ts';
import { batchKind, batchRequestKind } from '../../../stores/kinds/batch.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { rescore } from '../rescore.ts';
import { run } from '../run.ts';
import { neverStopped, type RunNeeds } from '../run-needs.ts';
import { cancelBatches } from './cancel-batches.ts';
import { batchesOf } from './run-batches.ts';

const fair = { judgement: { reason: 'It does.', score: 0.75 } };

test.each(['openai-chat', 'anthropic', 'mistral', 'gemini'] as const)(
  'the judge of %s answers in one batch, each question once, and the numbers are those of a run without batches',
  async (kind) => {
    const server = await serve(fair);
    const store = createMemoryStore();
    const ended = await run(batchedEvaluation({ url: server.url, kind }), batchedNeeds(store));
    expect(server.requests).toHaveLength(0);
    expect(server.batches.jobs).toHaveLength(1);
    expect([...server.batches.billed.values()]).toEqual(Array.from({ length: 30 }, () => 1));
    expect(server.batches.files).toEqual([]);
    const usual = await run(
      batchedEvaluation({ url: server.url, kind, batch: false }),
      batchedNeeds(createMemoryStore()),
    );
    expect(server.requests).toHaveLength(30);
    expect(numbersOf(ended)).toEqual(numbersOf(usual));
    expect(ended.status).toBe('completed');
    // Half the price.
    expect(ended.summary?.judge?.cost.sum).toBeCloseTo((usual.summary?.judge?.cost.sum ?? 0) / 2);
    const [judgement] = await Array.fromAsync(store.readJudgements(ended.id));
    expect(judgement?.calls).toMatchObject([{ batch: { id: expect.stringMatching(/^touchstone-/) } }]);
    expect(judgement?.calls[0]).not.toHaveProperty('latencyMs');
    expect(await store.documents.count(batchKind)).toBe(0);
    expect(await store.documents.count(batchRequestKind)).toBe(0);
  },
);

/** Answers a judge's prompt with the name of the question that it is about. */
const answersOfCases: ModelScript = ({ prompt }) => ({
  judgement: { reason: `About ${/answer to (q\d+)/.exec(prompt)?.[1]}.`, score: 0.75 },
});

/** Runs an evaluation against a server that treats batches as a script says. */
async function runWith(
  script: BatchScript,
  parts: Partial<BatchedParts> = {},
  needs: Partial<RunNeeds> = {},
  model: ModelScript = fair,
) {
  const server = await serve(model);
  server.batches.play(script);
  const store = createMemoryStore();
  const notices: string[] = [];
  const observer = { onNotice: ({ message }: { readonly message: string }) => notices.push(message) };
  const evaluation = batchedEvaluation({ url: server.url, ...parts });
  const all = batchedNeeds(store, { observer, ...needs });
  return { server, store, notices, evaluation, needs: all, ended: await run(evaluation, all) };
}

const measured = (ended: Run) => ended.summary?.targets[0]?.counts.measured;

test('what a batch leaves when it expires goes into one more batch, and what that leaves is asked one by one', async () => {
  const { server, ended, store } = await runWith({ answered: 0.5 });
  expect(server.batches.jobs.map(({ requests }) => requests.length)).toEqual([30, 15]);
  expect([...server.batches.billed.values()]).toEqual(Array.from({ length: 22 }, () => 1));
  expect(server.requests).toHaveLength(8);
  expect(measured(ended)).toBe(30);
  expect(await store.documents.count(batchRequestKind)).toBe(0);
});

test('a batch that expires at Gemini has answered nothing: all goes into one more batch, then one by one', async () => {
  const { server, ended } = await runWith({ answered: 0.5 }, { kind: 'gemini' });
  expect(server.batches.jobs.map(({ requests }) => requests.length)).toEqual([30, 30]);
  expect([server.batches.billed.size, server.requests.length, measured(ended)]).toEqual([0, 30, 30]);
});

test('results of Gemini without the names of their requests are those of the requests in their order', async () => {
  const { server, ended, store } = await runWith(
    { isNameless: true },
    { kind: 'gemini' },
    {},
    answersOfCases,
  );
  expect([server.batches.jobs.length, server.requests.length]).toEqual([1, 0]);
  expect([measured(ended), ended.summary?.judge?.calls]).toEqual([30, 30]);
  const judgements = await Array.fromAsync(store.readJudgements(ended.id));
  for (const { calls, outcome } of judgements) {
    const asked = /answer to (q\d+)/.exec(JSON.stringify(calls[0]?.prompt))?.[1];
    expect(outcome).toMatchObject({ status: 'answered', answer: { reason: `About ${asked}.` } });
  }
});

test('results of Gemini without names that may stand in another order are of no request, which are asked again', async () => {
  const { server, ended } = await runWith({ isNameless: true, isShuffled: true }, { kind: 'gemini' });
  expect([server.batches.jobs.length, server.requests.length, measured(ended)]).toEqual([2, 30, 30]);
});

/** Refuses a JSON Schema, as some servers do. */
const refuse: BatchScript['refuse'] = ({ response_format: format }) =>
  JSON.stringify(format ?? {}).includes('json_schema')
    ? 'This model does not support response format `json_schema`.'
    : undefined;

test('a batch whose form the server does not take is submitted once more in the next one, which is kept for later ones', async () => {
  const { server, store, evaluation, needs, ended } = await runWith({ refuse });
  const forms = () => server.batches.jobs.map(({ requests }) => requests[0]?.body['response_format']);
  expect(forms()).toEqual([expect.objectContaining({ type: 'json_schema' }), { type: 'json_object' }]);
  expect([server.batches.billed.size, server.requests.length, measured(ended)]).toEqual([30, 0, 30]);
  const [judgement] = await Array.fromAsync(store.readJudgements(ended.id));
  expect(judgement?.calls[0]?.parameters).toMatchObject({ structuredOutput: 'json-object' });
  const again = await run(
    { ...evaluation, reusesJudgements: false },
    { ...needs, store: createMemoryStore() },
  );
  expect([forms().at(-1), forms().length, measured(again)]).toEqual([{ type: 'json_object' }, 3, 30]);
});

test('a form that was learned by asking one by one is that of a batch', async () => {
  const server = await serve(({ body }) => {
    const message = refuse(body);
    return message === undefined
      ? fair
      : { fault: 'error', status: 400, body: JSON.stringify({ error: { message } }) };
  });
  server.batches.play({ refuse });
  await run(batchedEvaluation({ url: server.url, batch: false }), batchedNeeds(createMemoryStore()));
  const ended = await run(batchedEvaluation({ url: server.url }), batchedNeeds(createMemoryStore()));
  expect(server.batches.jobs.map(({ requests }) => requests[0]?.body['response_format'])).toEqual([
    { type: 'json_object' },
  ]);
  expect(measured(ended)).toBe(30);
});

test('a form that the user wrote is not changed in a batch either', async () => {
  const { server, ended } = await runWith({ refuse }, { model: { structuredOutput: 'json-schema' } });
  expect([server.batches.jobs.length, server.requests.length]).toEqual([1, 0]);
  expect(measured(ended)).toBe(0);
});

test('with `otherwise: fail`, what no batch has answered is not measured, and says so', async () => {
  const batch = { atLeast: 5, otherwise: 'fail' };
  const { server, ended, store } = await runWith({ answered: 0.5 }, { batch });
  expect(server.requests).toHaveLength(0);
  expect(measured(ended)).toBe(22);
  const judgements = await Array.fromAsync(store.readJudgements(ended.id));
  const failed = judgements.flatMap(({ outcome }) => (outcome.status === 'failed' ? [outcome] : []));
  expect(failed).toHaveLength(8);
  expect(failed[0]).toMatchObject({ code: 'judge-batch-unanswered', reason: 'no batch has answered it' });
});

test.each(['openai-chat', 'anthropic', 'mistral', 'gemini'] as const)(
  'errors of %s that may pass are asked again; an invalid request is not measured and never asked again',
  async (kind) => {
    const passing = await runWith({ errors: { every: 10, status: 503 } }, { kind });
    expect(measured(passing.ended)).toBe(30);
    expect(passing.server.requests).toHaveLength(3);
    const invalid = await runWith({ errors: { every: 10, status: 400 } }, { kind });
    expect(measured(invalid.ended)).toBe(27);
    expect(invalid.server.requests).toHaveLength(0);
    const [judgement] = (await Array.fromAsync(invalid.store.readJudgements(invalid.ended.id))).filter(
      ({ outcome }) => outcome.status === 'failed',
    );
    expect(judgement?.outcome).toMatchObject({ code: 'judge-bad-request' });
  },
);

test.each(['openai-chat', 'anthropic', 'mistral', 'gemini'] as const)(
  'results of %s may come in any order and twice, or cut off in a line or at its end, and each counts once',
  async (kind) => {
    const shuffled = await runWith({ isShuffled: true }, { kind });
    const cut = await runWith({ cutReadings: 2 }, { kind });
    for (const { server, ended } of [shuffled, cut]) {
      expect([server.batches.jobs.length, server.requests.length]).toEqual([1, 0]);
      expect([measured(ended), ended.summary?.judge?.calls]).toEqual([30, 30]);
    }
    expect(cut.notices[0]).toMatch(/does not say how the batch is doing/);
  },
);

test('a reply that cannot be read is asked for once more, by itself', async () => {
  const server = await serve(({ index, prompt }) => {
    const isFirst = !prompt.includes('That reply cannot be used') && index % 10 === 9;
    return isFirst ? 'Hm.' : fair;
  });
  const ended = await run(batchedEvaluation({ url: server.url }), batchedNeeds(createMemoryStore()));
  expect(server.requests).toHaveLength(3);
  expect(measured(ended)).toBe(30);
});

test('a submission that is refused for a time is repeated; a batch that the provider finds faulty is tried in halves, then one by one', async () => {
  const refused = await runWith({ refusals: 2 });
  expect([refused.server.batches.jobs.length, measured(refused.ended)]).toEqual([1, 30]);
  const faulty = await runWith({ fault: 'Enqueued token limit reached' });
  expect(faulty.server.batches.jobs.map(({ requests }) => requests.length)).toEqual([30, 15, 15]);
  expect([faulty.server.requests.length, measured(faulty.ended)]).toEqual([30, 30]);
  expect(faulty.server.batches.billed.size).toBe(0);
  expect(faulty.notices[0]).toMatch(/did not work on a batch of 30 requests: Enqueued token limit reached/);
});

test('fewer questions than `atLeast` are asked one by one', async () => {
  const { server, ended } = await runWith({}, { batch: { atLeast: 31 } });
  expect([server.batches.jobs.length, server.requests.length, measured(ended)]).toEqual([0, 30, 30]);
});

test('a metric that asks again about what it got gets another batch', async () => {
  const server = await serve(({ prompt }) =>
    /"checks"/.test(prompt)
      ? { judgement: { checks: [{ claim: 1, reason: 'It says so.', supported: true, passage: 'document' }] } }
      : { judgement: { claims: ['It answers.'] } },
  );
  const store = createMemoryStore();
  const ended = await run(batchedEvaluation({ url: server.url, isTwoSteps: true }), batchedNeeds(store));
  expect(server.batches.jobs.map(({ requests }) => requests.length)).toEqual([30, 30]);
  expect([server.requests.length, measured(ended)]).toEqual([0, 30]);
});

test('a detached run ends once its batch is submitted, says where its questions are, and is completed when it is resumed', async () => {
  const { server, store, evaluation, needs, ended } = await runWith({ checks: 3 }, {}, { isDetached: true });
  const { host } = new URL(server.url);
  expect(ended).toMatchObject({
    status: 'interrupted',
    stops: [{ reason: 'batch', message: `30 questions are in a batch at ${host}` }],
  });
  expect(await store.documents.count(batchRequestKind)).toBe(30);
  const again = await run(evaluation, { ...needs, isDetached: false }, ended);
  expect(again).toMatchObject({ status: 'completed' });
  expect(again.stops).toBeUndefined();
  expect([server.batches.jobs.length, server.requests.length, measured(again)]).toEqual([1, 0, 30]);
});

test('a run that continues another over changed questions waits for the batch of that one, and submits what is new', async () => {
  const { server, evaluation, needs, ended } = await runWith({ checks: 3 }, {}, { isDetached: true });
  const { dataset } = batchedEvaluation({ url: server.url, cases: 36 });
  const again = await run({ ...evaluation, dataset }, { ...needs, isDetached: false }, ended);
  expect(again).toMatchObject({ status: 'completed', continues: ended.id });
  expect(server.batches.jobs.map(({ requests }) => requests.length)).toEqual([30, 6]);
  expect([server.requests.length, measured(again)]).toEqual([0, 36]);
});

test('a second rescore takes over what the first one has left in a batch', async () => {
  const server = await serve(fair);
  const store = createMemoryStore();
  const plain = await run(
    { ...batchedEvaluation({ url: server.url }), metrics: buildEvaluation([], []).metrics },
    batchedNeeds(store),
  );
  server.batches.play({ checks: 3 });
  const rules = batchedEvaluation({ url: server.url });
  const first = await rescore(plain, rules, batchedNeeds(store, { isDetached: true }));
  expect(first).toMatchObject({ status: 'interrupted', stops: [{ reason: 'batch' }] });
  const second = await rescore(plain, rules, batchedNeeds(store));
  expect(second).toMatchObject({ status: 'completed', rescoredFrom: plain.id });
  expect([server.batches.jobs.length, server.requests.length]).toEqual([1, 0]);
  expect(await store.documents.count(batchRequestKind)).toBe(0);
  expect(await store.documents.count(batchKind)).toBe(0);
});

test('the cost limit keeps a batch from being submitted that would pass it, and a higher one submits it', async () => {
  const limited = (maxCost: number) => ({
    parts: { settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, maxCost } },
  });
  const { server, store, needs, ended } = await runWith({}, limited(0.305));
  expect(server.batches.jobs).toHaveLength(0);
  expect(ended.stops).toHaveLength(1);
  expect(ended.stops?.[0]).toMatchObject({
    reason: 'cost',
    message: expect.stringContaining('a batch of questions'),
  });
  const again = await run(batchedEvaluation({ url: server.url, ...limited(10) }), needs, ended);
  expect([server.batches.jobs.length, measured(again)]).toEqual([1, 30]);
  expect(await store.documents.count(batchKind)).toBe(0);
});

/** Runs 27 questions, for 0.27 dollars, with a judge that is asked in batches of nine, and a limit of what it may cost. */
async function runInNines(maxForJudge: number) {
  // An answer costs a hundredth of a cent, a third of what is expected.
  const server = await serve({ ...fair, usage: { inputTokens: 100, outputTokens: 50 } });
  server.batches.play({ checks: 3 });
  const settings = { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, maxCost: 0.27 + maxForJudge };
  const evaluation = batchedEvaluation({ url: server.url, cases: 27, parts: { settings } });
  const [judge] = evaluation.metrics.flatMap(({ metric }) => metric.judge ?? []);
  const batch = { ...judge?.batch, limits: { requests: 10, bytes: 1e9 } };
  Object.defineProperty(judge, 'batch', { value: batch });
  const ended = await run(evaluation, batchedNeeds(createMemoryStore()));
  const sizes = server.batches.jobs.map(({ requests }) => requests.length);
  return {
    sizes,
    cost: ended.summary?.judge?.cost.sum ?? 0,
    stops: ended.stops,
    files: server.batches.files,
  };
}

test('with several batches the cost limit waits until it is known what the first ones cost, and stops before it is passed', async () => {
  // Three batches of about 0.0047 dollars each, of which one costs 0.0009 in the end.
  expect(await runInNines(0.0045)).toMatchObject({ sizes: [], stops: [{ reason: 'cost' }], cost: 0 });
  expect(await runInNines(0.005)).toMatchObject({ sizes: [9], stops: [{ reason: 'cost' }] });
  expect(await runInNines(0.006)).toMatchObject({ sizes: [9, 9], stops: [{ reason: 'cost' }] });
  const enough = await runInNines(0.007);
  expect(enough).toMatchObject({ sizes: [9, 9, 9], stops: undefined, files: [] });
  expect(enough.cost).toBeCloseTo(0.0027);
});

test('a batch that cannot be paid for is not uploaded; the file of one that was not submitted goes when it is cancelled', async () => {
  const { server: poor } = await runWith(
    {},
    { parts: { settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, maxCost: 0.305 } } },
  );
  expect(poor.batches.files).toEqual([]);
  const server = await serve(fair);
  const store = createMemoryStore();
  const stop = new AbortController();
  const onRequest = async (name: string) => {
    if (name === 'POST /batches') stop.abort();
  };
  server.batches.play({ refusals: 1000, onRequest });
  const evaluation = batchedEvaluation({ url: server.url });
  const signals = { ...neverStopped, stop: stop.signal };
  const ended = await run(evaluation, batchedNeeds(store, { signals }));
  expect([server.batches.jobs.length, server.batches.files.length]).toEqual([0, 1]);
  const cancelled = await cancelBatches(ended.id, batchesOf(evaluation), store);
  expect(cancelled).toMatchObject({ batches: 1, requests: 30 });
  expect(server.batches.files).toEqual([]);
  server.batches.play({});
  const again = await run(evaluation, batchedNeeds(store), ended);
  expect([server.batches.jobs.length, measured(again)]).toEqual([1, 30]);
});

test('a batch that takes longer than `waitMs` is cancelled: what it has answered counts, the rest is asked one by one', async () => {
  const { server, ended } = await runWith({ checks: 1000 }, { batch: { atLeast: 5, waitMs: 1 } });
  expect(server.batches.jobs.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  expect([server.batches.billed.size, server.requests.length, measured(ended)]).toEqual([15, 15, 30]);
});
