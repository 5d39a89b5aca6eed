import { displayWidth, shorten, toTerminalText } from '../lib/text/terminal-text.ts';
import type { BusyAccount } from '../models/account/rate-limiter.ts';
import { formatCount, formatMoney, formatPoints } from '../report/format.ts';
import type { Spending } from '../run/limits/budget.ts';
import type { Outcome, ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { createProgressTally, type ProgressTally, type ScoreSoFar } from './progress-tally.ts';

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

const mostTargets = 3;
const mostErrors = 3;
const mostAccounts = 2;
const widestName = 24;
const barColumns = 20;
/** On a terminal of fewer columns, a bar would leave too little room for the figures. */
const leastForBar = 64;

/** Where a run stands on one line, for a log: `120/300 trials · 40 % · 12/s · 15 s left · score 84.0 % [80.1, 87.9]`. */
export function formatProgress(tally: ProgressTally, pace: Pace): string {
  return [...paceParts(tally, pace), ...scoreParts(tally), ...costParts(tally), ...flightParts(tally)].join(
    ' · ',
  );
}

/** The same on a few lines of at most `width` columns, for a terminal: how far it is, how good it looks, what it takes. */
export function formatProgressView(tally: ProgressTally, pace: Pace, width: number): string[] {
  const bar = width < leastForBar ? '' : `${formatBar(tally)}  `;
  const lines = [
    `${bar}${paceParts(tally, pace).join(' · ')}`,
    scoreParts(tally).join(' · '),
    [...costParts(tally), ...flightParts(tally)].join(' · '),
  ];
  return lines.filter((line) => line !== '').map((line) => shorten(line, width));
}

function formatBar({ planned, done }: ProgressTally): string {
  const filled = planned === 0 ? 0 : Math.floor((done / planned) * barColumns);
  return `${'█'.repeat(filled)}${'░'.repeat(barColumns - filled)}`;
}

function paceParts(tally: ProgressTally, pace: Pace): string[] {
  const { planned, done, kept } = tally;
  const rate = (done - kept) / Math.max(pace.elapsedMs / 1000, 0.001);
  const share = planned === 0 ? 0 : Math.floor((done / planned) * 100);
  return [
    `${formatCount(done)}/${formatCount(planned)} trials`,
    `${share} %`,
    ...(rate > 0 ? [formatRate(rate)] : []),
    ...(rate > 0 && done < planned ? leftParts(tally, pace, rate) : []),
  ];
}

/** How long a wait is going to last, nobody knows: what is left is told only while trials are done as before. */
function leftParts(
  { planned, done, busyAccounts = [] }: ProgressTally,
  { stalledMs }: Pace,
  rate: number,
): string[] {
  if (stalledMs !== undefined) return [`nothing done for ${formatSeconds(stalledMs / 1000)}`];
  if (busyAccounts.some(({ reason }) => reason === 'paused')) return [];
  return [`${formatSeconds((planned - done) / rate)} left`];
}

function scoreParts({ scores, errors }: ProgressTally): string[] {
  const isNamed = scores.length > 1;
  const shown = scores.slice(0, mostTargets).map((score) => scoreText(score, isNamed));
  const count = [...errors.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return shown;
  const kinds = [...errors]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostErrors)
    .map(([code, each]) => `${shorten(code, widestName)} ${formatCount(each)}`);
  return [...shown, `${formatCount(count)} ${count === 1 ? 'error' : 'errors'}: ${kinds.join(', ')}`];
}

function scoreText({ target, interval: { estimate, lower, upper } }: ScoreSoFar, isNamed: boolean): string {
  const name = isNamed ? shorten(target, widestName) : 'score';
  const limits =
    lower === null || upper === null
      ? ''
      : ` [${formatPoints(Math.max(0, lower))}, ${formatPoints(Math.min(1, upper))}]`;
  return `${name} ${formatPoints(estimate)} %${limits}`;
}

function costParts({ spent, maxCost }: ProgressTally): string[] {
  const parts = [
    ...(spent.targets > 0 ? [formatMoney(spent.targets)] : []),
    ...(spent.judges > 0 ? [`judges ${formatMoney(spent.judges)}`] : []),
    ...(spent.users > 0 ? [`users ${formatMoney(spent.users)}`] : []),
  ];
  if (maxCost === undefined) return parts;
  return [`${parts.length === 0 ? '$0.00' : parts.join(' + ')} of ${formatMoney(maxCost)}`];
}

function flightParts({ inFlight, busyAccounts = [] }: ProgressTally): string[] {
  if (inFlight === 0) return [];
  const waits = busyAccounts.slice(0, mostAccounts).map((account) => {
    const name = busyAccounts.length > 1 ? `${shorten(account.name, widestName)} ` : '';
    return `${name}limit ${formatCount(account.limit)}: ${waitWords[account.reason]}`;
  });
  return [`${formatCount(inFlight)} in flight${waits.length === 0 ? '' : ` (${waits.join(', ')})`}`];
}

const waitWords = {
  start: 'starting slowly',
  growing: 'growing while answers come',
  'rate-limited': 'rate limited',
  overloaded: 'overloaded',
  restored: 'refused whatever the load',
  paused: 'asked to wait',
  allowance: 'so many a minute',
  setting: 'as set',
} as const satisfies Record<BusyAccount['reason'], string>;

function formatRate(rate: number): string {
  if (rate < 0.95) return `${(rate * 60).toFixed(rate * 60 < 9.95 ? 1 : 0)}/min`;
  return `${rate < 9.95 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** How a run has gone on in time. Milliseconds. */
interface Pace {
  /** Since the run began, all its waits included. */
  readonly elapsedMs: number;
  /** Since something was done, where that is far longer than usual; undefined while it goes on as it did. */
  readonly stalledMs: number | undefined;
}

/** So many times the longest wait so far is unusual. */
const unusual = 2;
/** A shorter silence says nothing, however fast a run is. */
const shortestStallMs = 3000;

/** Watches when trials are done, to tell a run that goes on from one that waits. */
function createStopwatch() {
  let startedAt = performance.now();
  let doneAt = startedAt;
  let longestWaitMs: number | undefined;

  return {
    begin: () => {
      startedAt = performance.now();
      doneAt = startedAt;
    },
    /** Something was done. */
    note: () => {
      const now = performance.now();
      longestWaitMs = Math.max(longestWaitMs ?? 0, now - doneAt);
      doneAt = now;
    },
    read: (): Pace => {
      const now = performance.now();
      const silentMs = now - doneAt;
      const isStalled =
        longestWaitMs !== undefined && silentMs > Math.max(shortestStallMs, unusual * longestWaitMs);
      return { elapsedMs: now - startedAt, stalledMs: isStalled ? silentMs : undefined };
    },
  };
}
