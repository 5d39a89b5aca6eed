import { DatabaseSync } from 'node:sqlite';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../errors.ts';
import { explainFault, explainUsage, formatError, formatErrorJson } from './print-error.ts';

test('a mistake is told with what to do, and without a stack', () => {
  const error = new TouchstoneError('dataset-empty', 'There are no cases.', { remedy: 'Add one.' });
  expect(formatError(error, false)).toBe('✗ There are no cases.\n  → Add one.');
});

test('a fault of ours is told with its stack', () => {
  expect(formatError(new RangeError('bug'), false)).toMatch(
    /^✗ Touchstone failed: bug\nRangeError: bug\n {4}at /,
  );
});

test('what a message quotes cannot break the terminal; its own lines stay', () => {
  const error = new TouchstoneError('target-unreachable', 'The server says:\n\u001b]0;x\u0007\u202eabc');
  expect(formatError(error, false)).toMatch(/^✗ The server says:\n␛\]0;x␇\\u202eabc\n {2}→ /);
});

test('with --json an error is one document', () => {
  const error = new TouchstoneError('dataset-empty', 'There are no cases.', { remedy: 'Add one.' });
  expect(JSON.parse(formatErrorJson(error))).toEqual({
    error: { code: 'dataset-empty', message: 'There are no cases.', remedy: 'Add one.' },
  });
  expect(JSON.parse(formatErrorJson(new Error('bug')))).toEqual({
    error: { code: 'internal', message: 'bug' },
  });
});

test('a store that is locked or cannot be written to is a mistake with a remedy', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a); PRAGMA query_only = ON');
  let fault: unknown;
  try {
    database.exec('INSERT INTO t VALUES (1)');
  } catch (error) {
    fault = error;
  }
  expect(explainFault(fault)).toMatchObject({
    code: 'store-unreadable',
    message: 'The store cannot be used: attempt to write a readonly database.',
    remedy: expect.stringContaining('writable'),
  });
  const other = new Error('bug');
  expect(explainFault(other)).toBe(other);
});

const commands = ['run', 'show'];

test('what is wrong with a command line reads like every other message', () => {
  const unknown = new CommanderError(
    1,
    'commander.unknownOption',
    "error: unknown option '--atempts'\n(Did you mean --attempts?)",
  );
  expect(explainUsage(unknown, ['run', '--atempts', '2'], commands)).toMatchObject({
    code: 'usage-invalid',
    message: "Unknown option '--atempts'. Did you mean --attempts?",
    remedy: 'See `touchstone run --help`.',
  });
});

test('an unknown command is answered with those that there are', () => {
  const unknown = new CommanderError(1, 'commander.unknownCommand', "error: unknown command 'foo'");
  expect(explainUsage(unknown, ['foo'], commands)).toMatchObject({
    message: "Unknown command 'foo'.",
    remedy: 'The commands are run, show; see `touchstone --help`.',
  });
});
