import { messageOf, TouchstoneError } from '../errors.ts';
import type { ReportView } from '../reporters/reporter.ts';

/** Where a command's result goes, and nothing else. */
export interface Output {
  write(text: string): Promise<void>;
  writeAll(pieces: AsyncIterable<string>): Promise<void>;
}

const { stdout, stderr } = process;
const writeOut = stdout.write.bind(stdout);
let isReaderGone = false;

/**
 * Takes standard output for the command's result. Whatever else is printed there, such as a target's `console.log`, is
 * sent to standard error, so that `--json` stays one document.
 */
export function claimStdout(): Output {
  stdout.write = stderr.write.bind(stderr);
  // Each write hears of its own failure; without a listener the same failure would end the process as well.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return { write: writeStdout, writeAll };
}

/**
 * Writes to the real standard output, claimed or not, and resolves when the text is out. When the reader has gone away,
 * as in `touchstone show | head`, there is nobody left to tell: that is no failure. Throws `output-unwritable`.
 */
export async function writeStdout(text: string): Promise<void> {
  if (isReaderGone) return;
  const failure = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    writeOut(text, resolve);
  });
  if (failure === null || failure === undefined) return;
  if (failure.code !== 'EPIPE') {
    const message = `Standard output cannot be written: ${messageOf(failure)}.`;
    throw new TouchstoneError('output-unwritable', message, {
      remedy: 'Check where it is sent to, and the space there.',
    });
  }
  isReaderGone = true;
}

/** Writes to standard error, where a reader that has gone away is no failure either. */
export async function writeStderr(text: string): Promise<void> {
  await new Promise((resolve) => {
    stderr.write(text, resolve);
  });
}

async function writeAll(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await writeStdout(piece);
    if (isReaderGone) return;
  }
}

/** How the person at the terminal will see a report. */
export function viewOfTerminal(verbose: boolean, methods = false): ReportView {
  const columns = Number(process.env['COLUMNS']) || stdout.columns || 80;
  return { verbose, methods, width: Math.min(Math.max(columns, 40), 200), color: usesColor(stdout) };
}

/** Whether a stream should be coloured: a terminal that can, unless `NO_COLOR`; or `FORCE_COLOR`. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return stream.isTTY && TERM !== 'dumb';
}
