import { displayWidth, shorten, toTerminalText } from '../core/lib/text/terminal-text.ts';
import type { BusyAccount } from '../evaluate/models/account/rate-limiter.ts';
import { formatCount, formatMoney, formatPoints, formatRate, formatTimeLeft } from '../look/report/format.ts';
import type { Spending } from '../evaluate/run/limits/budget-book.ts';
import type { Outcome, ScoredTrial } from '../core/schema/result.ts';
import type { Run } from '../core/schema/run.ts';
import { countWorkers } from '../look/report/rows/worker-row.ts';
import type { WorkerView } from '../core/schema/api/worker-view.ts';
import { createProgressTally, type ProgressTally, type ScoreSoFar } from '../look/queries/progress-tally.ts';

/**
 * The progress view of a run: on a terminal a few lines that are redrawn, elsewhere plain lines, the first after a second.
 */
export interface Progress {
  /** Counts trials of an earlier part of the run. */
  keep(trials: readonly ScoredTrial[]): void;
  begin(run: Run): void;
  /** Counts the start (1) or the end (-1) of a trial. */
  call(change: number): void;
  add(trials: readonly Outcome[]): void;
  /** Subtracts trials that turned out not to be needed from the plan. */
  skip(trials: number): void;
  /** Shows the workers of the run, as they have last reported themselves. */
  setWorkers(workers: readonly WorkerView[]): void;
  /** Prints a line without breaking the view. Control characters in it are escaped. */
  note(text: string): void;
  end(): void;
}

/** The sources of the progress view beside the trials. */
export interface ProgressSources {
  readonly spent: () => Spending;
  /** Returns the accounts on which calls wait for their turn. */
  readonly busyAccounts?: () => readonly BusyAccount[];
  readonly stream?: NodeJS.WriteStream;
}

const refreshMs = { terminal: 100, log: 1000 };

/**
 * Returns whether a log gets another line. Lines become rarer the longer a run takes.
 * @param elapsedMs - Milliseconds since the run began.
 * @param lastMs - The same at the last line; undefined before the first.
 */
function isDue(elapsedMs: number, lastMs: number | undefined): boolean {
  if (lastMs === undefined) return true;
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
  let loggedMs: number | undefined;
  let workers: readonly WorkerView[] = [];

  const columns = () => stream.columns || 80;
  const clear = () => {
    if (shown.length === 0) return;
    stream.write(`\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rowsOf(shown, columns()) - 1)}`);
    shown = [];
  };
  const draw = () => {
    const pace = stopwatch.read();
    const state = { ...tally.read(), spent: spent(), busyAccounts: busyAccounts(), workers };
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
    skip: tally.skip,
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
    setWorkers: (now) => {
      workers = now;
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

const mostTargets = 3;
const mostErrors = 3;
const mostAccounts = 2;
const widestName = 24;
const barColumns = 20;
/** The least number of columns for a bar; on a narrower terminal it would leave too little room for the figures. */
const leastForBar = 64;

/** The state of a run that this process makes. */
export interface ProgressState extends ProgressTally {
  /** The accounts on which calls wait for their turn. */
  readonly busyAccounts?: readonly BusyAccount[];
  /** The other processes that make the run. */
  readonly workers?: readonly WorkerView[];
}

/** Formats the progress as one line for a log: `120/300 trials · 40 % · 12/s · 15 s left · score 84.0 % [80.1, 87.9]`. */
export function formatProgress(tally: ProgressState, pace: Pace): string {
  return [...paceParts(tally, pace), ...scoreParts(tally), ...costParts(tally), ...flightParts(tally)].join(
    ' · ',
  );
}

/** Formats the progress as up to three lines of at most `width` columns for a terminal: pace, scores, and costs. */
export function formatProgressView(tally: ProgressState, pace: Pace, width: number): string[] {
  const bar = width < leastForBar ? '' : `${formatBar(tally)}  `;
  const lines = [
    `${bar}${paceParts(tally, pace).join(' · ')}`,
    scoreParts(tally).join(' · '),
    [...costParts(tally), ...flightParts(tally)].join(' · '),
  ];
  return lines.filter((line) => line !== '').map((line) => shorten(line, width));
}

function formatBar({ planned, done }: ProgressState): string {
  const filled = planned === 0 ? 0 : Math.floor((done / planned) * barColumns);
  return `${'█'.repeat(filled)}${'░'.repeat(barColumns - filled)}`;
}

function paceParts(tally: ProgressState, pace: Pace): string[] {
  const { planned, done, kept } = tally;
  const rate = (done - kept) / Math.max(pace.elapsedMs / 1000, 0.001);
  const share = planned === 0 ? 0 : Math.floor((done / planned) * 100);
  return [
    `${formatCount(done)}/${formatCount(planned)} attempts`,
    `${share} %`,
    ...(rate > 0 ? [formatRate(rate)] : []),
    ...(rate > 0 && done < planned ? leftParts(tally, pace, rate) : []),
  ];
}

/** Formats the time left. It is shown only while trials finish as before, since the length of a wait is unknown. */
function leftParts(
  { planned, done, busyAccounts = [] }: ProgressState,
  { stalledMs }: Pace,
  rate: number,
): string[] {
  if (stalledMs !== undefined) return [`nothing done for ${formatTimeLeft(stalledMs)}`];
  if (busyAccounts.some(({ reason }) => reason === 'paused')) return [];
  return [`${formatTimeLeft(((planned - done) / rate) * 1000)} left`];
}

function scoreParts({ scores, errors }: ProgressState): string[] {
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

function costParts({ spent, maxCost }: ProgressState): string[] {
  const parts = [
    ...(spent.targets > 0 ? [formatMoney(spent.targets)] : []),
    ...(spent.judges > 0 ? [`judges ${formatMoney(spent.judges)}`] : []),
    ...(spent.users > 0 ? [`users ${formatMoney(spent.users)}`] : []),
  ];
  if (maxCost === undefined) return parts;
  return [`${parts.length === 0 ? '$0.00' : parts.join(' + ')} of ${formatMoney(maxCost)}`];
}

function flightParts({ inFlight, busyAccounts = [], workers = [] }: ProgressState): string[] {
  const fleet = workers.length === 0 ? [] : [countWorkers(workers)];
  if (inFlight === 0) return fleet;
  const waits = busyAccounts.slice(0, mostAccounts).map((account) => {
    const name = busyAccounts.length > 1 ? `${shorten(account.name, widestName)} ` : '';
    return `${name}limit ${formatCount(account.limit)}: ${waitReasons[account.reason]}`;
  });
  return [
    `${formatCount(inFlight)} in flight${waits.length === 0 ? '' : ` (${waits.join(', ')})`}`,
    ...fleet,
  ];
}

const waitReasons = {
  start: 'starting slowly',
  growing: 'growing while calls succeed',
  'rate-limited': 'rate limited',
  overloaded: 'overloaded',
  restored: 'refused at any load',
  paused: 'asked to wait',
  allowance: 'per-minute allowance',
  setting: 'as set',
} as const satisfies Record<BusyAccount['reason'], string>;

/** The pace of a run, in milliseconds. */
interface Pace {
  /** The time since the run began, all waits included. */
  readonly elapsedMs: number;
  /** The time since a trial finished, when that is far longer than usual; else undefined. */
  readonly stalledMs: number | undefined;
}

/** The multiple of the longest wait so far from which a wait counts as unusual. */
const unusual = 2;
/** The shortest wait that counts as a stall, however fast the run is. */
const shortestStallMs = 3000;

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
      const isStalled =
        longestWaitMs !== undefined && silentMs > Math.max(shortestStallMs, unusual * longestWaitMs);
      return { elapsedMs: now - startedAt, stalledMs: isStalled ? silentMs : undefined };
    },
  };
}
