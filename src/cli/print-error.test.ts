import { DatabaseSync } from 'node:sqlite';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../core/errors.ts';
import { commands as all } from './create-program.ts';
import { explainFault, explainUsage, formatError, formatErrorJson } from './print-error.ts';

test("a user's mistake is printed with its remedy and without a stack trace", () => {
  const error = new TouchstoneError('dataset-empty', 'There are no questions.', { remedy: 'Add one.' });
  expect(formatError(error, false)).toBe('✗ There are no questions.\n  → Add one.');
});

test('a bug in Touchstone is printed with its stack trace', () => {
  expect(formatError(new RangeError('bug'), false)).toMatch(
    /^✗ Touchstone failed: bug\nRangeError: bug\n {4}at /,
  );
});

test('text quoted in a message cannot break the terminal; line breaks stay', () => {
  const error = new TouchstoneError('target-unreachable', 'The server says:\n\u001b]0;x\u0007\u202eabc');
  expect(formatError(error, false)).toMatch(/^✗ The server says:\n␛\]0;x␇\\u202eabc\n {2}→ /);
});

test('with --json an error is one document', () => {
  const error = new TouchstoneError('dataset-empty', 'There are no questions.', { remedy: 'Add one.' });
  expect(JSON.parse(formatErrorJson(error))).toEqual({
    error: { code: 'dataset-empty', message: 'There are no questions.', remedy: 'Add one.' },
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

const named = (...names: readonly string[]) => names.map((name) => ({ name, help: '' }));
const commands = named('run', 'show');

test('an error in a command line has the form of all other messages', () => {
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

test('a word of another tool is answered with the one of Touchstone', () => {
  const explain = (kind: 'option' | 'command', word: string) =>
    explainUsage(
      new CommanderError(1, `commander.unknown`, `error: unknown ${kind} '${word}'\n(Did you mean x?)`),
      ['run'],
      commands,
    ).message;
  expect(explain('option', '--epochs')).toBe("Unknown option '--epochs'. Here it is `--attempts`.");
  expect(explain('command', 'eval')).toBe("Unknown command 'eval'. Here it is `touchstone run`.");
  expect(explain('command', 'constructor')).toBe("Unknown command 'constructor'. Did you mean x?");
});

test('the error for a missing argument has an example of the command', () => {
  const missing = new CommanderError(
    1,
    'commander.missingArgument',
    "error: missing required argument 'run'",
  );
  const remedyOf = (...args: string[]) => explainUsage(missing, args, Object.values(all).flat()).remedy;
  expect(remedyOf('compare')).toBe(
    'Such as `touchstone compare latest~1 latest`. See `touchstone compare --help`.',
  );
  expect(remedyOf('baseline', 'export', 'main')).toContain(
    '`touchstone baseline export main baselines/main.json`',
  );
  expect(remedyOf('show')).toContain('See `touchstone show --help`.');
});

test('the error for a mistyped command names the near one and leaves out the list', () => {
  const near = new CommanderError(
    1,
    'commander.unknownCommand',
    "error: unknown command 'metric'\n(Did you mean metrics?)",
  );
  expect(explainUsage(near, ['help', 'metric'], commands)).toMatchObject({
    message: "Unknown command 'metric'. Did you mean metrics?",
    remedy: 'All commands: `touchstone --help`.',
  });
});

test('the error for an unknown command lists the known commands', () => {
  const unknown = new CommanderError(1, 'commander.unknownCommand', "error: unknown command 'foo'");
  expect(explainUsage(unknown, ['foo'], commands)).toMatchObject({
    message: "Unknown command 'foo'.",
    remedy: 'The commands are run, show; see `touchstone --help`.',
  });
});
