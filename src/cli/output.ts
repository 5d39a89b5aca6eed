import { once } from 'node:events';
import type { ReportView } from '../reporters/reporter.ts';

/** Where a command's result goes, and nothing else. */
export interface Output {
  write(text: string): Promise<void>;
  writeAll(pieces: AsyncIterable<string>): Promise<void>;
}

/**
 * Takes standard output for the command's result. Whatever else is printed there, such as a target's `console.log`, is
 * sent to standard error, so that `--json` stays one document.
 */
export function claimStdout(): Output {
  const { stdout, stderr } = process;
  const writeOut = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The reader went away, as in `touchstone show … | head`: there is nobody left to tell.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const write = async (text: string): Promise<void> => {
    if (stdout.destroyed || writeOut(text)) return;
    await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]);
  };
  return {
    write,
    writeAll: async (pieces) => {
      for await (const piece of pieces) await write(piece);
    },
  };
}

/** How the person at the terminal will see a report. */
export function viewOfTerminal(verbose: boolean): ReportView {
  const { stdout } = process;
  const columns = Number(process.env['COLUMNS']) || stdout.columns || 80;
  return { verbose, width: Math.min(Math.max(columns, 40), 200), color: usesColor(stdout) };
}

/** Whether a stream should be coloured: a terminal that can, unless `NO_COLOR`; or `FORCE_COLOR`. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return stream.isTTY && TERM !== 'dumb';
}
