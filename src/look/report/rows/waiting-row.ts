import { formatTimeLeft } from '../../../core/lib/text/format-time-left.ts';
import type { BatchView, RefusedAccount, WaitingView } from '../../../core/schema/api/waiting-view.ts';
import { formatCount } from '../format.ts';

/** The most refusing servers that are shown. */
const mostAccounts = 2;

/**
 * Says what a run waits for, in parts: `judging 8`, `refused by api.groq.com (429, 37 times), next try in 8 s`. The names of
 * servers are among them, which are not to be trusted.
 * @param isShort - True for a narrow place: `refused (429), next try in 8 s`.
 */
export function waitingParts({ judging, refused, batches = [] }: WaitingView, isShort = false): string[] {
  const servers = refused.toSorted((one, other) => other.nextTryMs - one.nextTryMs).slice(0, mostAccounts);
  return [
    ...(judging === 0 ? [] : [`judging ${formatCount(judging)}`]),
    ...servers.map((server) => (isShort ? refusedInShort(server) : refusedInFull(server))),
    ...batchParts(batches),
  ];
}

/** Says how far batches are: `batch of 1,200: 840 answered, 3 failed`, `ends before 14:05 tomorrow`. */
function batchParts(batches: readonly BatchView[]): string[] {
  if (batches.length === 0) return [];
  const sum = (count: (batch: BatchView) => number) => batches.reduce((all, each) => all + count(each), 0);
  const what = batches.length === 1 ? 'batch' : `${formatCount(batches.length)} batches`;
  const failed = sum((batch) => batch.failed);
  const counts = `${formatCount(sum((batch) => batch.answered))} answered${failed === 0 ? '' : `, ${formatCount(failed)} failed`}`;
  const ends = batches.flatMap(({ endsBefore }) => endsBefore ?? []).toSorted();
  const last = ends.at(-1);
  return [
    `${what} of ${formatCount(sum(({ requests }) => requests))}: ${counts}`,
    ...(last === undefined ? [] : [`ends before ${timeFromNow(new Date(last), new Date())}`]),
  ];
}

/** Formats a time of the next days as people say it: `14:05`, `14:05 tomorrow`, `14:05 on 2026-12-03`. */
function timeFromNow(time: Date, now: Date): string {
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((dayOf(time) - dayOf(now)) / 86_400_000);
  if (days === 0) return clock;
  return days === 1 ? `${clock} tomorrow` : `${clock} on ${time.toLocaleDateString('sv-SE')}`;
}

const reasons = { 'rate-limited': 'rate limited', overloaded: 'overloaded' } as const;

function refusedInFull(server: RefusedAccount): string {
  const { account, status, reason, inRow } = server;
  const times = inRow === 1 ? 'once' : `${formatCount(inRow)} times`;
  return `refused by ${account} (${status ?? reasons[reason]}, ${times}), ${nextTry(server)}`;
}

function refusedInShort(server: RefusedAccount): string {
  return `refused (${server.status ?? reasons[server.reason]}), ${nextTry(server)}`;
}

function nextTry({ nextTryMs }: RefusedAccount): string {
  return nextTryMs === 0 ? 'trying again' : `next try in ${formatTimeLeft(nextTryMs)}`;
}
