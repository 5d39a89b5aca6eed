import { expect, test } from 'vitest';
import { sessionOf } from '../../../library/testing/target-contract.ts';
import type { TargetRequest } from '../target.ts';
import { LinePool } from './line-pool.ts';

function createPool(script: string, strayGraceMs: number): LinePool {
  const launch = {
    program: process.execPath,
    arguments: [
      '-e',
      `require('readline').createInterface({ input: process.stdin }).on('line', (line) => { const { id, input } = JSON.parse(line); ${script} })`,
    ],
    folder: '.',
    environment: process.env,
    redact: (text: string) => text.replaceAll('sk-0123456789', '[KEY]'),
  };
  const limits = { startupTimeLimitMs: undefined, closeTimeLimitMs: 60_000, strayGraceMs };
  return new LinePool({ launch, processes: 1, inFlight: 1, ...limits });
}

const signal = new AbortController().signal;

function ask(pool: LinePool, input: string) {
  return pool.call({ input, messages: [], session: sessionOf(1) } as unknown as TargetRequest, { signal });
}

test('a bot that never writes a reply fails after the grace period, and then at once', async () => {
  const pool = createPool(`console.log('<html>The answer is ' + input + '</html>');`, 50);
  await expect(ask(pool, 'one')).rejects.toMatchObject({
    code: 'invalid-reply',
    message: expect.stringMatching(/<html>The answer is one[^]*mode: once/),
    logs: '<html>The answer is one</html>',
  });
  await expect(ask(pool, 'two')).rejects.toMatchObject({ message: expect.stringContaining('is two') });
  await pool.close();
});

test('the message names a reply without its id', async () => {
  const pool = createPool('console.log(JSON.stringify({ answer: input }));', 50);
  await expect(ask(pool, 'one')).rejects.toMatchObject({
    code: 'invalid-reply',
    message: expect.stringContaining('without the `id` of the question'),
  });
  await pool.close();
});

test('a target that has replied is not failed for a stray line, however slow its next reply', async () => {
  const pool = createPool(
    `console.log('thinking'); setTimeout(() => console.log(JSON.stringify({ id, answer: input })), input === 'one' ? 0 : 400);`,
    200,
  );
  expect((await ask(pool, 'one')).answer).toBe('one');
  expect((await ask(pool, 'two')).answer).toBe('two');
  await pool.close();
});

test('a secret in a line that is not a reply is removed before the line is cut', async () => {
  const pool = createPool(`console.log('.'.repeat(290) + 'sk-0123456789');`, 50);
  const failure = await ask(pool, 'one').catch((error: Error) => error.message);
  expect(failure).toContain('.[KEY]');
  expect(failure).not.toContain('sk-');
  await pool.close();
});
