import { expect, test } from 'vitest';
import { checkConfig, resolveConfig } from './resolve.ts';

async function resolve(settings: object) {
  const config = checkConfig({
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: 'bot.ts' }],
    metrics: ['semantic-similarity', 'latency'],
    scorecard: null,
    ...settings,
  });
  const needs = { folder: 'examples/property-assistant', environment: {} };
  return (await resolveConfig(config, needs)).metrics;
}

async function metricsOf(settings: object) {
  return (await resolve(settings)).map(({ fingerprint }) => fingerprint);
}

const local = { use: 'openai-embeddings', model: 'a', baseUrl: 'http://localhost:11434/v1' };

test('the fingerprint of an embedding metric depends on the embedding model, others do not', async () => {
  const [similarity, latency] = await metricsOf({ embedder: local });
  const [same, sameLatency] = await metricsOf({ embedder: { ...local, maxRetries: 1 } });
  const [other, otherLatency] = await metricsOf({ embedder: { ...local, model: 'b' } });
  expect(same).toBe(similarity);
  expect(other).not.toBe(similarity);
  expect([sameLatency, otherLatency]).toEqual([latency, latency]);
  // The fingerprint from before embedding models were judges, so that baselines and earlier runs stay comparable.
  expect(similarity).toBe('73fd4a123f91e66bad2e15277ce36a49');
});

test('an embedding metric without an embedding model is refused, and an unknown model is named', async () => {
  const problem = async (settings: object) =>
    await metricsOf(settings).catch((error: unknown) =>
      JSON.stringify((error as { issues: unknown }).issues),
    );
  expect(await problem({})).toContain('needs an embedding model');
  expect(await problem({ embedder: { use: 'openai-embedings' } })).toContain('Did you mean');
});

test('an embedding model is deterministic: no judge noise is measured', async () => {
  const [similarity] = await resolve({ embedder: local });
  expect(similarity?.metric.judge?.name).toBe('a');
  expect(similarity?.judge).toBeUndefined();
});

test('embedding metrics share one judge, which prepares the model once and calls it once for a trial', async () => {
  const metrics = ['semantic-similarity', { use: 'semantic-similarity', name: 'near', from: 'input' }];
  const [one, other] = await resolve({ embedder: local, metrics });
  expect(other?.name).toBe('near');
  expect(other?.metric.judge).toBe(one?.metric.judge);
});
