import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

const folder = await temporaryFolder();

const files = {
  'golden.jsonl':
    '{"question":"Where?","expected_keywords":["here"]}\n{"question":"Who?","expected_keywords":["me"]}\n',
  'bot.mjs':
    'console.log("loaded");\nexport default (question) => {\n  console.log("asked", question);\n  return "It is here.";\n};\n',
  'a.yaml': `dataset: golden.jsonl
targets:
  - { use: module, name: bot, path: bot.mjs }
metrics: [{ use: contains, value: It, name: it }]
attempts: 2
seed: 7
`,
  'a.ts': `import { defineConfig, run } from 'touchstone-evals';
import { contains } from 'touchstone-evals/metrics';
import { module } from 'touchstone-evals/targets';
console.log(typeof run);
export default defineConfig({
  dataset: 'golden.jsonl',
  targets: [module({ name: 'bot', path: 'bot.mjs' })],
  metrics: [contains({ value: 'It', name: 'it' })],
  attempts: 2,
  seed: 7 satisfies number,
});
`,
  'a.mjs': `export default Promise.resolve({
  dataset: ['golden.jsonl'],
  targets: [{ use: 'module', name: 'bot', path: 'bot.mjs' }],
  metrics: [{ use: 'contains', value: 'It', name: 'it' }],
  attempts: 2,
  seed: 7,
});
`,
  'a.json': JSON.stringify({
    $schema: './config.schema.json',
    dataset: { path: 'golden.jsonl' },
    targets: [{ use: 'module', name: 'bot', path: 'bot.mjs' }],
    metrics: [{ use: 'contains', value: 'It', name: 'it' }],
    attempts: 2,
    seed: 7,
  }),
};
for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);

/** Returns a run without the fields that differ every time. */
async function run(name: string) {
  const store = await temporaryFolder();
  const { code, stdout, stderr } = await touchstone(['run', name, '--json', '--store', store], {
    cwd: folder,
  });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(stdout);
  const { dataset, targets, metrics, scorecard, attempts, seed, settings } = report.run;
  const results = report.results.map(
    (result: Record<'trial' | 'verdicts' | 'scorecard', Record<string, unknown>>) => ({
      key: result.trial['key'],
      seed: result.trial['seed'],
      answer: result.trial['answer'],
      contains: result.verdicts['it'],
      total: result.scorecard['total'],
    }),
  );
  return { stderr, run: { dataset, targets, metrics, scorecard, attempts, seed, settings, results } };
}

test('the same config in TypeScript, JavaScript, YAML and JSON gives the same run, seeds and keys included', async () => {
  const [first, ...others] = await Promise.all(['a.yaml', 'a.ts', 'a.mjs', 'a.json'].map(run));
  expect(first?.run.results).toHaveLength(4);
  expect(first?.run.results[0]).toMatchObject({ answer: 'It is here.', contains: { value: 1 } });
  for (const other of others) expect(other.run).toEqual(first?.run);
});

test('output of a config or target goes to standard error, and --json stays one document', async () => {
  const { stderr } = await run('a.ts');
  expect(stderr).toContain('function\n');
  expect(stderr.match(/^asked /gm)).toHaveLength(4);
});

test('output has colours on a terminal or with FORCE_COLOR, and never with NO_COLOR', async () => {
  await touchstone(['run', 'a.yaml', '--store', 'kept'], { cwd: folder });
  const hasColours = async (env: Record<string, string | undefined>) =>
    (await touchstone(['show', '--store', 'kept'], { cwd: folder, env })).stdout.includes('\u001b[');
  expect(await hasColours({ NO_COLOR: undefined, FORCE_COLOR: undefined })).toBe(false);
  expect(await hasColours({ NO_COLOR: undefined, FORCE_COLOR: '1' })).toBe(true);
  expect(await hasColours({ NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
});

test('without an argument the config of the current folder is used, and its paths are relative to it', async () => {
  const project = path.join(folder, 'project');
  await mkdir(project);
  await writeFile(
    path.join(project, 'touchstone.config.yaml'),
    files['a.yaml'].replaceAll('golden', '../golden').replace('bot.mjs', '../bot.mjs'),
  );
  const here = await touchstone(['run', '--dry-run'], { cwd: project });
  const above = await touchstone(['run', 'project', '--dry-run'], { cwd: folder });
  expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining('= 4 calls') });
  expect(above.stdout).toBe(here.stdout);
});

test('the help of run describes the filter syntax', async () => {
  const { code, stdout } = await touchstone(['run', '--help'], { cwd: folder });
  expect(code).toBe(0);
  for (const part of ['FIELD!=VALUE', 'metadata.NAME', 'id=tax-*', 'category=tax|legal']) {
    expect(stdout).toContain(part);
  }
});

test('a command that is given a config works in the store that the config names, and in the store here where it names none', async () => {
  const cwd = await temporaryFolder();
  const parts = { dataset: 'g.jsonl', targets: [{ use: 'module', path: './bot.mjs' }] };
  const rubrics = { tone: { criterion: 'response-quality', question: 'Is it polite?' } };
  const files = {
    'g.jsonl': JSON.stringify({ id: 'a', question: 'q', expected_answer: 'a' }),
    'bot.mjs': `export default () => 'a';`,
    'touchstone.config.json': JSON.stringify({ ...parts, store: 'one' }),
    'other.json': JSON.stringify({ ...parts, rubrics, store: 'two' }),
    'rules.json': JSON.stringify(parts),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text);
  // What is printed to type next opens the same store.
  const own = await touchstone(['run'], { cwd });
  expect(own).toMatchObject({ code: 0, stdout: expect.not.stringContaining('--store') });
  const others = await touchstone(['run', 'other.json'], { cwd });
  expect(others).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/--output report\.html (\\\n *)?--store two/),
  });
  const runsIn = async (store: string) =>
    JSON.parse((await touchstone(['runs', '--json', '--store', store], { cwd })).stdout).length;

  expect((await touchstone(['rescore', '--config', 'other.json'], { cwd })).code).toBe(0);
  expect([await runsIn('one'), await runsIn('two')]).toEqual([1, 2]);
  expect((await touchstone(['rescore', '--config', 'rules.json'], { cwd })).code).toBe(0);
  expect([await runsIn('one'), await runsIn('two')]).toEqual([2, 2]);
  const create = ['review', 'create', '--rubric', 'tone', '--labels', '1', '--yes', '--config', 'other.json'];
  const created = await touchstone(create, { cwd });
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/review open \S+ --store two/) });
  const tasksIn = async (store: string) =>
    (await touchstone(['review', 'list', '--store', store], { cwd })).stdout.startsWith('tone-');
  expect([await tasksIn('one'), await tasksIn('two')]).toEqual([false, true]);
});
