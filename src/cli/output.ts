import { messageOf, TouchstoneError } from '../core/errors.ts';
import { jsonDocument } from '../core/lib/objects.ts';
import type { ReportView } from '../look/reporters/reporter.ts';

/** The standard output, reserved for the result of a command. */
export interface Output {
  /** Writes a result: one JSON document, or a text for people. Returns 0, the exit code of a command that has done its work. */
  print<Result>(
    isJson: boolean | undefined,
    result: Result,
    format: (result: Result) => string,
  ): Promise<number>;
  /** Returns the view of a report for the terminal: its width, between 40 and 200 columns, and whether it has colours. */
  view(verbose?: boolean, methods?: boolean): ReportView;
  write(text: string): Promise<void>;
  writeAll(pieces: AsyncIterable<string>): Promise<void>;
  /** Writes commands for the job of a build. */
  writeCommands(text: string): Promise<void>;
}

const { stdout, stderr } = process;
const writeOut = stdout.write.bind(stdout);
const writeErr = stderr.write.bind(stderr);
let isReaderGone = false;

/** True in a GitHub job, where lines in the log that are commands are executed. */
const isGithubJob = process.env['GITHUB_ACTIONS'] === 'true';
if (isGithubJob) {
  stderr.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return writeErr(withoutCommands(text), ...(rest as []));
  };
}

/**
 * Escapes a text so that a GitHub job reads no command in it, see
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions. A backslash is put before `::` at the
 * beginning of a line, and into the older form `##[`, which counts at any place.
 */
function withoutCommands(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours may precede the command
  return text.replaceAll(/^((?:[^\S\n]|\u001b\[[\d;]*m)*)::/gm, '$1\\::').replaceAll('##[', '##\\[');
}

/**
 * Reserves standard output for the result of the command. Anything else printed there, such as a target's `console.log`,
 * goes to standard error, so that `--json` stays one document.
 */
export function claimStdout(): Output {
  stdout.write = stderr.write.bind(stderr);
  // Every write handles its own failure; without a listener the same failure would also end the process.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return {
    print: async (isJson, result, format) => {
      await writeStdout(isJson === true ? jsonDocument(result) : format(result));
      return 0;
    },
    view: viewOfTerminal,
    write: writeStdout,
    writeAll,
    writeCommands,
  };
}

/**
 * Writes to the real standard output, claimed or not, and resolves when the text is written. A reader that has closed the
 * pipe, as in `touchstone show | head`, is not a failure. Throws `output-unwritable`.
 */
export async function writeStdout(text: string): Promise<void> {
  await writeCommands(isGithubJob ? withoutCommands(text) : text);
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
      remedy: 'Check where it is redirected to, and the free space there.',
    });
  }
  isReaderGone = true;
}

/** Writes commands for the job of a build to standard error. A reader that has closed the pipe is not a failure. */
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

function viewOfTerminal(verbose = false, methods = false): ReportView {
  const columns = Number(process.env['COLUMNS']) || stdout.columns || 80;
  return { verbose, methods, width: Math.min(Math.max(columns, 40), 200), color: usesColor(stdout) };
}

/** Returns whether a stream gets colours: a capable terminal does unless `NO_COLOR` is set; `FORCE_COLOR` forces them. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return stream.isTTY && TERM !== 'dumb' && stream.hasColors();
}
