import { messageOf, TouchstoneError } from '../errors.ts';
import type { ReportView } from '../reporters/reporter.ts';

/** Where a command's result goes, and nothing else. */
export interface Output {
  write(text: string): Promise<void>;
  writeAll(pieces: AsyncIterable<string>): Promise<void>;
  /** Writes what the job of a build is to obey. */
  writeCommands(text: string): Promise<void>;
}

const { stdout, stderr } = process;
const writeOut = stdout.write.bind(stdout);
const writeErr = stderr.write.bind(stderr);
let isReaderGone = false;

/** Whether whatever is printed may be obeyed: in the log of a GitHub job, lines that are commands are. */
const isObeyed = process.env['GITHUB_ACTIONS'] === 'true';
if (isObeyed) {
  stderr.write = (given: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof given === 'string' ? given : Buffer.from(given).toString('utf8');
    return writeErr(withoutCommands(text), ...(rest as []));
  };
}

/**
 * A text of which no line is a command to the job that it is printed in, see
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions: a backslash stands before `::` at the
 * beginning of a line, and in the older `##[`, which counts wherever it stands.
 */
function withoutCommands(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours may stand before it
  return text.replaceAll(/^((?:[^\S\n]|\u001b\[[\d;]*m)*)::/gm, '$1\\::').replaceAll('##[', '##\\[');
}

/**
 * Takes standard output for the command's result. Whatever else is printed there, such as a target's `console.log`, is
 * sent to standard error, so that `--json` stays one document.
 */
export function claimStdout(): Output {
  stdout.write = stderr.write.bind(stderr);
  // Each write hears of its own failure; without a listener the same failure would end the process as well.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return { write: writeStdout, writeAll, writeCommands };
}

/**
 * Writes to the real standard output, claimed or not, and resolves when the text is out. When the reader has gone away,
 * as in `touchstone show | head`, there is nobody left to tell: that is no failure. Throws `output-unwritable`.
 */
export async function writeStdout(text: string): Promise<void> {
  await writeCommands(isObeyed ? withoutCommands(text) : text);
}

async function writeCommands(text: string): Promise<void> {
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

/** Writes what a build is to obey to standard error, where a reader that has gone away is no failure either. */
export async function writeCommandsToStderr(text: string): Promise<void> {
  await new Promise((resolve) => {
    writeErr(text, resolve);
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
