import { shorten } from '../../lib/terminal-text.ts';
import { formatMoney } from '../../report/format/format-money.ts';
import { formatCount, formatPoints } from '../../report/format/format-number.ts';
import type { BusyAccount } from '../../models/account/find-account.ts';
import type { ProgressTally, ScoreSoFar } from './progress-tally.ts';
import type { Pace } from './stopwatch.ts';

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
