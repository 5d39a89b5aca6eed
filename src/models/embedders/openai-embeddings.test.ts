import { expect, test } from 'vitest';
import { failureOf, modelKey, serve } from '../../testing/model-harness.ts';
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

test('each text gets its vector, in order, however many requests that takes', async () => {
  const server = await serve();
  const texts = Array.from({ length: 7 }, (_, index) => `text number ${index}`);
  const inOne = await create(server.url).embed(texts, { signal });
  const inThree = await create(server.url, { batchSize: 3 }).embed(texts, { signal });
  expect(inThree).toEqual(inOne);
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
  expect(await create(server.url).embed(['a', 'b'], { signal })).toEqual([
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

test('faults are repeated as with chat models', async () => {
  const server = await serve([
    { fault: 'error', status: 429, headers: { 'retry-after-ms': '1' } },
    { vectors: [[1, 2]] },
  ]);
  expect(await create(server.url).embed(['a'], { signal })).toEqual([[1, 2]]);
});

test('nothing to embed asks nobody', async () => {
  const server = await serve();
  expect(await create(server.url).embed([], { signal })).toEqual([]);
  expect(server.requests).toEqual([]);
});
