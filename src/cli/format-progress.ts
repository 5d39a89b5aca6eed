import { formatTimeLeft } from '../core/lib/text/format-time-left.ts';
import { displayWidth, shorten, toTerminalText } from '../core/lib/text/terminal-text.ts';
import type { WaitingView } from '../core/schema/api/waiting-view.ts';
import type { WorkerView } from '../core/schema/api/worker-view.ts';
import type { BusyAccount } from '../evaluate/models/account/rate-limiter.ts';
import type { ProgressTally, ScoreSoFar } from '../look/queries/progress-tally.ts';
import { formatCount, formatMoney, formatPoints, formatRate } from '../look/report/format.ts';
import { waitingParts } from '../look/report/rows/waiting-row.ts';
import { countWorkers } from '../look/report/rows/worker-row.ts';

const mostTargets = 3;
const mostErrors = 3;
const mostAccounts = 2;
const widestName = 24;
const barColumns = 20;
/** The least number of columns for a bar; on a narrower terminal it would leave too little room for the figures. */
const leastForBar = 64;

/** The waits of a run that waits for nothing. */
export const nothing: WaitingView = { judging: 0, refused: [] };

/** The pace of a run, in milliseconds. */
export interface Pace {
  /** The time since the run began, all waits included. */
  readonly elapsedMs: number;
  /** The time since a trial finished, when that is far longer than usual, or long and none has yet; else undefined. */
  readonly stalledMs: number | undefined;
}

/** The state of a run that this process makes. */
export interface ProgressState extends ProgressTally {
  /** The accounts on which calls wait for their turn. */
  readonly busyAccounts?: readonly BusyAccount[];
  /** The other processes that make the run. */
  readonly workers?: readonly WorkerView[];
  /** The waits of this process and of others. */
  readonly waiting?: WaitingView;
}

/** Formats the progress as one line for a log: `120/300 attempts · 40 % · 12/s · 15 s left · score 84.0 % [80.1, 87.9]`. */
export function formatProgress(tally: ProgressState, pace: Pace): string {
  const parts = [
    ...paceParts(tally, pace),
    ...stallParts(tally, pace),
    ...waitParts(tally),
    ...scoreParts(tally),
    ...costParts(tally),
    ...flightParts(tally),
  ];
  return parts.map(toTerminalText).join(' · ');
}

/** Formats the progress as lines of at most `width` columns for a terminal: pace, what is waited for, scores, and costs. */
export function formatProgressView(tally: ProgressState, pace: Pace, width: number): string[] {
  const bar = width < leastForBar ? '' : `${formatBar(tally)}  `;
  const waits = (isShort: boolean) =>
    [...stallParts(tally, pace), ...waitParts(tally, isShort)].map(toTerminalText);
  const inFull = waits(false);
  const isTooWide = inFull.some((part) => displayWidth(part) > width);
  const lines = [
    `${bar}${paceParts(tally, pace).join(' · ')}`,
    ...fillLines(isTooWide ? waits(true) : inFull, width),
    scoreParts(tally).join(' · '),
    [...costParts(tally), ...flightParts(tally)].join(' · '),
  ];
  return lines.filter((line) => line !== '').map((line) => shorten(line, width));
}

/** Joins parts to lines of at most `width` columns, so that none is cut that fits into a line of its own. */
function fillLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} · ${part}`;
    if (lines.length > 0 && displayWidth(longer) > width) lines.push(part);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return lines;
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
  { planned, done, busyAccounts = [], waiting = nothing }: ProgressState,
  { stalledMs }: Pace,
  rate: number,
): string[] {
  if (stalledMs !== undefined || waiting.refused.length > 0) return [];
  if (busyAccounts.some(({ reason }) => reason === 'paused')) return [];
  return [`${formatTimeLeft(((planned - done) / rate) * 1000)} left`];
}

/** Formats what is waited for. The results of a batch outlive this process. */
function waitParts({ waiting = nothing }: ProgressState, isShort = false): string[] {
  return [...waitingParts(waiting, isShort), ...(waiting.batches === undefined ? [] : ['Ctrl-C keeps it'])];
}

/** Formats for how long nothing has been done, once that is unusual. */
function stallParts({ planned, done, waiting = nothing }: ProgressState, { stalledMs }: Pace): string[] {
  return stalledMs === undefined || done >= planned || waiting.batches !== undefined
    ? []
    : [`nothing done for ${formatTimeLeft(stalledMs)}`];
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
  // A server that refuses has a part of its own.
  const held = busyAccounts.filter(({ waiting, refusals }) => waiting > 0 && refusals === undefined);
  const waits = held.slice(0, mostAccounts).map((account) => {
    const name = held.length > 1 ? `${shorten(account.name, widestName)} ` : '';
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
