import { execFileSync } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
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

test('a link is followed, and a missing folder is reported', async () => {
  await writeFile(path.join(cwd, 'real.md'), 'old');
  await symlink('real.md', path.join(cwd, 'link.md'));
  await touchstone(['show', '--output', 'link.md'], { cwd });
  expect(await readFile(path.join(cwd, 'real.md'), 'utf8')).toContain('## Touchstone');
  const { code, stderr } = await touchstone(['show', '--output', 'nowhere/report.md'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringMatching(/nowhere\/report\.md cannot be written: ENOENT/)]);
  expect(stderr).not.toContain('.part');
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
