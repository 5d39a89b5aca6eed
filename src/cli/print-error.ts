import { styleText } from 'node:util';
import { messageOf, TouchstoneError } from '../errors.ts';
import { toTerminalText } from '../lib/terminal-text.ts';
import { explainFault } from './explain-fault.ts';
import { interrupted } from './interrupts.ts';
import { usesColor, writeStdout } from './output.ts';
import { jsonDocument } from '../lib/json-document.ts';

/** The exit code for wrong usage or configuration. */
const wrongUsage = 4;

/** The exit code for a fault of Touchstone's own. */
const internalFault = 70;

/**
 * Prints what went wrong and what to do, and gives the exit code. A mistake of the user's has no stack trace; a fault of
 * ours has one. With `isJson`, standard output gets a document too.
 */
export async function printError(thrown: unknown, isJson: boolean): Promise<number> {
  const error = explainFault(thrown);
  if (isJson) await writeStdout(formatErrorJson(error)).catch(() => {});
  console.error(formatError(error, usesColor(process.stderr)));
  if (!(error instanceof TouchstoneError)) return internalFault;
  return error.code === 'run-stopped' ? interrupted : wrongUsage;
}

/** An error as it stands in a terminal. Messages may quote what a target said, so they are made safe. */
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

/** The document that stands on standard output where there is no result to print. */
export function formatErrorJson(error: unknown): string {
  const { code, remedy } = error instanceof TouchstoneError ? error : { code: 'internal', remedy: undefined };
  return jsonDocument({ error: { code, message: messageOf(error), remedy } });
}

function safeLines(text: string): string {
  return text.split('\n').map(toTerminalText).join('\n');
}
