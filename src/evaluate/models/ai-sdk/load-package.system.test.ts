import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { ask, failureOf, modelKey, serve } from '../../../../test/support/model-harness.ts';
import { aiSdk } from '../ai-sdk.ts';
import type { ChatModel } from '../model.ts';

const { definition } = aiSdk;

function create(options: object, folder = process.cwd()): ChatModel {
  const environment = { COMPATIBLE_KEY: modelKey };
  return definition.create(definition.options.parse({ maxRetries: 0, ...options }), { folder, environment });
}

const named = { package: '@ai-sdk/openai-compatible', model: 'm', export: 'createOpenAICompatible' };

test('a model of a real package of the AI SDK answers, whole and streamed, with its key from the environment', async () => {
  const server = await serve({
    text: 'The rent is 900 €.',
    reasoning: 'hm',
    reasoningField: 'reasoning_content',
  });
  const settings = { name: 'mine', baseURL: server.url, apiKey: '{{env.COMPATIBLE_KEY}}' };
  const model = create({ ...named, export: undefined, settings });
  await model.open?.();
  for (const stream of [false, true]) {
    const reply = await ask(model, { stream });
    expect(reply).toMatchObject({ text: 'The rent is 900 €.', reasoning: 'hm', finishReason: 'stop' });
    expect(JSON.stringify(reply)).not.toContain(modelKey);
  }
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${modelKey}`,
    `Bearer ${modelKey}`,
  ]);
  server.play(({ headers }) => ({
    fault: 'error',
    status: 401,
    body: JSON.stringify({ error: { message: `Wrong key: ${String(headers.authorization)}` } }),
  }));
  const failure = await failureOf(ask(model));
  expect([failure.code, failure.message]).toEqual([
    'unauthorized',
    expect.stringContaining('Bearer [COMPATIBLE_KEY]'),
  ]);
});

test('a model by its package is asked as the same model object in code is', async () => {
  const server = await serve('yes');
  const settings = { name: 'mine', baseURL: server.url, apiKey: modelKey };
  const { use: _, ...held } = aiSdk({ model: createOpenAICompatible(settings)('m'), temperature: 0.5 });
  await ask(create(held));
  await ask(
    create({ ...named, temperature: 0.5, settings: { ...settings, apiKey: '{{env.COMPATIBLE_KEY}}' } }),
  );
  const [inCode, byName] = server.requests.map(({ body, path: at }) => ({ body, at }));
  expect(byName).toEqual(inCode);
});

test('the fingerprint is that of the package, the model and the settings as they are written', () => {
  const settings = { name: 'mine', baseURL: 'http://127.0.0.1:9/v1', apiKey: '{{env.COMPATIBLE_KEY}}' };
  const one = create({ ...named, settings });
  expect(create({ ...named, settings, maxConcurrency: 3 }).fingerprint).toBe(one.fingerprint);
  for (const other of [
    { ...named, settings: { ...settings, baseURL: 'http://127.0.0.1:8/v1' } },
    { ...named, settings, model: 'n' },
    { ...named, settings, temperature: 0 },
  ]) {
    expect(create(other).fingerprint).not.toBe(one.fingerprint);
  }
});

test.each([
  [
    { package: '@ai-sdk/not-there', model: 'm' },
    'package-missing',
    '@ai-sdk/not-there, which is not installed',
  ],
  [
    { ...named, settings: { apiKey: '{{env.NOT_SET}}' } },
    'environment-missing',
    'needs NOT_SET, which is not set',
  ],
  [
    { ...named, package: '@ai-sdk/provider', export: undefined },
    'model-invalid',
    'is the provider: none of the AI SDK',
  ],
  [
    { ...named, export: 'createNothing' },
    'model-invalid',
    'The export `createNothing` of @ai-sdk/openai-compatible is no provider; there are createOpenAICompatible',
  ],
])('%j is refused before anything is asked', async (options, code, message) => {
  const error: unknown = await Promise.resolve(create(options).open?.()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('what is missing is installed with a command to paste', async () => {
  await expect(create({ package: '@ai-sdk/groq', model: 'm' }, tmpdir()).open?.()).rejects.toMatchObject({
    remedy: 'Run `npm install @ai-sdk/groq`.',
  });
});

test.each([
  [{ model: 'm' }, 'package', 'is missing'],
  [{ model: 'm', package: '../provider.js' }, 'package', 'must be the name of a package'],
  [{ model: 'm', package: 'https://example.com/x.js' }, 'package', 'must be the name of a package'],
  [{ model: 5, package: '@ai-sdk/groq' }, 'model', 'must be the name of a model'],
])('%j is no model', (options, place, message) => {
  const { error } = definition.options.safeParse(options);
  expect(error?.issues[0]).toMatchObject({ path: [place], message: expect.stringContaining(message) });
});

test('a secret that is written out in the settings is refused', () => {
  for (const settings of [{ apiKey: 'my-very-own-secret' }, { headers: { 'x-auth-token': 'abc123def' } }]) {
    expect(() => create({ ...named, settings })).toThrow(
      expect.objectContaining({
        code: 'model-invalid',
        message: expect.stringContaining('is a secret that is written out'),
      }),
    );
  }
});

test('a package is found in the folder of the config, also one that may only be imported; its provider is found by itself', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'ai-sdk-package-'));
  const home = path.join(folder.path, 'node_modules', 'my-provider');
  mkdirSync(home, { recursive: true });
  const manifest = { name: 'my-provider', type: 'module', exports: { '.': { import: './main.js' } } };
  writeFileSync(path.join(home, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(home, 'main.js'),
    `const model = (id, said) => ({ specificationVersion: 'v3', provider: 'mine', modelId: id,
  doGenerate: async () => ({ content: [{ type: 'text', text: said }], finishReason: 'stop', usage: {} }), doStream: async () => ({}) });
export const mine = Object.assign((id) => model(id, 'plain'), { languageModel: (id) => model(id, 'plain') });
export const createMine = (settings) => ({ languageModel: (id) => model(id, JSON.stringify(settings)) });
export const helper = () => 'nothing';`,
  );
  const plain = create({ package: 'my-provider', model: 'm' }, folder.path);
  expect((await ask(plain)).text).toBe('plain');
  const set = create({ package: 'my-provider', model: 'm', settings: { region: 'eu' } }, folder.path);
  expect((await ask(set)).text).toBe('{"region":"eu"}');
  const wrong = create({ package: 'my-provider', model: 'm', export: 'helper' }, folder.path);
  await expect(wrong.open?.()).rejects.toThrow('there are mine, createMine');
  const linked = path.join(folder.path, 'project');
  mkdirSync(linked);
  symlinkSync(path.join(folder.path, 'node_modules'), path.join(linked, 'node_modules'));
  expect((await ask(create({ package: 'my-provider', model: 'm' }, linked))).text).toBe('plain');
});
