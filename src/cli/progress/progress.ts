import { formatMoney } from '../reporters/format-money.ts';
import { toTerminalText } from '../lib/terminal-text.ts';
import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { Spending } from './budget.ts';

/** Shows how a run goes on: one line that renews itself on a terminal, a plain line every few seconds elsewhere. */
export interface Progress {
  /** Counts trials of an earlier part of the run. */
  keep(trials: readonly ScoredTrial[]): void;
  begin(run: Run): void;
  add(trials: readonly ScoredTrial[]): void;
  /** Prints a line without breaking the progress line. What it quotes is made safe. */
  note(text: string): void;
  end(): void;
}

const refreshMs = { terminal: 100, log: 5000 };

/** Progress on standard error, so that standard output stays the result's. */
export function createProgress(spent: () => Spending, stream: NodeJS.WriteStream = process.stderr): Progress {
  const tally = { planned: 0, done: 0, kept: 0, errors: 0, total: 0, measured: 0 };
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (stream.isTTY) stream.write('\r\x1b[2K');
  };
  const draw = () => {
    const text = formatProgress({ ...tally, spent: spent() }, performance.now() - startedAt);
    if (stream.isTTY) stream.write(`\r\x1b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
    else stream.write(`${text}\n`);
  };
  const add = (trials: readonly ScoredTrial[]) => {
    for (const { trial, scorecard } of trials) {
      tally.done += 1;
      if (trial.status === 'failed') tally.errors += 1;
      if (typeof scorecard?.total !== 'number') continue;
      tally.total += scorecard.total;
      tally.measured += 1;
    }
  };

  return {
    keep: (trials) => {
      tally.kept += trials.length;
      add(trials);
    },
    begin: (run) => {
      tally.planned = run.dataset.cases * run.targets.length * run.attempts;
      startedAt = performance.now();
      timer = setInterval(draw, stream.isTTY ? refreshMs.terminal : refreshMs.log);
      timer.unref();
    },
    add,
    note: (text) => {
      clear();
      stream.write(`${text.split('\n').map(toTerminalText).join('\n')}\n`);
    },
    end: () => {
      clearInterval(timer);
      if (timer !== undefined) clear();
      timer = undefined;
    },
  };
}

/** Where a run stands. */
export interface ProgressTally {
  readonly planned: number;
  /** Of the planned ones, with those that were kept. */
  readonly done: number;
  /** Done in an earlier part of the run. */
  readonly kept: number;
  readonly errors: number;
  /** Sum of the totals of the measured trials. */
  readonly total: number;
  readonly measured: number;
  readonly spent: Spending;
}

/** `120/300 trials · 40 % · 12/s · 15 s left · score so far 84.0 % · 2 errors · $0.36 · judges $0.12`. */
export function formatProgress(tally: ProgressTally, elapsedMs: number): string {
  const { planned, done, kept, errors, total, measured, spent } = tally;
  const rate = (done - kept) / Math.max(elapsedMs / 1000, 0.001);
  const share = planned === 0 ? 0 : Math.floor((done / planned) * 100);
  const parts = [`${done}/${planned} trials`, `${share} %`];
  if (rate > 0) parts.push(formatRate(rate));
  if (rate > 0 && done < planned) parts.push(`${formatSeconds((planned - done) / rate)} left`);
  if (measured > 0) parts.push(`score so far ${((total / measured) * 100).toFixed(1)} %`);
  if (errors > 0) parts.push(`${errors} ${errors === 1 ? 'error' : 'errors'}`);
  if (spent.targets > 0) parts.push(formatMoney(spent.targets));
  if (spent.judges > 0) parts.push(`judges ${formatMoney(spent.judges)}`);
  return parts.join(' · ');
}

function formatRate(rate: number): string {
  if (rate < 0.95) return `${(rate * 60).toFixed(rate * 60 < 9.95 ? 1 : 0)}/min`;
  return `${rate < 9.95 ? rate.toFixed(1) : Math.round(rate)}/s`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
