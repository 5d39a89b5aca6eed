import { once } from 'node:events';
import { TouchstoneError } from '../core/errors.ts';
import { type StartedProcess, startProgram } from '../core/lib/programs/start.ts';
import type { WatchedMessage } from './watch/watched-run.ts';

/** The surroundings of a process of this program. */
export interface OwnProcess {
  /** Its standard input, output and error; a channel for messages is added. */
  readonly stdio: readonly ('ignore' | 'inherit' | 'pipe' | number)[];
  /** True when Ctrl-C in the terminal of this process must not reach it. */
  readonly isDetached?: boolean;
  /** True when it goes on after the end of this process. Any other ends in order then: a run finishes the calls in flight. */
  readonly isOutliving?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts this program again, with other arguments. */
export function startOwnProcess(
  args: readonly string[],
  { stdio, isDetached = false, isOutliving = false, environment }: OwnProcess,
): StartedProcess {
  return startProgram(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: [...stdio, 'ipc'],
    isDetached,
    // By this variable it notices the end of this process.
    environment: { ...process.env, ...environment, ...(!isOutliving && { TOUCHSTONE_WRAPPED: '1' }) },
  });
}

/** Returns the id of the run that a process makes, once its questions are planned; undefined when it ends before. */
export async function plannedRun(child: StartedProcess): Promise<string | undefined> {
  const planned = new Promise<string>((resolve) => {
    child.on('message', (message: WatchedMessage) => {
      if (message.type === 'planned') resolve(message.run);
    });
  });
  return await Promise.race([planned, once(child, 'close').then(() => undefined)]);
}

/** The most that is remembered of what a process prints, in UTF-16 code units. */
const longestOutput = 100_000;

/** Collects what a stream says last. Returns the function that returns it. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-longestOutput);
  });
  return () => text;
}

/** Returns the error with what a process has said last: `✗ message`, and `→ remedy` on the line below. */
export function refusal(complaint: string): TouchstoneError {
  const [, message = 'The command ended without a word.', remedy] =
    /✗ ([^]*?)(?:\n\s*→ ([^]*))?$/.exec(complaint.trim()) ?? [];
  return new TouchstoneError('asking-refused', message.trim(), remedy === undefined ? {} : { remedy });
}
