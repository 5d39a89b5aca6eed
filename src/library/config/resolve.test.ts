import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openaiChat } from '../../evaluate/models/registry.ts';
import type { Config } from './config.ts';
import { loadEvaluation } from './load-evaluation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resolve-'));
  await writeFile(path.join(folder, 'golden.jsonl'), '{"text":"a"}\n');
  await writeFile(path.join(folder, 'other.csv'), 'text\nb\n');
});
afterAll(() => rm(folder, { recursive: true }));

const bot = { use: 'module', name: 'bot', function: () => 'yes' };
const config: Config = {
  dataset: { path: 'golden.jsonl', format: 'jsonl', fields: { text: 'question' } },
  targets: [bot],
};

async function resolve(settings: object, choices: Parameters<typeof loadEvaluation>[1] = {}) {
  return (await loadEvaluation({ ...config, ...settings }, choices, folder)).evaluation;
}

async function questionsOf(settings: object, choices: Parameters<typeof loadEvaluation>[1] = {}) {
  const { dataset } = await resolve(settings, choices);
  return (await Array.fromAsync(dataset.drafts())).map(({ value }) => value['input']);
}

test('a config without targets is refused with how to name a bot', async () => {
  await expect(resolve({ targets: undefined })).rejects.toMatchObject({
    remedy: expect.stringContaining('docs/connect-your-bot.md'),
  });
});

test('a bot that is said to be deterministic is the same bot', async () => {
  const targetOf = async (said: object) => (await resolve({ targets: [{ ...bot, ...said }] })).targets[0];
  const [said, silent] = [await targetOf({ deterministic: true }), await targetOf({})];
  expect(said).toMatchObject({ isDeterministic: true, fingerprint: silent?.fingerprint });
  const model = openaiChat({ model: 'gpt-5-mini', baseUrl: 'http://127.0.0.1:9', deterministic: true });
  expect((await resolve({ targets: [model] })).targets).toMatchObject([{ isDeterministic: true }]);
  await expect(targetOf({ deterministic: 'yes' })).rejects.toMatchObject({
    message: expect.stringContaining('targets[0].deterministic: expected true or false'),
  });
});

test('the metrics of the scorecard come first, and a metric that is named again is not duplicated', async () => {
  const { metrics, scorecard } = await resolve({ metrics: ['response-quality', 'latency'] });
  expect(metrics.map(({ name }) => name)).toEqual([
    'tool-usage',
    'response-quality',
    'error-handling',
    'latency',
  ]);
  expect(scorecard?.criteria.map(({ metric }) => metric)).toEqual([
    'tool-usage',
    'response-quality',
    'error-handling',
  ]);
});

test('a metric declares which expectations it reads, depending on its options', async () => {
  const metrics = [
    'latency',
    'exact-match',
    { use: 'contains', value: 'x' },
    { use: 'check', name: 'a', path: 'state.time', equals: { path: 'expected.state.time' } },
    { use: 'check', name: 'b', path: 'answer', contains: 'x' },
    { use: 'rubric', text: 'x', reads: ['answer'], judge: { use: 'scripted', rules: [] } },
  ];
  const { metrics: live } = await resolve({ scorecard: null, metrics });
  expect(live.map(({ reads }) => reads)).toEqual([
    undefined,
    ['answer'],
    undefined,
    ['state'],
    undefined,
    ['refusal'],
  ]);
});

test.each([
  [{ metric: 'latency', weight: 1 }, /maxMs: 2000/],
  [{ metric: 'answer-length', weight: 1 }, /max: 2000/],
])('a quantity without a limit is refused as a criterion: %j', async (criterion, form) => {
  const criteria = [criterion];
  await expect(resolve({ scorecard: { use: 'weighted', criteria } })).rejects.toThrow(form);
});

test.each([
  { use: 'weighted', criteria: [{ metric: { use: 'latency', maxMs: 900 }, weight: 1 }] },
  {
    use: 'weighted',
    criteria: [
      { metric: 'keywords', weight: 1 },
      { metric: 'latency', weight: 0 },
    ],
  },
  { use: 'binary-weighted', criteria: [{ metric: 'latency', atMost: 900, weight: 1 }] },
])('a quantity with a limit, or without weight, is accepted as a criterion: %j', async (scorecard) => {
  await expect(resolve({ scorecard })).resolves.toBeDefined();
});

test('without a scorecard there are only the metrics', async () => {
  const { metrics, scorecard } = await resolve({ scorecard: null, metrics: ['equals'] });
  expect([scorecard, metrics.map(({ name }) => name)]).toEqual([null, ['equals']]);
});

test('missing settings have their defaults', async () => {
  const { attempts, seed, settings, gate, limit } = await resolve({});
  expect({ attempts, seed, settings, gate, limit }).toEqual({
    attempts: 1,
    seed: 0,
    settings: { concurrency: 8, timeLimitMs: 60_000, maxRetries: 4 },
    gate: { minCoverage: 1 },
    limit: Number.POSITIVE_INFINITY,
  });
});

test('a fingerprint depends on the options, not on the name', async () => {
  const fingerprintOf = async (use: object) =>
    (await resolve({ metrics: [use] })).metrics.at(-1)?.fingerprint;
  const contains = { use: 'contains', value: 'a' };
  const first = await fingerprintOf(contains);
  expect(await fingerprintOf({ ...contains, name: 'other' })).toBe(first);
  expect(await fingerprintOf({ ...contains, ignoreCase: true })).toBe(first);
  expect(await fingerprintOf({ ...contains, value: 'b' })).not.toBe(first);
});

test('the field settings of the config apply to other files too', async () => {
  expect(await questionsOf({})).toEqual(['a']);
  expect(await questionsOf({}, { overrides: { dataset: 'other.csv' } })).toEqual(['b']);
  expect(await questionsOf({}, { overrides: { dataset: { path: ['other.csv'] } } })).toEqual(['b']);
  const fields = { text: 'context' } as const;
  expect(await questionsOf({}, { overrides: { dataset: { path: 'other.csv', fields } } })).toEqual([
    undefined,
  ]);
});

test('targets are selected by name', async () => {
  const targets = [bot, { ...bot, name: 'other' }];
  const kept = await resolve({ targets }, { targetNames: ['other'] });
  expect(kept.targets.map(({ name }) => name)).toEqual(['other']);
  await expect(resolve({ targets }, { targetNames: ['ohter'] })).rejects.toMatchObject({
    code: 'usage-invalid',
    message: 'No target is named "ohter". Did you mean "other"?',
    remedy: 'Choose from bot, other.',
  });
});

test.each([
  [
    { metrics: ['latncy'] },
    'extension-unknown',
    'config: metrics[0]: there is no metric "latncy". Did you mean "latency"?',
  ],
  [
    { targets: [{ use: 'qqq' }] },
    'extension-unknown',
    'config: targets[0]: there is no target "qqq". Known are chat, ',
  ],
  [
    { targets: [{ use: 'qqq' }] },
    'extension-unknown',
    '; and models: ai-sdk, anthropic, azure, bedrock, cerebras, deepseek, ',
  ],
  [
    { targets: [{ use: 'olama', model: 'qwen3:8b' }] },
    'extension-unknown',
    'config: targets[0]: there is no target "olama". Did you mean "ollama"?',
  ],
  [
    { judge: 'groq', metrics: [{ use: 'rubric', text: 'Is it polite?' }] },
    'extension-unknown',
    'config: judge: there is no judge "groq". It is a model, written as `{ use: groq, model: … }`.',
  ],
  [
    { scorecard: 'keywords' },
    'extension-unknown',
    'config: scorecard: there is no scorecard "keywords". Known are ',
  ],
  [
    { metrics: [{ use: 'regex', patern: 'a' }] },
    'config-invalid',
    'config: metrics[0].patern: unknown setting. Did you mean "pattern"?',
  ],
  [
    { metrics: [{ use: 'regex', pattern: 5 }] },
    'config-invalid',
    'config: metrics[0].pattern: expected a text, found the number 5',
  ],
  [
    { scorecard: { use: 'three-component', weights: { toolUsage: 0.5 } } },
    'scorecard-weights',
    'config: scorecard: The weights of the scorecard three-component add up to 1.1, not 1',
  ],
  [
    { scorecard: { use: 'weighted', criteria: [{ metric: 'latncy', weight: 1 }] } },
    'extension-unknown',
    'config: scorecard.criteria[0].metric: there is no metric "latncy"',
  ],
  [
    { targets: [bot, bot] },
    'config-invalid',
    'config: targets[1]: two entries are named "bot"; give one of them another `name`',
  ],
  [
    { dataset: { path: 'golden.jsonl', fields: { text: 'qestion' } } },
    'config-invalid',
    'Did you mean "question"?',
  ],
])('%j is refused with the path of the setting', async (settings, code, message) => {
  await expect(resolve(settings)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
  'the name %s is refused before anything is called',
  async (name) => {
    const message = new RegExp(`"${name}" cannot be used as a name`);
    const criteria = [{ name, metric: 'keywords', weight: 1 }];
    for (const settings of [
      { metrics: [{ use: 'keywords', name }] },
      { targets: [{ ...bot, name }] },
      { scorecard: { use: 'weighted', criteria } },
      { gate: { rules: JSON.parse(`{"${name}": {"type": "score", "atLeast": 99}}`) } },
    ]) {
      await expect(resolve(settings)).rejects.toThrow(message);
    }
  },
);

test('a model in place of a target is a chat target that asks it, called as the provider calls the model', async () => {
  const model = { use: 'openai-chat', model: 'm-1', baseUrl: 'http://127.0.0.1:1/v1' };
  const [written] = (await resolve({ targets: [{ use: 'chat', name: 'm-1', model }] })).targets;
  const { targets } = await resolve({ targets: [model, { ...model, name: 'mine' }] });
  expect(targets.map(({ name }) => name)).toEqual(['m-1', 'mine']);
  expect(targets[0]).toMatchObject({ use: { use: 'chat', model }, fingerprint: written?.fingerprint });
  await expect(resolve({ targets: [{ ...model, base_url: 'x' }] })).rejects.toMatchObject({
    message: expect.stringContaining('targets[0].base_url: unknown setting. Did you mean "baseUrl"?'),
  });
});

test('a share where per cent are meant is refused: nearly every score is at least 0.85 %', async () => {
  await expect(resolve({ gate: { failUnder: 0.85 } })).rejects.toThrow('found 0.85: for 85 % write 85');
  for (const failUnder of [0, 1, 85])
    expect((await resolve({ gate: { failUnder } })).gate).toMatchObject({ failUnder });
});

test('a config without questions is told which setting to write', async () => {
  await expect(resolve({ dataset: undefined })).rejects.toMatchObject({
    remedy: expect.stringContaining('`dataset: golden.jsonl`'),
  });
});
