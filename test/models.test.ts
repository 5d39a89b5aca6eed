import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Trial } from '../src/core/schema/trial.ts';
import { toolCallsOf } from '../src/core/schema/trial.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = await temporaryFolder();
const server = await startModelServer();
afterAll(async () => await server.close());

async function copyExample(name: string): Promise<string> {
  const copy = path.join(folder, name);
  await cp(path.join(root, 'examples', name), copy, {
    recursive: true,
    filter: (file) => !file.includes('.touchstone'),
  });
  return copy;
}

/** Creates a project of a few files. A value that is not text is written as JSON. */
async function writeProject(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  const project = path.join(folder, name);
  await mkdir(project);
  for (const [file, content] of Object.entries(files)) {
    await writeFile(
      path.join(project, file),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return project;
}

async function storedTrials(cwd: string): Promise<Trial[]> {
  return (await readLatestResults(cwd)).map(({ trial }) => trial);
}

const model = { use: 'openai-chat', model: 'test-model', baseUrl: server.url };
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"question": "question ${index}"}`).join('\n');

/** An environment without the model that the machine may name. */
const noModel = {
  TOUCHSTONE_MODEL: undefined,
  TOUCHSTONE_BASE_URL: undefined,
  TOUCHSTONE_API_KEY_ENV: undefined,
};

test('the FAQ bots run side by side without a key', async () => {
  const cwd = await copyExample('faq-bots');
  const { code, stdout, stderr } = await touchstone(['run', '--json'], { cwd, env: noModel });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { summary } = JSON.parse(stdout);
  expect(
    summary.targets.map(({ target, counts }: { target: string; counts: object }) => [target, counts]),
  ).toMatchObject([
    ['semantic-match', { planned: 78, errors: 0 }],
    ['full-context', { planned: 78, errors: 0 }],
    ['chat', { planned: 78, errors: 0 }],
  ]);
  const trials = await storedTrials(cwd);
  const find = (target: string) =>
    trials.find((trial) => trial.target === target && trial.caseId === 'puncture-exact');
  expect(find('full-context')).toMatchObject({
    documents: [{ id: 'knowledge.md', given: true, text: expect.stringContaining('Juniper Street') }],
    transcript: [
      {
        role: 'user',
        content: expect.stringMatching(/customers of Juniper Street Bike Works.*Question: How much does/s),
      },
      { role: 'assistant', reasoning: expect.stringContaining('The nearest of') },
    ],
  });
  const chatted = find('chat');
  expect(chatted?.answer).toBe(
    'A new tube with fitting costs 18 dollars for a front wheel and 24 dollars for a rear wheel.',
  );
  expect(chatted?.documents?.[0]).toMatchObject({ id: 'How much does a puncture repair cost?' });
  expect(toolCallsOf(chatted?.transcript ?? [])).toMatchObject([
    { name: 'search_faq', result: [{}, {}, {}] },
  ]);
  const shown = await touchstone(['show', '--verbose', '--filter', 'id=puncture-exact'], { cwd });
  expect(shown.stdout).toMatch(/Thoughts\s+I look up:/);
  expect(shown.stdout).toMatch(/Tool\s+search_faq\(/);
});

test('the property assistants with and without a model are compared in one run', async () => {
  const cwd = await copyExample('property-assistant');
  const { code, stdout, stderr } = await touchstone(['run', 'model-driven.config.ts', '--json'], {
    cwd,
    env: noModel,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { summary } = JSON.parse(stdout);
  expect(summary.targets).toMatchObject([
    { target: 'v2', score: { value: expect.closeTo(0.8736, 4) } },
    {
      target: 'model-driven',
      score: { value: expect.closeTo(0.796, 3) },
      counts: { planned: 71, passed: 45, errors: 0 },
    },
  ]);
  const trials = await storedTrials(cwd);
  const used = trials
    .filter(({ target }) => target === 'model-driven')
    .flatMap(({ transcript }) => toolCallsOf(transcript));
  expect(new Set(used.map(({ name }) => name)).size).toBe(3);
});

test('a model can be named in the environment, and its key reaches only the server', async () => {
  const cwd = await copyExample('faq-bots').then(async (copied) => {
    const again = `${copied}-named`;
    await cp(path.join(root, 'examples', 'faq-bots'), again, {
      recursive: true,
      filter: (file) => !file.includes('.touchstone'),
    });
    return again;
  });
  server.play(({ headers }) =>
    headers['authorization'] === 'Bearer sk-secret-of-the-shop'
      ? { text: 'I see sk-secret-of-the-shop.', reasoning: 'Hm.' }
      : { fault: 'error', status: 401 },
  );
  const env = {
    TOUCHSTONE_MODEL: 'shop-1',
    TOUCHSTONE_BASE_URL: server.url,
    TOUCHSTONE_API_KEY_ENV: 'SHOP_API_KEY',
    SHOP_API_KEY: 'sk-secret-of-the-shop',
  };
  const { code, stdout, stderr } = await touchstone(['run', '--limit', '3', '--verbose'], { cwd, env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('I see [SHOP_API_KEY].');
  const kept = await readdir(path.join(cwd, '.touchstone'));
  const bytes = await Promise.all(
    kept.map(async (file) => await readFile(path.join(cwd, '.touchstone', file), 'latin1')),
  );
  for (const text of [stdout, stderr, ...bytes]) expect(text).not.toContain('sk-secret-of-the-shop');
});

test('an unknown prompt variable is refused with its place before any call', async () => {
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'full-context', model, knowledge: 'knowledge.md', prompt: { path: 'prompt.md' } }],
  };
  const cwd = await writeProject('missing-variable', {
    'touchstone.config.yaml': config,
    'golden.jsonl': questions(1),
    'knowledge.md': 'Nine.',
    'prompt.md': 'Read {{knowledge}}\nand answer {{questoin}}\n',
  });
  const before = server.requests.length;
  const { code, stderr } = await touchstone(['run'], { cwd });
  expect(code).toBe(4);
  expect(stderr).toContain('prompt.md:2:12: there is no variable {{questoin}}. Did you mean {{question}}?');
  expect(server.requests).toHaveLength(before);
});

test('resuming with an edited prompt is refused', async () => {
  const priced = { ...model, prices: { input: 1_000_000, output: 1_000_000 } };
  const config = {
    dataset: 'golden.jsonl',
    concurrency: 1,
    targets: [{ use: 'chat', name: 'bot', model: priced, system: { path: 'system.md' } }],
  };
  const cwd = await writeProject('edited-prompt', {
    'touchstone.config.yaml': config,
    'golden.jsonl': questions(8),
    'system.md': 'Be kind.',
  });
  server.play({ text: 'ok', usage: { inputTokens: 1, outputTokens: 1 } });
  const first = await touchstone(['run', '--max-cost', '3'], { cwd });
  expect(first.code).toBe(2);
  const asked = server.requests.length;
  await writeFile(path.join(cwd, 'system.md'), 'Be brief.');
  const refused = await touchstone(['run', '--resume'], { cwd });
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(
    'targets: the files, the model or the version behind bot are no longer the same',
  );
  expect(server.requests).toHaveLength(asked);
  await writeFile(path.join(cwd, 'system.md'), 'Be kind.');
  expect((await touchstone(['run', '--resume'], { cwd })).code).toBe(0);
  expect(await storedTrials(cwd)).toHaveLength(8);
});

test('time in the queue for the model counts neither as a timeout nor as latency', async () => {
  const narrow = { ...model, maxConcurrency: 1 };
  const config = {
    dataset: 'golden.jsonl',
    concurrency: 20,
    timeLimitMs: 3000,
    targets: [{ use: 'chat', model: narrow }],
  };
  const cwd = await writeProject('narrow-model', {
    'touchstone.config.yaml': config,
    'golden.jsonl': questions(20),
  });
  server.play({ text: 'ok', delayMs: 200 });
  const { code, stderr } = await touchstone(['run'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const trials = await storedTrials(cwd);
  expect(trials.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'completed'));
  expect(Math.max(...trials.map(({ latency }) => latency?.totalMs ?? Number.NaN))).toBeLessThan(3000);
});

test('a failed conversation keeps its transcript and cost', async () => {
  const priced = { ...model, prices: { input: 1, output: 1 } };
  const tools = "export const look = { name: 'look', run: () => 'nothing' };";
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'chat', model: priced, tools: 'tools.mjs', maxSteps: 2 }],
  };
  const cwd = await writeProject('step-limit', {
    'touchstone.config.yaml': config,
    'golden.jsonl': questions(1),
    'tools.mjs': tools,
  });
  server.play({ toolCalls: [{ name: 'look' }], usage: { inputTokens: 400_000, outputTokens: 100_000 } });
  expect((await touchstone(['run'], { cwd })).code).toBe(2);
  const [trial] = await storedTrials(cwd);
  expect(trial).toMatchObject({
    status: 'failed',
    error: { code: 'step-limit' },
    cost: 1,
    usage: { inputTokens: 800_000 },
    transcript: [{}, { toolCalls: [{ result: 'nothing' }] }, { toolCalls: [{ result: 'nothing' }] }],
    latency: { stepsMs: [expect.any(Number), expect.any(Number)] },
  });
});

test('a conversation that times out keeps its transcript and cost', async () => {
  const priced = { ...model, prices: { input: 1, output: 1 } };
  const tools = "export const look = { name: 'look', run: () => 'nothing' };";
  const target = { use: 'chat', model: priced, tools: 'tools.mjs' };
  const config = { dataset: 'golden.jsonl', timeLimitMs: 2500, targets: [target] };
  const files = { 'touchstone.config.yaml': config, 'golden.jsonl': questions(1), 'tools.mjs': tools };
  const cwd = await writeProject('out-of-time', files);
  const usage = { inputTokens: 400_000, outputTokens: 100_000 };
  server.play(({ index }) => (index === 0 ? { toolCalls: [{ name: 'look' }], usage } : { fault: 'hang' }));
  expect((await touchstone(['run'], { cwd })).code).toBe(2);
  const [trial] = await storedTrials(cwd);
  expect(trial).toMatchObject({
    error: { code: 'timeout' },
    cost: 0.5,
    transcript: [{}, { toolCalls: [{ result: 'nothing' }] }],
  });
});

test('the Responses API and a package of the AI SDK are asked as targets and judges of a config in YAML', async () => {
  const server = await startModelServer(({ prompt, system }) => {
    if (system.includes('You judge')) return { judgement: { reason: 'It answers.', score: 0.8 } };
    return `You asked: ${prompt}`;
  });
  const packaged = {
    use: 'ai-sdk',
    package: '@ai-sdk/openai-compatible',
    settings: { name: 'mine', baseURL: server.url, apiKey: '{{env.PACKAGE_KEY}}' },
  };
  const responses = { use: 'openai-responses', model: 'r', baseUrl: server.url };
  const cwd = await writeProject('providers', {
    'golden.jsonl': '{"id":"a","question":"What is the rent?"}\n',
    'touchstone.config.yaml': {
      dataset: 'golden.jsonl',
      targets: [
        { name: 'by-responses', use: 'chat', model: { ...responses, stream: true } },
        { name: 'by-package', use: 'chat', model: { ...packaged, model: 'p' } },
      ],
      scorecard: null,
      judge: { ...responses, model: 'judge-r' },
      metrics: [
        'relevance',
        { use: 'relevance', name: 'by-package', judge: { ...packaged, model: 'judge-p' } },
      ],
    },
  });
  await mkdir(path.join(cwd, 'node_modules'));
  await symlink(path.join(root, 'node_modules', '@ai-sdk'), path.join(cwd, 'node_modules', '@ai-sdk'));
  const env = { PACKAGE_KEY: 'sk-of-the-package-0123' };
  const { code, stdout, stderr } = await touchstone(['run', '--json'], { cwd, env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { results } = JSON.parse(stdout) as { results: { verdicts: object; trial: Trial }[] };
  expect(results).toHaveLength(2);
  for (const { verdicts } of results)
    expect(verdicts).toMatchObject({ relevance: { value: 0.8 }, 'by-package': { value: 0.8 } });
  expect(new Set(server.requests.map(({ protocol }) => protocol))).toEqual(
    new Set(['openai-responses', 'openai-chat']),
  );
  expect(stdout).not.toContain(env.PACKAGE_KEY);
  const missing = await touchstone(['run'], { cwd, env: { PACKAGE_KEY: undefined } });
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('PACKAGE_KEY')]);
  await server.close();
});
