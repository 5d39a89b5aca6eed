import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineMetric } from '../../evaluate/metrics/metric.ts';
import { openaiChat } from '../../evaluate/models/openai-chat.ts';
import { loadEvaluation } from './load-evaluation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'judges-'));
  await writeFile(path.join(folder, 'golden.jsonl'), '{"question":"a"}\n');
});
afterAll(() => rm(folder, { recursive: true }));

async function metricsOf(settings: object) {
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', function: () => 'yes' }],
    scorecard: null,
    ...settings,
  };
  return (await loadEvaluation(config, {}, folder)).evaluation.metrics;
}

const model = { use: 'openai-chat', model: 'm-1', baseUrl: 'http://127.0.0.1:1/v1' };

test('a judged metric without a judge is refused, with the place and the remedy', async () => {
  await expect(metricsOf({ metrics: ['relevance'] })).rejects.toMatchObject({
    code: 'judge-missing',
    message: 'config: metrics[0]: the metric relevance asks a judge, and none is configured',
    remedy: expect.stringContaining('judge:'),
  });
});

test('metrics share the judge of the config, except those that name their own', async () => {
  const other = { use: 'chat-model', model: { ...model, model: 'm-2' } };
  const metrics = await metricsOf({
    judge: { use: 'chat-model', model },
    metrics: ['relevance', 'safety', { use: 'robustness', judge: other }, 'latency'],
  });
  const [relevance, safety, robustness, latency] = metrics.map(({ metric }) => metric.judge);
  expect(relevance).toBe(safety);
  expect([relevance?.name, robustness?.name, latency]).toEqual(['m-1', 'm-2', undefined]);
  expect(metrics[0]?.judge).toEqual({ name: 'm-1', fingerprint: relevance?.fingerprint });
});

test('a model can be named as the judge, as data or made by its factory', async () => {
  const { use: _use, ...options } = model;
  for (const judge of [model, openaiChat(options)]) {
    const [metric] = await metricsOf({ judge, metrics: ['relevance'] });
    expect(metric?.judge?.name).toBe('m-1');
  }
});

test('another judge changes the fingerprint of a metric, another concurrency does not', async () => {
  const fingerprintOf = async (judge: object) =>
    (await metricsOf({ judge, metrics: ['relevance'] }))[0]?.fingerprint;
  const first = await fingerprintOf({ use: 'chat-model', model });
  expect(await fingerprintOf({ use: 'chat-model', model, concurrency: 50 })).toBe(first);
  expect(await fingerprintOf({ use: 'chat-model', model: { ...model, temperature: 0 } })).not.toBe(first);
  expect(await fingerprintOf({ use: 'chat-model', model, together: true })).not.toBe(first);
});

test('a problem with a judge is reported with its place', async () => {
  const place = async (settings: object) => await metricsOf(settings).catch((error: Error) => error.message);
  expect(await place({ judge: { use: 'chat-modl', model }, metrics: ['relevance'] })).toMatch(
    /judge: there is no judge "chat-modl". Did you mean "chat-model"/,
  );
  expect(await place({ metrics: [{ use: 'relevance', judge: { use: 'chat-model' } }] })).toMatch(
    /metrics\[0\]\.judge\.model/,
  );
  expect(await place({ judge: { use: 'panel', judges: [model, model] }, metrics: ['relevance'] })).toMatch(
    /are the same/,
  );
});

test('the aspects that a metric and its parts declare are recorded; a metric without one says so', async () => {
  const metrics = await metricsOf({ metrics: ['tool-usage', 'response-quality', 'exact-match'] });
  expect(metrics.map(({ aspect, parts = [] }) => [aspect, parts.map(({ name }) => name)])).toEqual([
    ['expected-tools', []],
    [null, ['keywords', 'entities', 'expected answer']],
    [null, []],
  ]);
});

test('an aspect that does not exist is refused with those that do', async () => {
  const declaring = (parts: object) =>
    defineMetric({
      name: 'mine',
      version: 1,
      summary: 'Mine.',
      options: z.strictObject({}),
      create: () => ({ score: () => ({ status: 'scored', value: 1 }) }),
      ...parts,
    })();
  const message = /metrics\[0\]: its definition declares the aspect "terms"; known are correct-answer, /;
  await expect(metricsOf({ metrics: [declaring({ aspect: 'terms' })] })).rejects.toThrow(message);
  const parts = [{ name: 'words', aspect: 'terms' }];
  await expect(metricsOf({ metrics: [declaring({ parts })] })).rejects.toThrow(message);
});

test('a criterion names a metric of the config, which is measured once, under its name and with its options', async () => {
  const kept = { name: 'terms', use: 'keywords', threshold: 0.5 };
  const settings = (criterion: object) => ({
    metrics: [kept, 'latency'],
    scorecard: { use: 'weighted', criteria: [{ weight: 1, ...criterion }] },
  });
  const [alone] = await metricsOf({ metrics: [kept] });
  for (const criterion of [{ metric: 'terms' }, { metric: 'terms', name: 'said it' }]) {
    const metrics = await metricsOf(settings(criterion));
    expect(metrics.map(({ name }) => name)).toEqual(['terms', 'latency']);
    expect(metrics[0]?.fingerprint).toBe(alone?.fingerprint);
  }
});

test('a criterion named like a metric that the config has with options gets those', async () => {
  const metrics = await metricsOf({
    metrics: [{ use: 'keywords', threshold: 0.5 }],
    scorecard: { use: 'binary-weighted', criteria: [{ metric: 'keywords', weight: 1, name: 'said it' }] },
  });
  expect(metrics.map(({ name, use }) => [name, use])).toEqual([
    ['keywords', { use: 'keywords', threshold: 0.5 }],
  ]);
});
