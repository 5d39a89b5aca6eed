import { displayWidth } from '../../lib/display-width.ts';
import { toTerminalText } from '../../lib/terminal-text.ts';
import type { Run } from '../../schema/run.ts';
import type { Outcome } from '../../schema/result.ts';
import type { ScoredTrial } from '../../schema/scored-trial.ts';
import type { BusyAccount } from '../../models/account/find-account.ts';
import type { Spending } from '../../run/limits/spending.ts';
import { formatProgress, formatProgressView } from './format-progress.ts';
import { createProgressTally } from './progress-tally.ts';
import { createStopwatch } from './stopwatch.ts';

/** Shows how a run goes on: a few lines that renew themselves on a terminal, plain lines elsewhere, the first after a second. */
export interface Progress {
  /** Counts trials of an earlier part of the run. */
  keep(trials: readonly ScoredTrial[]): void;
  begin(run: Run): void;
  /** A trial is begun (1) or has ended (-1). */
  call(change: 1 | -1): void;
  add(trials: readonly Outcome[]): void;
  /** So many trials are not going to be made. */
  spare(trials: number): void;
  /** Prints a line without breaking the view. What it quotes is made safe. */
  note(text: string): void;
  end(): void;
}

/** What the view is told beside the trials. */
export interface ProgressSources {
  readonly spent: () => Spending;
  /** Accounts on which calls wait for their turn. */
  readonly busyAccounts?: () => readonly BusyAccount[];
  readonly stream?: NodeJS.WriteStream;
}

const refreshMs = { terminal: 100, log: 1000 };

/** Where lines stay, they become rarer the longer a run takes; a run of a second has none. In milliseconds. */
function isDue(elapsedMs: number, lastMs: number | undefined): boolean {
  if (lastMs === undefined) return true;
  const pauseMs = elapsedMs < 120_000 ? 5000 : elapsedMs < 600_000 ? 15_000 : 60_000;
  return Math.floor(elapsedMs / pauseMs) > Math.floor(lastMs / pauseMs);
}

/** Progress on standard error, so that standard output stays the result's. */
export function createProgress({
  spent,
  busyAccounts = () => [],
  stream = process.stderr,
}: ProgressSources): Progress {
  const tally = createProgressTally();
  const stopwatch = createStopwatch();
  let timer: NodeJS.Timeout | undefined;
  let shown: readonly string[] = [];
  let loggedMs: number | undefined;

  const columns = () => stream.columns || 80;
  const clear = () => {
    if (shown.length === 0) return;
    stream.write(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rowsOf(shown, columns()) - 1)}`);
    shown = [];
  };
  const draw = () => {
    const pace = stopwatch.read();
    const state = { ...tally.read(), spent: spent(), busyAccounts: busyAccounts() };
    if (!stream.isTTY) {
      if (!isDue(pace.elapsedMs, loggedMs)) return;
      loggedMs = pace.elapsedMs;
      stream.write(`${formatProgress(state, pace)}\n`);
      return;
    }
    clear();
    shown = formatProgressView(state, pace, columns() - 1);
    stream.write(shown.join('\n'));
  };

  return {
    keep: tally.keep,
    spare: tally.spare,
    begin: (run) => {
      tally.begin(run);
      stopwatch.begin();
      timer = setInterval(draw, stream.isTTY ? refreshMs.terminal : refreshMs.log);
      timer.unref();
    },
    call: tally.call,
    add: (trials) => {
      tally.add(trials);
      if (trials.length > 0) stopwatch.note();
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

/** Rows that lines take: a terminal that was made narrower since has broken those that were of its width. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}
