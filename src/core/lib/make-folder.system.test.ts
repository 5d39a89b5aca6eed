import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const inBase = (...names: readonly string[]) => path.join(base, ...names);

/** Makes a folder in a process that is killed if it does not return, and returns what became of it. */
function makeElsewhere(folder: string, beforehand = ''): string {
  const module = JSON.stringify(new URL('make-folder.ts', import.meta.url).href);
  const program = `const { makeFolder } = await import(${module});
    ${beforehand}
    try { console.log(String(makeFolder(${JSON.stringify(folder)}))) } catch (error) { console.log(error.code) }`;
  // Two seconds of CPU: where nothing can be made, Node's own function takes all there is, for ever.
  const limited = `ulimit -t 2; exec "$0" "$@"`;
  const { stdout, signal, stderr } = spawnSync(
    'sh',
    ['-c', limited, process.execPath, '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  return signal ?? (stdout.trim() || stderr);
}

test('a folder is made with those above it, and an existing one is left as it is', () => {
  expect(makeFolder(inBase('a', 'b', 'c'), 0o700)).toBe(true);
  expect(statSync(inBase('a', 'b')).mode % 0o1000).toBe(0o700);
  expect(makeFolder(inBase('a', 'b', 'c'))).toBe(false);
  mkdirSync(inBase('open'), 0o755);
  expect(makeFolder(inBase('open'), 0o700)).toBe(false);
  expect(statSync(inBase('open')).mode % 0o1000).toBe(0o755);
  symlinkSync(inBase('a'), inBase('link'));
  expect([makeFolder(inBase('link')), makeFolder(inBase('link', 'd'))]).toEqual([false, true]);
  expect(existsSync(inBase('a', 'd'))).toBe(true);
});

test('a file, or a link to nothing, in the place of a folder is an error at once', () => {
  writeFileSync(inBase('file'), '');
  symlinkSync(inBase('nowhere'), inBase('dangling'));
  for (const name of ['file', 'dangling']) {
    expect(() => makeFolder(inBase(name))).toThrow(expect.objectContaining({ code: 'EEXIST' }) as Error);
    expect(() => makeFolder(inBase(name, 'a', 'b'))).toThrow(
      expect.objectContaining({ code: 'EEXIST' }) as Error,
    );
  }
});

test.skipIf(!existsSync('/proc/self'))(
  'a folder in a file system that has none of ours is refused at once (needs /proc)',
  () => {
    expect(makeElsewhere('/proc/touchstone/a/b')).toBe('ENOENT');
  },
);

test.skipIf(process.platform === 'win32')('a folder in one that may not be written to is refused', () => {
  mkdirSync(inBase('closed'), 0o755);
  // The owner of everything may write everywhere: another user is needed then, who may not be allowed to read the code.
  const asNobody = process.getuid?.() === 0 ? 'process.setgid(65534); process.setuid(65534);' : '';
  const closed = inBase('closed');
  const mode = asNobody === '' ? 0o555 : 0o755;
  mkdirSync(inBase('shut'), mode);
  if (asNobody !== '') spawnSync('chmod', ['755', base]);
  expect(makeElsewhere(path.join(asNobody === '' ? inBase('shut') : closed, 'a', 'b'), asNobody)).toBe(
    'EACCES',
  );
});
