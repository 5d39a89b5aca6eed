import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Run } from '../src/core/schema/run.ts';
import type { RunComparison } from '../src/core/schema/run-comparison.ts';
import { temporaryFolder, touchstone as start } from './run-cli.ts';
import { readStoredRuns } from './stored-run.ts';

const execute = promisify(execFile);
const page = await readFile(path.resolve(import.meta.dirname, '..', 'docs', 'compare.md'), 'utf8');

/** Returns the blocks of a section of the page in a language. */
function blocks(section: string, language: string): string[] {
  const [text = ''] = page.split(`\n## ${section}\n`)[1]?.split('\n## ') ?? [];
  return Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)).flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

const topics = ['pets', 'rent', 'keys', 'heating', 'parking', 'garden'];
const questions = Array.from({ length: 36 }, (_, index) => {
  const about = topics[index % topics.length] ?? '';
  return {
    id: `q${index}`,
    question: `${index}: what about ${about}?`,
    expected_tools: [],
    expected_keywords: [about],
  };
});

const [bot = ''] = blocks('A/B tests', 'ts');
const library = blocks('From code', 'ts').find((block) => block.includes('await ab(')) ?? '';

/** Creates a folder with the project of the page. */
async function layOut(files: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  const all = {
    'golden.jsonl': questions.map((row) => JSON.stringify(row)).join('\n'),
    'touchstone.config.yaml': blocks('A/B tests', 'yaml')[0] ?? '',
    'bot.ts': bot,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text);
  const touchstone = (...args: readonly string[]) => start(args, { cwd: folder, env: { COLUMNS: '110' } });
  return { folder, touchstone };
}

async function lastRun(folder: string): Promise<Run | undefined> {
  return (await readStoredRuns(folder))[0]?.run;
}

test('every command on the page runs as written', async () => {
  const { touchstone } = await layOut();
  const lines = blocks('A/B tests', 'sh').flatMap((block) => block.trim().split('\n'));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    // Words between quotation marks stay together, as in a shell.
    const args = Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
    const { code, stderr } = await touchstone(...args.slice(1));
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
  }
});

test('a comparison of A with a changed setting shows the verdict, the changed setting and the flipped questions', async () => {
  const { folder, touchstone } = await layOut();
  const { code, stdout, stderr } = await touchstone('ab', '--set', 'targets.bot.with.topK=6');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Touchstone {2}compare\nA {2}\S+ · bot-a · 36 questions/);
  expect(stdout).toContain('Different in B: with.topK 4 → 6\n');
  expect(stdout).toContain('B is better\n  On the score, B − A is +13.3 points');
  expect(stdout).toContain('Flipped: 0 to the worse, 12 to the better\n');
  expect(stdout).toMatch(/answer time .* ms/);
  expect(stdout).toContain('A and B were asked side by side, in turns');
  expect(stderr).toMatch(/Every answer: touchstone show \S+ --verbose/);
  expect(await lastRun(folder)).toMatchObject({
    isInterleaved: true,
    status: 'completed',
    targets: [{ name: 'bot-a' }, { name: 'bot-b' }],
  });
});

test('two configs, two targets of one config and a changed setting give the same comparison', async () => {
  const target = (name: string, topK: number) => ({
    use: 'module',
    name,
    path: 'bot.ts',
    toolCalls: 'none',
    with: { topK },
  });
  const toText = (...targets: readonly object[]) => JSON.stringify({ dataset: 'golden.jsonl', targets });
  const { touchstone } = await layOut({
    'old.config.json': toText(target('bot', 4)),
    'new.config.json': toText(target('bot', 6)),
    'both.config.json': toText(target('v0', 1), target('v1', 4), target('v2', 6)),
  });
  const differenceOf = async (...args: readonly string[]) => {
    const { stdout } = await touchstone('ab', ...args, '--json');
    const [pair] = (JSON.parse(stdout) as RunComparison).comparisons;
    return { sides: [pair?.a.target, pair?.b.target], score: pair?.differences[0]?.difference };
  };
  const byConfigs = await differenceOf('old.config.json', 'new.config.json');
  expect(byConfigs).toMatchObject({ sides: ['bot-a', 'bot-b'], score: { n: 36 } });
  const byTargets = await differenceOf('both.config.json', '--a', 'v1', '--b', 'v2');
  expect(byTargets).toEqual({ sides: ['v1', 'v2'], score: byConfigs.score });
  const bySetting = await differenceOf('old.config.json', '--set', 'targets.0.with.topK=6');
  expect(bySetting).toEqual(byConfigs);
});

test('the prompt, model and tools of a chat target can be compared without a second config', async () => {
  const tool = `export const lookUp = {
  name: 'look_up',
  description: 'Looks a word up.',
  parameters: { type: 'object', properties: {} },
  run: () => 'pets, rent, keys, heating, parking, garden',
};
`;
  const says = (when: string, reply: unknown) => ({ when, in: 'system', reply });
  const model = {
    use: 'scripted',
    rules: [
      { after: 'look_up', reply: 'All of pets, rent, keys, heating, parking, garden.' },
      says('Look it up', { toolCalls: [{ name: 'look_up' }] }),
      says('Name all', 'pets, rent, keys, heating, parking, garden'),
    ],
    otherwise: 'pets',
  };
  const target = { use: 'chat', name: 'bot', system: 'Be short.', model };
  const { touchstone } = await layOut({
    'tools.mjs': tool,
    'chat.config.json': JSON.stringify({ dataset: 'golden.jsonl', targets: [target] }),
  });
  const settings = [
    ['targets.bot.system=Name all.'],
    ['targets.bot.model.otherwise=rent, pets, keys, parking'],
    ['targets.bot.system=Look it up.', 'targets.bot.tools=tools.mjs'],
  ];
  for (const changed of settings) {
    const flags = changed.flatMap((setting) => ['--set', setting]);
    const { stdout, stderr } = await touchstone('ab', 'chat.config.json', ...flags, '--json');
    const [pair] = (JSON.parse(stdout) as RunComparison).comparisons;
    expect({ stderr, outcome: pair?.verdict.outcome }).toMatchObject({ outcome: 'better' });
    const names = pair?.targetChanges?.map(({ setting }) => `targets.bot.${setting}`);
    expect(names).toEqual(changed.map((setting) => setting.split('=')[0]));
  }
});

test('A and B are called side by side in random order, and each goes first equally often', async () => {
  const noisy = `import { appendFileSync } from 'node:fs';
export default (question, { options, attempt }) => {
  appendFileSync('calls.txt', [question.split(':')[0], attempt, options.topK].join(' ') + '\\n');
  return 'pets';
};
`;
  const config = JSON.stringify({
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', name: 'bot', path: 'noisy.mjs', toolCalls: 'none', with: { topK: 4 } }],
  });
  const { folder, touchstone } = await layOut({ 'noisy.mjs': noisy, 'noisy.config.json': config });
  const set = ['--set', 'targets.0.with.topK=8'];
  await touchstone('ab', 'noisy.config.json', ...set, '--attempts', '2', '--concurrency', '1');
  const calls = (await readFile(path.join(folder, 'calls.txt'), 'utf8')).trim().split('\n');
  expect(calls).toHaveLength(36 * 2 * 2);
  const firsts = { 4: 0, 8: 0 };
  for (let place = 0; place < calls.length; place += 2) {
    const [one = [], other = []] = [calls[place], calls[place + 1]].map((call) => call?.split(' '));
    expect(other.slice(0, 2)).toEqual(one.slice(0, 2));
    expect(new Set([one[2], other[2]])).toEqual(new Set(['4', '8']));
    firsts[one[2] === '4' ? 4 : 8] += 1;
  }
  expect(firsts).toEqual({ 4: 36, 8: 36 });
});

test('an A/B test stops when one bot is down, and can be resumed', async () => {
  const frail = `import { existsSync } from 'node:fs';
export default (question, { options }) => {
  if (options.topK === 8 && !existsSync('up')) throw new Error('the index is gone');
  return 'pets, rent, keys, heating, parking, garden';
};
`;
  const config = JSON.stringify({
    dataset: 'golden.jsonl',
    stopAfterFailures: 6,
    concurrency: 2,
    targets: [{ use: 'module', name: 'bot', path: 'frail.mjs', toolCalls: 'none', with: { topK: 4 } }],
  });
  const { folder, touchstone } = await layOut({ 'frail.mjs': frail, 'frail.config.json': config });
  const command = ['ab', 'frail.config.json', '--set', 'targets.0.with.topK=8'];
  const ended = await touchstone(...command);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(
    'Finishing the calls in flight: bot-b failed 6 times in a row, and without it there is nothing to compare.',
  );
  expect(ended.stdout).toContain('is interrupted: questions it has not asked are not measured');
  const { id = '' } = (await lastRun(folder)) ?? {};
  expect(ended.stderr).toContain(
    `To continue: touchstone ab frail.config.json --set targets.0.with.topK=8 --resume ${id}`,
  );
  await writeFile(path.join(folder, 'up'), '');
  const resumed = await touchstone(...command, '--resume', id);
  expect(resumed).toMatchObject({ code: 0 });
  expect(await lastRun(folder)).toMatchObject({ id, status: 'completed', isInterleaved: true });
});

test('a regression beyond the margin fails the build; a dry run calls nothing', async () => {
  const { folder, touchstone } = await layOut();
  const worse = ['ab', '--set', 'targets.0.with.topK=1', '--fail-on-regression', '--margin', '5'];
  const files = ['report.md', 'report.json', 'report.html'].flatMap((file) => ['--output', file]);
  const failed = await touchstone(...worse, ...files);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('Gate: regression: B is shown to be worse by more than 5.0 points');
  expect(await readFile(path.join(folder, 'report.md'), 'utf8')).toMatch(
    /^## Touchstone compare\n\n\*\*B is worse\*\*[\s\S]*Different in B: `with\.topK` `4` → `1`\n/,
  );
  expect(await readFile(path.join(folder, 'report.html'), 'utf8')).toContain(
    'data-answer="/comparison">{"pairs":[{',
  );
  const dry = await touchstone(...worse, '--dry-run', '--attempts', '3');
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain(
    'Would call: 36 questions × 2 targets (bot-a, bot-b) × 3 attempts = 216 calls\nAt most 8 at a time for all targets, which take turns,',
  );
});

test('wrong usage is refused with the mistake named, and calls nothing', async () => {
  const { touchstone } = await layOut();
  const wrong = async (...args: readonly string[]) => {
    const { code, stderr } = await touchstone('ab', ...args);
    expect(code).toBe(4);
    return stderr;
  };
  expect(await wrong()).toMatch(/A and B are the same \(bot\)[\s\S]*--set targets\.0\.model/);
  expect(await wrong('--set', 'targets.bot.wth.topK=8')).toContain(
    '--set targets.bot.wth.topK: targets[0].wth: unknown setting. Did you mean "with"?',
  );
  expect(await wrong('--set', 'targets.bat.path=x')).toContain(
    'there is no "bat" in targets. Did you mean "bot"?',
  );
  expect(await wrong('--set', 'targets.0.with=8')).toContain(
    '--set targets.0.with: targets[0].with: expected',
  );
  expect(await wrong('--set', 'attempts=3', '--set', 'targets.0.with.topK=8')).toContain(
    'attempts is 1 in A and 3 in B',
  );
  expect(await wrong('--a', 'bod')).toContain('No target is named "bod". Did you mean "bot"?');
  expect(await wrong('a', 'b', 'c')).toContain('An A/B test compares two targets, but 3 configs are given.');
  expect(await wrong('--set', 'targets.0.with.topK=8', '--output', 'report.pdf')).toContain('report.pdf');
  expect((await touchstone('runs', '--json')).stdout.trim()).toBe('[]');
});

test('an A/B test is one function call in the library', async () => {
  const { folder } = await layOut({ 'use.ts': library });
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(
    path.resolve(import.meta.dirname, '..'),
    path.join(folder, 'node_modules', 'touchstone-evals'),
  );
  const { stdout } = await execute(process.execPath, ['use.ts'], { cwd: folder });
  expect(stdout).toMatch(/^better \S+-\S+-\S+\n$/);
});
