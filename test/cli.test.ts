import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone as start } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = await temporaryFolder();

function touchstone(args: readonly string[], cwd = folder) {
  return start(args, { cwd });
}

/** Executes a command in a process of its own, as users do. */
function touchstoneAlone(args: readonly string[], cwd = folder) {
  return start(args, { cwd, isAlone: true });
}

await touchstone(['init', path.join(folder, 'fresh')]);

/** Copies the project that `touchstone init` creates to a folder of the given name. */
async function copyFresh(name: string): Promise<string> {
  const project = path.join(folder, name);
  await cp(path.join(folder, 'fresh'), project, { recursive: true });
  return project;
}

test('the property assistant gives the same scores twice', async () => {
  const scores = [];
  for (const store of ['one', 'two']) {
    const run = ['run', path.join(root, 'examples/property-assistant'), '--target', 'v1', '--json'];
    const { code, stdout } = await touchstone([...run, '--store', path.join(folder, store)]);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    scores.push(report.results.map(({ scorecard }: { scorecard: unknown }) => scorecard));
    expect(report.summary.targets[0].score.value).toBeCloseTo(0.8182, 3);
  }
  expect(scores[1]).toEqual(scores[0]);
});

test('init, run, runs, show, export, delete and import work in sequence', async () => {
  const project = path.join(folder, 'mine');
  expect((await touchstoneAlone(['init', project])).code).toBe(0);
  expect((await touchstoneAlone(['init', project])).code).toBe(4);
  const ran = await touchstoneAlone(['run', '--output', 'report.md'], project);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('9 passed · 1 failed · 0 errors');
  expect(await readFile(path.join(project, 'report.md'), 'utf8')).toContain('my-bot');
  const [run] = JSON.parse((await touchstoneAlone(['runs', '--json'], project)).stdout);
  expect((await touchstoneAlone(['show', run.id, '--verbose'], project)).stdout).toContain('opening_hours');
  const named = await touchstoneAlone(
    ['runs', '--edit', 'latest', '--name', 'prompt v7', '--note', 'shorter', '--tag', 'prompt=v7'],
    project,
  );
  expect(named.stdout).toBe(`Run ${run.id} is called prompt v7 · shorter · prompt=v7\n`);
  expect((await touchstoneAlone(['runs', '--filter', 'tag=prompt=v7'], project)).stdout).toContain(
    'prompt v7',
  );
  expect((await touchstoneAlone(['show', 'prompt v7', '--verbose'], project)).stdout).toContain('shorter');
  expect((await touchstoneAlone(['runs', '--name', 'x'], project)).code).toBe(4);
  const exported = await touchstoneAlone(['export', run.id], project);
  expect(exported.stderr).toBe('');
  await writeFile(path.join(project, 'run.jsonl'), exported.stdout);
  expect((await touchstoneAlone(['delete', run.id], project)).code).toBe(4);
  expect((await touchstoneAlone(['delete', run.id, '--yes'], project)).code).toBe(0);
  expect((await touchstoneAlone(['import', 'run.jsonl'], project)).code).toBe(0);
  expect((await touchstoneAlone(['export', run.id], project)).stdout).toBe(exported.stdout);
});

test('a project from init runs inside a CommonJS package, and CommonJS modules keep working', async () => {
  const project = path.join(folder, 'package');
  await copyFresh('package/eval');
  await writeFile(path.join(project, 'package.json'), '{ "name": "mine", "type": "commonjs" }');
  const ran = await touchstoneAlone(['run', 'eval'], project);
  expect(ran.stderr).not.toContain('Warning');
  expect(ran.stdout).toContain('9 passed · 1 failed · 0 errors');
  await writeFile(
    path.join(project, 'old.js'),
    'module.exports = () => `${typeof require}\nimport of goods`;',
  );
  await writeFile(
    path.join(project, 'old.yaml'),
    'dataset: eval/golden.jsonl\ntargets: [{ use: module, path: old.js }]',
  );
  const old = await touchstoneAlone(['run', 'old.yaml', '--json'], project);
  expect(JSON.parse(old.stdout).results[0].trial.answer).toBe('function\nimport of goods');
});

test('commands suggested for a run in another folder can be pasted unchanged', async () => {
  const project = await copyFresh('other folder');
  const { stdout } = await touchstone(['run', project]);
  const [, hint = ''] = /touchstone (show \S+ --case.*)$/m.exec(stdout.replace(/\\\n */g, '')) ?? [];
  const args = Array.from(hint.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
  expect(args).toContain('other folder/.touchstone');
  expect((await touchstone(args)).code).toBe(0);
  const { stdout: atHome } = await touchstone(['run'], project);
  expect(atHome).not.toContain('--store');
});

test('runs --watch shows new runs until Ctrl-C', async () => {
  const project = await copyFresh('watched');
  const watched = await start(['runs', '--watch'], {
    cwd: project,
    onStarted: async (child) => {
      let seen = '';
      child.stdout?.on('data', (text: string) => {
        seen += text;
      });
      await touchstone(['run'], project);
      await expect.poll(() => seen).toMatch(/my-bot +\S+ +9/);
      child.kill('SIGINT');
    },
  });
  expect(watched.code).toBe(0);
});

test('the gate decides the exit code', async () => {
  const project = await copyFresh('gated');
  expect((await touchstoneAlone(['run', '--fail-under', '100'], project)).code).toBe(1);
  expect((await touchstone(['run', '--fail-under', '10'], project)).code).toBe(0);
  expect((await touchstone(['run', '--fail-under', '0.85'], project)).code).toBe(4);
});

test.each([
  [['rnu'], /run/],
  [['run', '--atempts', '2'], /--attempts/],
  [['run', 'nowhere'], /nowhere/],
  [['show', 'nothing', '--store', 'empty'], /no store in empty/],
])('%j is refused with a remedy and exit code 4', async (args, message) => {
  const { code, stderr } = await touchstone(args);
  expect(code).toBe(4);
  expect(stderr).toMatch(message);
});

test('recorded answers are scored without calling anything', async () => {
  const rows = [
    { question: 'What is our address?', answer: '900 S 9th St', tools_used: ['query_database'] },
    { question: 'What is our EIN?', answer: '83-4567890', tools_used: [] },
  ].map((row) => JSON.stringify({ ...row, expected_tools: ['query_database'], expected_keywords: ['9'] }));
  await writeFile(path.join(folder, 'answers.jsonl'), rows.join('\n'));
  const { code, stdout } = await touchstone(['score', 'answers.jsonl', '--json']);
  expect(code).toBe(0);
  const totals = JSON.parse(stdout).results.map(
    ({ scorecard }: { scorecard: { total: number } }) => scorecard.total,
  );
  // The 9 is a number of the first answer, and a digit of an id in the second.
  expect(totals).toEqual([expect.closeTo(1, 12), expect.closeTo(0.2, 12)]);
});

test.skipIf(!isReleaseTested)(
  'an edited export is refused with the line, and the store stays unchanged (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await copyFresh('exported');
    await touchstone(['run'], project);
    expect((await touchstone(['export', '--output', 'run.jsonl'], project)).stderr).toMatch(
      /^Wrote run .* to run\.jsonl\.$/m,
    );
    const lines = (await readFile(path.join(project, 'run.jsonl'), 'utf8')).split('\n');
    const files = {
      'edited.jsonl': [
        ...lines.slice(0, 2),
        lines[2]?.replace(/"input":"/, '"input":"Why? '),
        ...lines.slice(3),
      ],
      'cut.jsonl': lines.slice(0, -2),
      'report.md': ['# Report'],
    };
    const answers: string[] = [];
    for (const [file, content] of Object.entries(files)) {
      await writeFile(path.join(project, file), content.join('\n'));
      const { code, stderr } = await touchstone(['import', file, '--store', 'other'], project);
      expect(code).toBe(4);
      answers.push(stderr);
    }
    expect(answers).toEqual([
      expect.stringContaining('edited.jsonl:3:1 is not as it was exported'),
      expect.stringContaining('cut short'),
      expect.stringContaining('report.md: this is no file that `touchstone export` wrote'),
    ]);
    expect(JSON.parse((await touchstone(['runs', '--json', '--store', 'other'], project)).stdout)).toEqual(
      [],
    );
    expect((await touchstone(['import', 'run.jsonl'], project)).stderr).toContain('is already in the store');
  },
);

test('with --json an error is one document on standard output', async () => {
  for (const args of [
    ['run', 'nowhere'],
    ['run', '--bogus'],
  ]) {
    const { code, stdout } = await touchstoneAlone([...args, '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: expect.stringMatching(/config-not-found|usage-invalid/) },
    });
  }
});

test('`--help` loads no schemas, which take longer to make than everything that it shows', async () => {
  const trace = path.join(folder, 'loaded.mjs');
  await writeFile(
    trace,
    `import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        const loaded = next(url, context);
        if (String(loaded.source).includes('ZodError')) console.error('loads schemas: ' + url);
        return loaded;
      },
    });`,
  );
  const NODE_OPTIONS = `--import ${pathToFileURL(trace).href}`;
  const [help, runs] = [
    await start(['--help'], { cwd: folder, env: { NODE_OPTIONS } }),
    await start(['runs'], { cwd: folder, env: { NODE_OPTIONS } }),
  ];
  expect([help.code, help.stderr]).toEqual([0, '']);
  expect(runs.stderr).toContain('loads schemas');
});
