import { displayWidth, toTerminalText } from '../core/lib/text/terminal-text.ts';
import type { WaitingView } from '../core/schema/api/waiting-view.ts';
import type { WorkerView } from '../core/schema/api/worker-view.ts';
import type { Outcome, ScoredTrial } from '../core/schema/result.ts';
import type { Run } from '../core/schema/run.ts';
import { type BusyAccount, refusalsOf } from '../evaluate/models/account/rate-limiter.ts';
import type { Spending } from '../evaluate/run/limits/budget-book.ts';
import { createProgressTally } from '../look/queries/progress-tally.ts';
import { formatProgress, formatProgressView, nothing, type Pace } from './format-progress.ts';

/**
 * The progress view of a run: on a terminal a few lines that are redrawn, elsewhere plain lines, the first after a second.
 */
export interface Progress {
  /** Counts trials of an earlier part of the run. */
  keep(trials: readonly ScoredTrial[]): void;
  begin(run: Run): void;
  /** Counts the start (1) or the end (-1) of a trial. */
  call(change: number): void;
  /** Counts answers that judges begin (positive) or end (negative) to be asked about. */
  judge(change: number): void;
  add(trials: readonly Outcome[]): void;
  /** Subtracts trials that turned out not to be needed from the plan. */
  skip(trials: number): void;
  /** Shows the workers of the run, as they have last reported themselves. */
  setWorkers(workers: readonly WorkerView[]): void;
  /** Shows what other processes of the run wait for; undefined when it is nothing. */
  setWaiting(waiting: WaitingView | undefined): void;
  /** Prints a line without breaking the view. Control characters in it are escaped. */
  note(text: string): void;
  end(): void;
}

/** The sources of the progress view besides the trials. */
export interface ProgressSources {
  readonly spent: () => Spending;
  /** Returns the accounts on which calls wait for their turn. */
  readonly busyAccounts?: () => readonly BusyAccount[];
  readonly stream?: NodeJS.WriteStream;
}

const refreshMs = { terminal: 100, log: 1000 };

/** The length of a wait, in milliseconds, whose beginning and end get a line of their own in a log. */
const longWaitMs = 5000;

/** The last line of a log: when it was written, in milliseconds since the run began, and whether a long wait was under way. */
interface LoggedLine {
  readonly atMs: number;
  readonly isWaiting: boolean;
}

/** Returns whether a long wait is under way: for a batch, or for a server. That begins when the next try is far off, and ends when the server answers. */
function isLongWait({ refused, batches }: WaitingView, last: LoggedLine | undefined): boolean {
  return (
    batches !== undefined ||
    refused.some(({ nextTryMs }) => nextTryMs > longWaitMs) ||
    (last?.isWaiting === true && refused.length > 0)
  );
}

/**
 * Returns whether a log gets another line: when a long wait begins or ends, else ever more rarely the longer a run takes.
 * @param elapsedMs - Milliseconds since the run began.
 */
function isDue(elapsedMs: number, isWaiting: boolean, last: LoggedLine | undefined): boolean {
  if (last === undefined || last.isWaiting !== isWaiting) return true;
  const lastMs = last.atMs;
  const pauseMs = elapsedMs < 120_000 ? 5000 : elapsedMs < 600_000 ? 15_000 : 60_000;
  return Math.floor(elapsedMs / pauseMs) > Math.floor(lastMs / pauseMs);
}

/** Creates a progress view on standard error, since standard output is reserved for the result. */
export function createProgress({
  spent,
  busyAccounts = () => [],
  stream = process.stderr,
}: ProgressSources): Progress {
  const tally = createProgressTally();
  const stopwatch = createStopwatch();
  let timer: NodeJS.Timeout | undefined;
  let shown: readonly string[] = [];
  let logged: LoggedLine | undefined;
  let workers: readonly WorkerView[] = [];
  let elsewhere: WaitingView = nothing;

  const columns = () => stream.columns || 80;
  const clear = () => {
    if (shown.length === 0) return;
    stream.write(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rowsOf(shown, columns()) - 1)}`);
    shown = [];
  };
  const draw = () => {
    const pace = stopwatch.read();
    const counted = tally.read();
    const accounts = busyAccounts();
    const waiting = {
      judging: counted.judging + elsewhere.judging,
      refused: [...refusalsOf(accounts), ...elsewhere.refused],
      ...(elsewhere.batches && { batches: elsewhere.batches }),
    };
    const state = { ...counted, spent: spent(), busyAccounts: accounts, workers, waiting };
    if (!stream.isTTY) {
      const isWaiting = isLongWait(waiting, logged);
      if (!isDue(pace.elapsedMs, isWaiting, logged)) return;
      logged = { atMs: pace.elapsedMs, isWaiting };
      stream.write(`${formatProgress(state, pace)}\n`);
      return;
    }
    clear();
    shown = formatProgressView(state, pace, columns() - 1);
    stream.write(shown.join('\n'));
  };

  return {
    keep: tally.keep,
    skip: tally.skip,
    begin: (run) => {
      tally.begin(run);
      stopwatch.begin();
      timer = setInterval(draw, stream.isTTY ? refreshMs.terminal : refreshMs.log);
      timer.unref();
    },
    call: tally.call,
    judge: tally.judge,
    add: (trials) => {
      tally.add(trials);
      if (trials.length > 0) stopwatch.note();
    },
    setWorkers: (now) => {
      workers = now;
    },
    setWaiting: (now = nothing) => {
      elsewhere = now;
    },
    note: (text) => {
      clear();
      stream.write(`${text.split('\n').map(toTerminalText).join('\n')}\n`);
    },
    end: () => {
      clearInterval(timer);
      clear();
      timer = undefined;
    },
  };
}

/** Counts the rows that lines take up. A terminal that became narrower has wrapped lines that used to fit. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}

/** The multiple of the longest wait so far from which a wait counts as unusual. */
const unusual = 2;
/** The shortest wait that counts as a stall, however fast the run is; and before anything is done, since then nothing is usual. */
const shortestStallMs = { later: 3000, first: 10_000 };

/** Creates a stopwatch that records when trials finish, and so detects a stalled run. */
function createStopwatch() {
  let startedAt = performance.now();
  let doneAt = startedAt;
  let longestWaitMs: number | undefined;

  return {
    begin: () => {
      startedAt = performance.now();
      doneAt = startedAt;
    },
    /** Records that a trial finished. */
    note: () => {
      const now = performance.now();
      longestWaitMs = Math.max(longestWaitMs ?? 0, now - doneAt);
      doneAt = now;
    },
    read: (): Pace => {
      const now = performance.now();
      const silentMs = now - doneAt;
      const { first, later } = shortestStallMs;
      const isStalled =
        silentMs > (longestWaitMs === undefined ? first : Math.max(later, unusual * longestWaitMs));
      return { elapsedMs: now - startedAt, stalledMs: isStalled ? silentMs : undefined };
    },
  };
}
