import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runSchema } from '../src/core/schema/run.ts';
import { trendsSchema } from '../src/core/schema/trends.ts';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

const folder = await temporaryFolder();
const branch = 'feature/größer';
/** Removes the variables by which the machine of this test would name a branch or build. */
const noBuild = Object.fromEntries(
  Object.keys(process.env)
    // An empty one, as the settings of the tests make it, says nothing, and to remove it would take a process for each command.
    .filter((name) => /^(?:GITHUB|CI|GIT|BUILD|TRAVIS|BRANCH|CHANGE)_/.test(name) && process.env[name] !== '')
    .map((name) => [name, undefined]),
);

function touchstone(...args: readonly string[]) {
  return start(args, { cwd: folder, env: { ...noBuild, COLUMNS: '140' } });
}

const identity = [
  '-c',
  'user.name=Tester',
  '-c',
  'user.email=tester@example.org',
  '-c',
  'commit.gpgsign=false',
];
function git(...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

async function write(name: string, content: string): Promise<void> {
  await writeFile(path.join(folder, name), content);
}

/** A bot that is wrong on two of 30 questions and on a changing third; at the low level on ten more. */
const bot = `
import { readFileSync } from 'node:fs';
const [level, step] = readFileSync(new URL('./state.txt', import.meta.url), 'utf8').trim().split(' ');
export default async function answer(question) {
  const n = Number(/number (\\d+)/.exec(question)[1]);
  const isWrong = n < 2 || n === 2 + (Number(step) % 5) || (level === 'low' && n >= 20);
  return isWrong ? 'It is red.' : 'It is blue.';
}
`;
const questions = Array.from({ length: 30 }, (_, index) => ({
  id: `q${index}`,
  question: `Which colour has the thing under number ${index}?`,
  category: index < 15 ? 'early' : 'late',
  expected_keywords: ['blue'],
}));
const toLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

async function commitLevel(level: string, step: number): Promise<string> {
  await write('state.txt', `${level} ${step}\n`);
  git('add', '.');
  git('commit', '--quiet', '--message', `Step ${step}`);
  return git('rev-parse', 'HEAD');
}

await write('bot.mjs', bot);
await write('golden.jsonl', toLines(questions));
await write('.gitignore', '.touchstone\n*.md\n*.csv\n*.json.out\n');
await write(
  'touchstone.config.json',
  JSON.stringify({ dataset: 'golden.jsonl', targets: [{ use: 'module', name: 'bot', path: 'bot.mjs' }] }),
);
git('init', '--quiet', '--initial-branch', 'main');
const commits: string[] = [];
for (let step = 0; step < 6; step += 1) {
  commits.push(await commitLevel(step < 4 ? 'high' : 'low', step));
  await touchstone('run');
}

test('a regression is attributed to its commit, in the terminal and as JSON', async () => {
  const { code, stdout } = await touchstone('trends');
  expect(code).toBe(0);
  const [before = '', after = ''] = [commits[3], commits[4]].map((commit) => commit?.slice(0, 7));
  expect(stdout).toMatch(new RegExp(`▼ score worse by [\\d.]+ points .* between ${before} and ${after}`));
  expect(stdout).toMatch(/Which questions changed: {2}touchstone compare \S+ \S+\n/);
  const json = trendsSchema.parse(JSON.parse((await touchstone('trends', '--json')).stdout));
  const [trend] = json.trends;
  expect(trend?.points.map(({ git: state }) => state)).toEqual(
    commits.map((commit) => ({ commit, branch: 'main', dirty: false })),
  );
  const score = trend?.searches.find(({ measure }) => measure === 'score');
  expect(score?.changes).toMatchObject([
    { finding: 'worse', before: { git: { commit: commits[3] } }, after: { git: { commit: commits[4] } } },
  ]);
  const late = trend?.searches.find(({ name }) => name === 'late');
  expect(late?.changes).toMatchObject([{ finding: 'worse' }]);
  expect(trend?.searches.find(({ name }) => name === 'early')?.changes).toEqual([]);
});

test('a run shows its commit, branch and uncommitted changes in every output', async () => {
  git('checkout', '--quiet', '-b', branch);
  await write('state.txt', 'low 7\n');
  await touchstone('run', '--output', 'report.md');
  const [run] = JSON.parse((await touchstone('runs', '--json')).stdout) as unknown[];
  const { git: state, id } = runSchema().parse(run);
  expect(state).toEqual({ commit: commits[5], branch, dirty: true });
  const words = `commit ${commits[5]?.slice(0, 7)} of ${branch}, with changes`;
  expect((await touchstone('show')).stdout).toContain(words);
  expect(await readFile(path.join(folder, 'report.md'), 'utf8')).toContain(words);
  expect((await touchstone('runs')).stdout).toContain(`${commits[5]?.slice(0, 7)}*`);
  const exported = (await touchstone('export')).stdout;
  const elsewhere = path.join(await temporaryFolder(), 'store');
  await start(['import', '-', '--store', elsewhere], { cwd: folder, input: exported });
  const [imported] = JSON.parse(
    (await touchstone('runs', '--store', elsewhere, '--json')).stdout,
  ) as unknown[];
  expect(imported).toMatchObject({ id, git: { commit: commits[5], branch, dirty: true } });
});

test('trends can be limited to a branch, time, category or metric, and written to files', async () => {
  const { stdout } = await touchstone('trends', '--branch', branch, '-o', 'trends.md', '-o', 'trends.csv');
  expect(stdout).toContain('bot · score · 1 run · ');
  expect(await readFile(path.join(folder, 'trends.md'), 'utf8')).toContain('### `bot` · score');
  expect(await readFile(path.join(folder, 'trends.csv'), 'utf8')).toContain(`,${branch},true,1,`);
  expect((await touchstone('trends', '--since', '2100-01-01')).stdout).toContain('No run matches');
  expect((await touchstone('trends', '--last', '2', '--category', 'late')).stdout).toMatch(/ {2}15\/15 /);
  expect((await touchstone('trends', '--metric', 'response-quality')).stdout).toContain(
    'metric response-quality',
  );
});

test('added questions break the series, and a detached commit has the branch of its build', async () => {
  await write(
    'golden.jsonl',
    toLines([...questions, { ...questions[0], id: 'new', question: 'Which colour has number 30?' }]),
  );
  git('checkout', '--quiet', '--detach');
  await start(['run'], {
    cwd: folder,
    env: { ...noBuild, GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'nightly' },
  });
  const { stdout } = await touchstone('trends', '--last', '3');
  expect(stdout).toContain('── the dataset changed: 30 → 31 questions: not comparable with the runs above');
  expect(stdout).toContain('  nightly\n');
});

test('trends work without git, and invalid options are refused', async () => {
  const bare = await temporaryFolder();
  for (const name of ['bot.mjs', 'golden.jsonl', 'state.txt', 'touchstone.config.json']) {
    await writeFile(path.join(bare, name), await readFile(path.join(folder, name)));
  }
  const inBare = (...args: readonly string[]) => start(args, { cwd: bare, env: noBuild });
  expect((await inBare('trends')).stdout).toContain('No run matches');
  await inBare('run');
  await inBare('run');
  const [run] = JSON.parse((await inBare('runs', '--json')).stdout) as object[];
  expect(run).not.toHaveProperty('git');
  expect((await inBare('trends')).stdout).toContain('bot · score · 2 runs');
  const refused = await inBare('trends', '--metric', 'response-qualiti');
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Did you mean response-quality?');
  expect((await inBare('trends', '--since', 'spring')).code).toBe(4);
  expect((await inBare('trends', '-o', 'trends.html')).stderr).toContain('.md, .json or .csv');
});
