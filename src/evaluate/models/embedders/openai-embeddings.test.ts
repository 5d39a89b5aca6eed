import { expect, test } from 'vitest';
import { failureOf, modelKey, serve } from '../../../../test/support/model-harness.ts';
import { openaiEmbeddings } from './openai-embeddings.ts';

const { signal } = new AbortController();

function create(baseUrl: string, options: object = {}) {
  const { definition } = openaiEmbeddings;
  const written = { model: 'embed', baseUrl, apiKeyEnv: 'TEST_KEY', ...options };
  return definition.create(definition.options.parse(written), {
    folder: '.',
    environment: { TEST_KEY: modelKey },
  });
}

test('each text gets its vector, in order, in any number of requests', async () => {
  const server = await serve();
  const texts = Array.from({ length: 7 }, (_, index) => `text number ${index}`);
  const inOne = await create(server.url).embed(texts, { signal });
  const inThree = await create(server.url, { batchSize: 3 }).embed(texts, { signal });
  expect(inThree.vectors).toEqual(inOne.vectors);
  expect([inOne.attempts?.length, inThree.attempts?.length]).toEqual([1, 3]);
  expect(
    server.requests.map(({ body }) => (body['input'] as string[]).length).toSorted((a, b) => a - b),
  ).toEqual([1, 3, 3, 7]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${modelKey}`);
});

test('vectors are put in the order of their index', async () => {
  const data = [
    { index: 1, embedding: [0, 1] },
    { index: 0, embedding: [1, 0] },
  ];
  const server = await serve({ fault: 'raw', body: JSON.stringify({ data }) });
  expect((await create(server.url).embed(['a', 'b'], { signal })).vectors).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test.each([
  ['too few vectors', [{ index: 0, embedding: [1] }]],
  ['vectors of several lengths', [{ embedding: [1] }, { embedding: [1, 2] }]],
  ['empty vectors', [{ embedding: [] }, { embedding: [] }]],
])('%s are no reply', async (_what, data) => {
  const server = await serve({ fault: 'raw', body: JSON.stringify({ data }) });
  expect((await failureOf(create(server.url).embed(['a', 'b'], { signal }))).code).toBe('invalid-reply');
});

test('failures are repeated as with chat models', async () => {
  const server = await serve([
    { fault: 'error', status: 429, headers: { 'retry-after-ms': '1' } },
    { vectors: [[1, 2]] },
  ]);
  expect(await create(server.url).embed(['a'], { signal })).toMatchObject({
    vectors: [[1, 2]],
    attempts: [{ status: 429, error: { code: 'rate-limited' } }, { status: 200 }],
  });
});

test('`batch`, by which judges are asked at half the price, is refused', () => {
  expect(() => create('http://localhost', { batch: true })).toThrow(/Unrecognized key.*batch/);
});

test('an empty list sends no request', async () => {
  const server = await serve();
  expect((await create(server.url).embed([], { signal })).vectors).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('tokens and their price are reported, as far as the server and the prices allow', async () => {
  const data = [{ index: 0, embedding: [1, 0] }];
  const usage = { prompt_tokens: 500_000, total_tokens: 500_000 };
  const server = await serve({ fault: 'raw', body: JSON.stringify({ data, usage, model: 'embed-2026' }) });
  const prices = { input: 0.5, output: 0 };
  expect(await create(server.url, { prices }).embed(['a'], { signal })).toMatchObject({
    usage: { inputTokens: 500_000, outputTokens: 0 },
    cost: 0.25,
    model: 'embed-2026',
  });
  expect((await create(server.url).embed(['a'], { signal })).cost).toBeUndefined();
  const small = { model: 'text-embedding-3-small' };
  const million = { inputTokens: 1_000_000, outputTokens: 0 };
  expect(await create('https://api.openai.com/v1', small).priceOf?.(million)).toBeCloseTo(0.02, 12);
});

test('a missing key and a server that is down are reported before anything is asked', async () => {
  const server = await serve();
  const missing = create(server.url, { apiKeyEnv: 'NOT_THERE' }).open?.();
  await expect(missing).rejects.toMatchObject({ code: 'environment-missing' });
  await expect(create('http://127.0.0.1:9/v1').open?.()).rejects.toMatchObject({ code: 'model-unreachable' });
  await create(server.url).open?.();
  expect(server.requests).toEqual([]);
});

test('a call of several requests reports waiting only while all of them wait', async () => {
  const server = await serve({ vectors: [[1, 2]] });
  const waits: boolean[] = [];
  const onWaiting = (isWaiting: boolean) => void waits.push(isWaiting);
  const embedder = create(server.url, { batchSize: 1, requestsPerMinute: 600 });
  await embedder.embed(['a', 'b', 'c'], { signal, onWaiting });
  expect(waits).toEqual([true, false]);
});
