import { styleText } from 'node:util';
import type { CommanderError } from 'commander';
import { messageOf, TouchstoneError } from '../core/errors.ts';
import { jsonDocument } from '../core/lib/objects.ts';
import { toTerminalText } from '../core/lib/text/terminal-text.ts';
import { interrupted } from './interrupts.ts';
import { usesColor, writeStdout } from './output.ts';
import type { DefinedCommand } from './program/define-command.ts';

/** The exit code for wrong usage or configuration. */
const wrongUsage = 4;

/** The exit code for a bug in Touchstone. */
const internalFault = 70;

/**
 * Prints what went wrong and what to do, and returns the exit code. A user's mistake is printed without a stack trace, a
 * bug in Touchstone with one. With `isJson`, standard output gets a JSON document too.
 */
export async function printError(thrown: unknown, isJson: boolean): Promise<number> {
  const error = explainFault(thrown);
  if (isJson) await writeStdout(formatErrorJson(error)).catch(() => {});
  console.error(formatError(error, usesColor(process.stderr)));
  if (!(error instanceof TouchstoneError)) return internalFault;
  return error.code === 'run-stopped' || error.code === 'batch-pending' ? interrupted : wrongUsage;
}

/** Formats an error for a terminal. Control characters are escaped, since messages may quote output of a target. */
export function formatError(error: unknown, color: boolean): string {
  const style = (format: 'red' | 'dim', text: string) =>
    color ? styleText(format, text, { validateStream: false }) : text;
  const mark = style('red', '✗');
  if (error instanceof TouchstoneError) {
    return `${mark} ${safeLines(error.message)}\n  ${style('dim', '→')} ${safeLines(error.remedy)}`;
  }
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return `${mark} Touchstone failed: ${safeLines(messageOf(error))}\n${style('dim', safeLines(stack))}`;
}

/** Returns the JSON document that is printed in place of a result. */
export function formatErrorJson(error: unknown): string {
  const { code, remedy } = error instanceof TouchstoneError ? error : { code: 'internal', remedy: undefined };
  return jsonDocument({ error: { code, message: messageOf(error), remedy } });
}

function safeLines(text: string): string {
  return text.split('\n').map(toTerminalText).join('\n');
}

/** The remedies for result codes of SQLite (`errcode` modulo 256), see https://sqlite.org/rescode.html. */
const storeFaults: Readonly<Record<number, string>> = {
  5: 'Another process has been writing to it for more than ten seconds: try again.',
  8: 'Make the folder and the file writable, or use another folder with `--store`.',
  10: 'Check the disk and its connection.',
  11: 'Restore it from a copy, or use another folder with `--store`.',
  13: 'Free some space on the disk.',
};

/** Turns a fault of the environment, such as a full disk, into an error with a remedy. Returns other faults unchanged. */
export function explainFault(fault: unknown): unknown {
  if (!(fault instanceof Error) || !('errcode' in fault) || typeof fault.errcode !== 'number') return fault;
  const remedy = storeFaults[fault.errcode & 0xff];
  if (remedy === undefined) return fault;
  const message = `The store cannot be used: ${messageOf(fault)}.`;
  return new TouchstoneError('store-unreadable', message, { remedy, cause: fault });
}

/** The names in Touchstone of options of a run, and of commands, that people know from other tools. */
const wordsElsewhere: Readonly<Record<string, string>> = {
  '-c': 'touchstone run CONFIG',
  '--config': 'touchstone run CONFIG',
  '--epochs': '--attempts',
  '--repeat': '--attempts',
  '--repeats': '--attempts',
  '-j': '--concurrency',
  '--max-concurrency': '--concurrency',
  '--max-connections': '--concurrency',
  '-n': '--limit',
  '--filter-first-n': '--limit',
  '--filter-pattern': '--filter',
  '--filter-failing': '--filter',
  '--filter-providers': '--target',
  '--filter-targets': '--target',
  '--provider': '--target',
  dashboard: 'touchstone view',
  diff: 'touchstone compare',
  eval: 'touchstone run',
  evaluate: 'touchstone run',
  list: 'touchstone runs',
  report: 'touchstone show',
  serve: 'touchstone view',
  test: 'touchstone run',
  ui: 'touchstone view',
  validate: 'touchstone lint',
};

/** A command with the examples in its help. */
type NamedCommand = Pick<DefinedCommand, 'name' | 'help'>;

/** Turns commander's complaint about a command line into an error of the usual form. */
export function explainUsage(
  error: CommanderError,
  args: readonly string[],
  commands: readonly NamedCommand[],
): TouchstoneError {
  const [first = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
  const [, unknown = ''] = /^unknown (?:option|command) '(.*)'$/.exec(first) ?? [];
  const isOfRun = commandOf(args) === 'run' || !unknown.startsWith('-');
  const own = isOfRun && Object.hasOwn(wordsElsewhere, unknown) ? wordsElsewhere[unknown] : undefined;
  const isModel = isOfRun && unknown === '--model';
  const hint = isModel
    ? ' The model is a setting of a target in the config; `--target NAME` asks only one of its targets.'
    : own === undefined
      ? hints.map((line) => ` ${line.replace(/^\((.*)\)$/, '$1')}`).join('')
      : ` Here it is \`${own}\`.`;
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/(?<![.?!])$/, '.');
  return new TouchstoneError('usage-invalid', `${sentence}${hint}`, {
    remedy: `${first.startsWith('missing required argument') ? exampleFor(args, commands) : ''}${remedyFor(args, commands, hint !== '')}`,
  });
}

/** Returns the first example of a command, as a sentence; empty when the help of the command has none. */
function exampleFor(args: readonly string[], commands: readonly NamedCommand[]): string {
  const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
  const lines = commands.flatMap(({ help }) => help.split('\n'));
  const [example] = [words.join(' '), words[0]].flatMap((command) =>
    lines.filter((line) => line.startsWith(`  $ touchstone ${command} `)),
  );
  return example === undefined ? '' : `Such as \`${example.slice(4).replace(/ {2,}.*/, '')}\`. `;
}

function remedyFor(args: readonly string[], commands: readonly NamedCommand[], isNear: boolean): string {
  const names = commands.map(({ name }) => name);
  const command = commandOf(args);
  if (command !== undefined && names.includes(command)) return `See \`touchstone ${command} --help\`.`;
  if (isNear) return 'All commands: `touchstone --help`.';
  return `The commands are ${names.join(', ')}; see \`touchstone --help\`.`;
}

function commandOf(args: readonly string[]): string | undefined {
  return args.find((arg) => !arg.startsWith('-'));
}
