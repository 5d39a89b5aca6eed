import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSecretRedactor } from '../redact-secrets.ts';
import { openSecretCommand } from './secret-command.ts';

const never = new AbortController().signal;

/** Opens a command in a folder of its own that counts its runs there, prints a key of the run, and does what `then` says. */
function prepare(then = '', forMs = 60_000) {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'secret-command-'));
  const script = `const fs = require('node:fs'); fs.appendFileSync('runs', '.');
const runs = fs.readFileSync('runs', 'utf8').length;
${then === '' ? 'console.log("printed-key-" + runs);' : then}`;
  writeFileSync(path.join(folder.path, 'key.cjs'), script);
  const environment = { PATH: process.env['PATH'], SOME_TOKEN: 'a-secret-of-the-environment' };
  const settings = { forMs, setting: 'keyCommand', folder: folder.path, environment };
  const command = openSecretCommand({ ...settings, command: [process.execPath, 'key.cjs'] }, 'model-invalid');
  const runs = () => readFileSync(path.join(folder.path, 'runs'), 'utf8').length;
  const again = () =>
    openSecretCommand({ ...settings, command: [process.execPath, 'key.cjs'] }, 'model-invalid');
  return { command, runs, again, [Symbol.dispose]: () => folder.remove() };
}

test('a command runs once for all who ask, and what it printed is kept for its time', async () => {
  using prepared = prepare();
  const { command, again, runs } = prepared;
  const keys = await Promise.all([command.read(), command.read(never), again().read(), again().read()]);
  expect(keys).toEqual(['printed-key-1', 'printed-key-1', 'printed-key-1', 'printed-key-1']);
  expect([await again().read(), runs()]).toEqual(['printed-key-1', 1]);
});

test('it runs again after its time', async () => {
  using prepared = prepare('', 0.001);
  expect(await prepared.command.read()).toBe('printed-key-1');
  expect(await prepared.command.read()).toBe('printed-key-2');
});

test('it runs again after a server has refused the key, once for all whom it refused the same', async () => {
  using prepared = prepare();
  const { command, runs } = prepared;
  await command.read();
  command.refuse('printed-key-1');
  expect(await command.read()).toBe('printed-key-2');
  command.refuse('printed-key-1');
  expect([await command.read(), runs()]).toEqual(['printed-key-2', 2]);
});

test('what it printed is removed by every redactor from then on, by those of before as well', async () => {
  const before = createSecretRedactor([['OTHER', 'another-secret']]);
  const empty = createSecretRedactor([]);
  using prepared = prepare('console.log("unique-printed-secret");');
  expect(before.text('unique-printed-secret')).toBe('unique-printed-secret');
  const untouched = { echoed: 'unique-printed-secret' };
  expect(empty.json(untouched)).toEqual(untouched);
  await prepared.command.read();
  expect(before.text('another-secret and unique-printed-secret')).toBe('[OTHER] and [keyCommand]');
  expect(empty.json(untouched)).toEqual({ echoed: '[keyCommand]' });
  const encoded = Buffer.from('user:unique-printed-secret').toString('base64');
  expect(createSecretRedactor([]).text(encoded)).toContain('[keyCommand]');
});

test.each([
  [
    'fails',
    'console.error("not signed in: a-secret-of-the-environment"); process.exit(3);',
    'it ended with exit code 3: not signed in: [SOME_TOKEN]',
  ],
  ['prints nothing', 'console.error("no account");', 'it printed nothing, but said: no account'],
  ['prints more than a key', 'console.log("Your key is:\\nsecret-in-lines");', 'only the key may be there'],
  ['prints far too much', 'process.stdout.write("x".repeat(5_000_000));', 'only the key may be there'],
])('a command that %s gives no key, and says why without showing it', async (_what, then, why) => {
  using prepared = prepare(then);
  const error: Error = await prepared.command.read().then(
    () => new Error('it gave a key'),
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: 'login-failed', message: expect.stringContaining(why) });
  expect(error.message).not.toMatch(/secret-in-lines|a-secret-of/);
  await expect(prepared.command.read()).rejects.toThrow(why);
  expect(prepared.runs()).toBe(2);
});

test('a program that is not there, and one whose arguments hold a secret, are named', async () => {
  const settings = { forMs: 1, setting: 'keyCommand', folder: '.', environment: process.env };
  const gone = openSecretCommand({ ...settings, command: 'no-such-program token' }, 'model-invalid');
  await expect(gone.read()).rejects.toMatchObject({
    code: 'login-failed',
    message: 'The command in `keyCommand` gave no key: there is no program "no-such-program" on the PATH.',
  });
  for (const [command, why] of [
    ['vault read --token sk-0123456789012345678901', 'has a secret written out (--token)'],
    ['gcloud auth | head -1', 'contains "|", but no shell runs it'],
    ['  ', 'is empty'],
  ] as const) {
    expect(() => openSecretCommand({ ...settings, command }, 'model-invalid')).toThrow(
      expect.objectContaining({ code: 'model-invalid', message: expect.stringContaining(why) }),
    );
  }
});

test('one who stops waiting does not stop the command for the others', async () => {
  using prepared = prepare('setTimeout(() => console.log("late-key"), 200);');
  const stopped = new AbortController();
  const first = prepared.command.read(stopped.signal);
  const second = prepared.command.read();
  stopped.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  expect(await second).toBe('late-key');
});
