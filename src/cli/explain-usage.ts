import type { CommanderError } from 'commander';
import { TouchstoneError } from '../errors.ts';

/** Whether commander has only shown what it was asked for, such as `--help`. */
export function isAnswered(error: CommanderError): boolean {
  return error.code === 'commander.help' || error.exitCode === 0;
}

/** What commander found wrong with a command line, in the form of all other messages. */
export function explainUsage(
  error: CommanderError,
  args: readonly string[],
  commands: readonly string[],
): TouchstoneError {
  const [first = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
  const hint = hints.map((line) => ` ${line.replace(/^\((.*)\)$/, '$1')}`).join('');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/(?<![.?!])$/, '.');
  return new TouchstoneError('usage-invalid', `${sentence}${hint}`, {
    remedy: remedyFor(args, commands),
  });
}

function remedyFor(args: readonly string[], commands: readonly string[]): string {
  const command = args.find((arg) => !arg.startsWith('-'));
  if (command !== undefined && commands.includes(command)) return `See \`touchstone ${command} --help\`.`;
  return `The commands are ${commands.join(', ')}; see \`touchstone --help\`.`;
}
