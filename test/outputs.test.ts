import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { mountSmallDisk } from './small-disk.ts';

const cwd = await temporaryFolder();
const rows = Array.from({ length: 400 }, (_, index) => ({
  question: `question ${index}`,
  answer: `yes ${index} ${'it is so. '.repeat(30)}`,
  expected_keywords: ['yes', 'no'],
}));
await writeFile(path.join(cwd, 'answers.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
await touchstone(['score', 'answers.jsonl'], { cwd });

test.for([
  ['export', 'run.jsonl'],
  ['show', 'report.json'],
] as const)(
  '%s to an existing file on a full disk leaves that file unchanged and no other file behind',
  async ([command, name], context) => {
    const folder = await temporaryFolder();
    const disk = mountSmallDisk(path.join(folder, 'small'), '60k');
    if (disk === undefined) return context.skip('no disk may be mounted here');
    const file = path.join(folder, 'small', name);
    await writeFile(file, 'good');
    const { code, stderr } = await touchstone([command, '--output', file], { cwd });
    expect([code, stderr]).toEqual([4, expect.stringMatching(/cannot be written: ENOSPC/)]);
    expect(await readFile(file, 'utf8')).toBe('good');
    expect(await readdir(path.dirname(file))).toEqual([name]);
  },
);

test('a file that may not grow is reported, and its content stays', async () => {
  const file = path.join(cwd, 'limited.jsonl');
  await writeFile(file, 'good');
  const bin = path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js');
  const script = `ulimit -f 40; exec "${process.execPath}" "${bin}" export --output limited.jsonl`;
  expect(() => execFileSync('bash', ['-c', script], { cwd, stdio: 'ignore' })).toThrow();
  expect(await readFile(file, 'utf8')).toBe('good');
  expect((await readdir(cwd)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a link is followed, and a missing folder is made', async () => {
  await writeFile(path.join(cwd, 'real.md'), 'old');
  await symlink('real.md', path.join(cwd, 'link.md'));
  await touchstone(['show', '--output', 'link.md'], { cwd });
  expect(await readFile(path.join(cwd, 'real.md'), 'utf8')).toContain('## Touchstone');
  await touchstone(['show', '--output', 'new/folder/report.md'], { cwd });
  expect(await readFile(path.join(cwd, 'new/folder/report.md'), 'utf8')).toContain('## Touchstone');
});

test.each([
  ['process.exit(0)', 'process.exit(0)'],
  ['process.exitCode', 'process.exitCode = 0'],
  ['another handler', "process.prependListener('exit', () => { process.exitCode = 0; }); process.exit(0)"],
])('an exit handler registered by %s does not turn a failed gate into a pass', async (_what, handler) => {
  const folder = await temporaryFolder();
  const tidied = path.join(folder, 'tidied');
  await writeFile(
    path.join(folder, 'bot.mjs'),
    `import { writeFileSync } from 'node:fs';
     process.on('exit', () => { writeFileSync(${JSON.stringify(tidied)}, 'yes'); ${handler}; });
     process.on('beforeExit', () => { process.exitCode = 0; });
     export default () => 'no';`,
  );
  await writeFile(path.join(folder, 'golden.jsonl'), '{"question": "q", "expected_keywords": ["yes"]}\n');
  const config = 'dataset: golden.jsonl\ntargets: [{ use: module, path: ./bot.mjs }]\n';
  await writeFile(path.join(folder, 'touchstone.config.yaml'), config);
  expect((await touchstone(['run', '--fail-under', '99'], { cwd: folder })).code).toBe(1);
  expect(await readFile(tidied, 'utf8')).toBe('yes');
});

/** Makes a project with a bot that counts its calls in a file. */
async function makeProject(): Promise<string> {
  const folder = await temporaryFolder();
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  await write('golden.csv', 'question,expected_keywords\nMay I?,yes\nShall I?,no\n');
  await write('knowledge.md', 'All that is known.\n');
  await write(
    'bot.mjs',
    `import { appendFileSync, readFileSync } from 'node:fs';
     const known = readFileSync(new URL('knowledge.md', import.meta.url), 'utf8');
     export default () => { appendFileSync(${JSON.stringify(path.join(folder, 'calls'))}, 'x'); return 'yes'; };`,
  );
  await write('c.yaml', 'dataset: golden.csv\ntargets: [{ use: module, path: ./bot.mjs }]\n');
  return folder;
}

const callsIn = async (folder: string) =>
  (await readFile(path.join(folder, 'calls'), 'utf8').catch(() => '')).length;

test.each([
  [['run', 'c.yaml', '-o', 'golden.csv'], 'this command reads it'],
  [['run', 'c.yaml', '-o', './sub/../golden.csv'], 'this command reads it'],
  [['run', 'c.yaml', '-o', 'link.csv'], 'this command reads it'],
  [['run', 'c.yaml', '-o', 'hard.csv'], 'this command reads it'],
  [['run', 'c.yaml', '-o', 'knowledge.md'], 'bot.mjs names it'],
  [['run', 'c.yaml', '-o', 'a.md', '-o', './a.md'], 'would be written twice'],
  [['run', 'c.yaml', '-o', 'folder.md'], 'it is a folder'],
  [['run', 'c.yaml', '-o', 'golden.csv/report.md'], 'cannot be written'],
  [['ab', 'c.yaml', '--set', 'targets.module.version="2"', '-o', 'knowledge.md'], 'names it'],
])('%j asks nothing and replaces nothing', async (args, reason) => {
  const folder = await makeProject();
  await symlink('golden.csv', path.join(folder, 'link.csv'));
  await link(path.join(folder, 'golden.csv'), path.join(folder, 'hard.csv'));
  await mkdir(path.join(folder, 'folder.md'));
  const before = await readFile(path.join(folder, 'golden.csv'), 'utf8');
  const { code, stderr } = await touchstone(args, { cwd: folder });
  expect([code, stderr]).toEqual([4, expect.stringContaining(reason)]);
  expect(await readFile(path.join(folder, 'golden.csv'), 'utf8')).toBe(before);
  expect(await readFile(path.join(folder, 'knowledge.md'), 'utf8')).toBe('All that is known.\n');
  expect(await callsIn(folder)).toBe(0);
});

test.each([
  [['show', '-o', 'golden.csv'], /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/],
  [['export', '-o', 'golden.csv'], /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/],
  [
    ['export', '--to', 'csv', '-o', 'golden.csv'],
    /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/,
  ],
  [['export', '-o', 'touchstone.config.yaml'], /Touchstone reads it/],
  [['export', '-o', 'knowledge.md'], /(?:touchstone\.config\.yaml|bot\.mjs) names it/],
  [
    ['baseline', 'export', 'main', 'golden.csv'],
    /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/,
  ],
  [['trends', '-o', 'golden.csv'], /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/],
  [
    ['labels', 'export', 'golden.csv'],
    /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/,
  ],
  [
    ['feedback', 'export', 'golden.csv'],
    /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/,
  ],
  [
    ['rescore', '--config', 'c.yaml', '-o', 'golden.csv'],
    /is not replaced: (?:run \S+ read its questions from|c\.yaml names) it/,
  ],
])('%j does not replace what a run or a config reads', async (args, reason) => {
  const folder = await makeProject();
  await touchstone(['run', 'c.yaml'], { cwd: folder });
  await touchstone(['baseline', 'set', 'main'], { cwd: folder });
  const config = 'description: with knowledge.md\ndataset: golden.csv\nnotes:\n  - knowledge.md # all\n';
  await writeFile(path.join(folder, 'touchstone.config.yaml'), config);
  const before = await readFile(path.join(folder, 'golden.csv'), 'utf8');
  const { code, stderr } = await touchstone(args, { cwd: folder });
  expect([code, stderr]).toEqual([4, expect.stringMatching(reason)]);
  expect(await readFile(path.join(folder, 'golden.csv'), 'utf8')).toBe(before);
  expect(await readFile(path.join(folder, 'touchstone.config.yaml'), 'utf8')).toBe(config);
});

test('a report and a baseline replace earlier ones, also where a config names the baseline', async () => {
  const folder = await makeProject();
  await touchstone(['run', 'c.yaml', '-o', 'reports/report.md', '-o', 'reports/report.csv'], { cwd: folder });
  await touchstone(['baseline', 'set', 'main'], { cwd: folder });
  await writeFile(
    path.join(folder, 'touchstone.config.yaml'),
    'dataset: golden.csv\ngate: { baseline: baselines/main.json }\n',
  );
  for (const args of [
    ['baseline', 'export', 'main', 'baselines/main.json'],
    ['baseline', 'export', 'main', 'baselines/main.json'],
    ['run', 'c.yaml', '-o', 'reports/report.md', '-o', 'reports/report.csv'],
    ['show', '-o', 'reports/report.md'],
  ]) {
    expect(await touchstone(args, { cwd: folder })).toMatchObject({ code: 0 });
  }
});

test.each([
  [['run', 'c.yaml', '--fail-under', '99'], 1],
  [['run', 'c.yaml'], 4],
  [['run', 'c.yaml', '--json', '--fail-under', '99'], 1],
])('%j prints the score and keeps the exit code of the gate when an output fails', async (args, expected) => {
  const folder = await makeProject();
  // The bot takes the folder of the report away, and puts a file there.
  await writeFile(
    path.join(folder, 'bot.mjs'),
    `import { rmSync, writeFileSync } from 'node:fs';
     export default () => { rmSync('out', { recursive: true, force: true }); writeFileSync('out', ''); return 'yes'; };`,
  );
  const outputs = ['-o', 'out/report.md', '-o', 'kept.md'];
  const { code, stdout, stderr } = await touchstone([...args, ...outputs], { cwd: folder });
  expect(stderr).toContain('out/report.md cannot be written');
  expect(stdout).toMatch(args.includes('--json') ? /^\{"version"/ : /60 %, .*\n1 passed · 1 failed/);
  expect(await readFile(path.join(folder, 'kept.md'), 'utf8')).toContain('## Touchstone');
  expect(code).toBe(expected);
});

test.skipIf(!existsSync('/proc/self')).each([
  [['run', 'c.yaml', '-o', '/proc/touchstone/a/r.html'], /r\.html cannot be written: ENOENT/],
  [
    ['run', 'c.yaml', '--store', '/proc/touchstone/a'],
    /The store \/proc\/touchstone\/a\/touchstone\.db cannot/,
  ],
  [['init', '/proc/touchstone/a'], /\/proc\/touchstone\/a cannot be made: ENOENT/],
  [
    ['import', 'promptfooconfig.yaml', '--to', '/proc/touchstone/a'],
    /\/proc\/touchstone\/a cannot be made: ENOENT/,
  ],
])('%j ends at once: nothing can be made there (needs /proc)', async (args, reason) => {
  const folder = await makeProject();
  await writeFile(
    path.join(folder, 'promptfooconfig.yaml'),
    'prompts: ["{{q}}"]\nproviders: [openai:gpt-4o]\ntests: [{ vars: { q: Hello }, assert: [{ type: equals, value: Hi }] }]\n',
  );
  const { code, stderr } = await touchstone(args, { cwd: folder });
  expect([code, stderr]).toEqual([4, expect.stringMatching(reason)]);
  expect(await callsIn(folder)).toBe(0);
});
