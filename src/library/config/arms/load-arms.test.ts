import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadArms } from './load-arms.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(path.join(folder, 'golden.jsonl'), '{"question":"Where?","expected_keywords":["here"]}\n');
await writeFile(path.join(folder, 'same.jsonl'), '{"question":"Where?","expected_keywords":["here"]}\n\n');
await writeFile(path.join(folder, 'other.jsonl'), '{"question":"Who?","expected_keywords":["me"]}\n');

/** Returns a target that needs no file; targets with another `with` differ. */
const bot = (name: string, topK: number) => ({
  use: 'module',
  name,
  version: '1',
  path: 'bot.mjs',
  with: { topK },
});
const config = (targets: readonly object[], parts: object = {}) => ({
  dataset: 'golden.jsonl',
  targets,
  ...parts,
});

interface Side {
  readonly written: object;
  readonly target?: string;
}

const load = (a: Side, b: Side) =>
  loadArms([
    { ...a, folder },
    { ...b, folder },
  ]);

test('two targets of the same name are asked in turns in one run, under distinct names', async () => {
  const { loaded, targets } = await load(
    { written: config([bot('bot', 4)]) },
    { written: config([bot('bot', 8)]) },
  );
  expect(targets).toEqual({ a: 'bot-a', b: 'bot-b' });
  expect(loaded.evaluation.targets.map(({ name, use }) => [name, use['with']])).toEqual([
    ['bot-a', { topK: 4 }],
    ['bot-b', { topK: 8 }],
  ]);
  expect(loaded.evaluation).toMatchObject({ isInterleaved: true, gate: { minCoverage: 1 } });
  expect(loaded.evaluation.notices).toEqual(['A is bot-a, B is bot-b. Different in B: with.topK 4 → 8.']);
});

test('targets with different names keep them, and the two of one config are A and B in their order', async () => {
  const both = config([bot('old', 4), bot('new', 8)]);
  expect((await load({ written: both }, { written: both })).targets).toEqual({ a: 'old', b: 'new' });
  const chosen = await load({ written: both, target: 'new' }, { written: both, target: 'old' });
  expect(chosen.targets).toEqual({ a: 'new', b: 'old' });
  expect((await load({ written: both, target: 'new' }, { written: both })).targets).toEqual({
    a: 'new',
    b: 'old',
  });
});

test('of several targets, the pair of the same name that differs is chosen', async () => {
  const a = config([bot('one', 1), bot('two', 2), bot('three', 3)]);
  const b = config([bot('one', 1), bot('two', 20), bot('three', 3)]);
  expect((await load({ written: a }, { written: b })).targets).toEqual({ a: 'two-a', b: 'two-b' });
});

test('when several pairs are possible, the user is asked to name them', async () => {
  const three = config([bot('one', 1), bot('two', 2), bot('three', 3)]);
  await expect(load({ written: three }, { written: three })).rejects.toMatchObject({
    code: 'usage-invalid',
    message: 'It is not clear which targets are A and B. They have one, two, three.',
    remedy: 'Name them: `--a NAME --b NAME`.',
  });
});

test('a target is not compared with itself', async () => {
  const one = config([bot('bot', 1)]);
  await expect(load({ written: one }, { written: one })).rejects.toThrow('A and B are the same (bot)');
  const renamed = config([bot('other', 1)]);
  await expect(load({ written: one }, { written: renamed })).rejects.toThrow('there is nothing to compare');
});

test('every difference beside the target is refused by name', async () => {
  const judged = { metrics: [{ use: 'keywords', name: 'words', threshold: 0.5 }], scorecard: null };
  const a = config([bot('bot', 1)], judged);
  const b = config([bot('bot', 2)], {
    dataset: 'other.jsonl',
    metrics: [{ use: 'keywords', name: 'words', threshold: 1 }, 'latency'],
    attempts: 3,
    timeLimitMs: 5000,
    maxCost: 2,
    judgeCache: false,
  });
  const failure = await load({ written: a }, { written: b }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'usage-invalid' });
  const { message } = failure as Error;
  expect(message.split('\n').slice(2)).toEqual([
    '  metric words has other options',
    '  metric tool-usage is measured in B only',
    '  metric response-quality is measured in B only',
    '  metric error-handling is measured in B only',
    '  metric latency is measured in B only',
    '  only B has a scorecard',
    '  attempts is 1 in A and 3 in B',
    '  timeLimitMs is 60000 in A and 5000 in B',
    '  judgeCache is true in A and false in B',
    '  maxCost is not set in A and 2 in B',
  ]);
  expect(message).toMatch(
    /the datasets have different questions: \S*golden\.jsonl in A, \S*other\.jsonl in B/,
  );
});

test('datasets are the same when their cases are, whatever the names of their files', async () => {
  const a = config([bot('bot', 1)]);
  const b = config([bot('bot', 2)], { dataset: 'same.jsonl' });
  expect((await load({ written: a }, { written: b })).targets).toEqual({ a: 'bot-a', b: 'bot-b' });
});

test('conditions and the gate of a config are left out of an A/B test', async () => {
  const parts = { perturb: ['typos'], gate: { failUnder: 90 } };
  const { loaded } = await load(
    { written: config([bot('bot', 1)], parts) },
    { written: config([bot('bot', 2)], parts) },
  );
  expect(loaded.evaluation.targets).toHaveLength(2);
  expect(loaded.evaluation.gate).toEqual({ minCoverage: 1 });
  expect(loaded.evaluation.notices).toContain('Left out: the faults and perturbations of the config.');
});
