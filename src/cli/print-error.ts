import { styleText } from 'node:util';
import { messageOf, TouchstoneError } from '../errors.ts';
import { usesColor } from './output.ts';

/** The exit code for wrong usage or configuration. */
const wrongUsage = 4;

/** The exit code for a fault of Touchstone's own. */
const internalFault = 70;

/**
 * Prints what went wrong and what to do, and gives the exit code. A mistake of the user's has no stack trace; a fault of
 * ours has one.
 */
export function printError(error: unknown, isJson: boolean): number {
  const isMistake = error instanceof TouchstoneError;
  if (isJson) printJson(error);
  const style = (format: 'red' | 'bold' | 'dim', text: string) =>
    usesColor(process.stderr) ? styleText(format, text, { validateStream: false }) : text;
  if (isMistake) {
    console.error(`${style('red', '✗')} ${error.message}\n  ${style('dim', '→')} ${error.remedy}`);
    return wrongUsage;
  }
  console.error(`${style('red', '✗')} Touchstone failed: ${messageOf(error)}`);
  console.error(style('dim', error instanceof Error ? (error.stack ?? '') : ''));
  return internalFault;
}

function printJson(error: unknown): void {
  const { code, remedy } = error instanceof TouchstoneError ? error : { code: 'internal', remedy: undefined };
  // Straight to the file descriptor: standard output may already belong to a command's result.
  process.stdout.write(
    `${JSON.stringify({ error: { code, message: messageOf(error), remedy } }, null, 2)}\n`,
  );
}
