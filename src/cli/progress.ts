import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';

/** Shows how a run goes on: one line that renews itself on a terminal, a plain line every few seconds elsewhere. */
export interface Progress {
  begin(run: Run): void;
  add(trials: readonly ScoredTrial[]): void;
  /** Prints a line without breaking the progress line. */
  note(text: string): void;
  end(): void;
}

const refreshMs = { terminal: 100, log: 5000 };

/** Progress on standard error, so that standard output stays the result's. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const tally = { planned: 0, done: 0, errors: 0, total: 0, measured: 0, startedAt: 0 };
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (stream.isTTY) stream.write('\r\x1b[2K');
  };
  const draw = () => {
    const width = (stream.columns ?? 80) - 1;
    if (stream.isTTY) stream.write(`\r\x1b[2K${formatProgress(tally).slice(0, width)}`);
    else stream.write(`${formatProgress(tally)}\n`);
  };

  return {
    begin: (run) => {
      tally.planned = run.dataset.cases * run.targets.length * run.attempts;
      tally.startedAt = performance.now();
      timer = setInterval(draw, stream.isTTY ? refreshMs.terminal : refreshMs.log);
      timer.unref();
    },
    add: (trials) => {
      for (const { trial, scorecard } of trials) {
        tally.done += 1;
        if (trial.status === 'failed') tally.errors += 1;
        if (typeof scorecard?.total !== 'number') continue;
        tally.total += scorecard.total;
        tally.measured += 1;
      }
    },
    note: (text) => {
      clear();
      stream.write(`${text}\n`);
    },
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

interface Tally {
  readonly planned: number;
  readonly done: number;
  readonly errors: number;
  readonly total: number;
  readonly measured: number;
  readonly startedAt: number;
}

function formatProgress({ planned, done, errors, total, measured, startedAt }: Tally): string {
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = done / Math.max(seconds, 0.001);
  const share = planned === 0 ? 0 : Math.floor((done / planned) * 100);
  const parts = [`${done}/${planned} trials`, `${share} %`];
  if (done > 0) parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`);
  if (done > 0 && done < planned) parts.push(`${formatSeconds((planned - done) / rate)} left`);
  if (measured > 0) parts.push(`score so far ${((total / measured) * 100).toFixed(1)} %`);
  if (errors > 0) parts.push(`${errors} ${errors === 1 ? 'error' : 'errors'}`);
  return parts.join(' · ');
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
