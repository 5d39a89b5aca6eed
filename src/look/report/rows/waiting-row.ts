import { formatTimeLeft } from '../../../core/lib/text/format-time-left.ts';
import type { RefusedAccount, WaitingView } from '../../../core/schema/api/waiting-view.ts';
import { formatCount } from '../format.ts';

/** The most refusing servers that are shown. */
const mostAccounts = 2;

/**
 * Says what a run waits for, in parts: `judging 8`, `refused by api.groq.com (429, 37 times), next try in 8 s`. The names of
 * servers are among them, which are not to be trusted.
 * @param isShort - True for a narrow place: `refused (429), next try in 8 s`.
 */
export function waitingParts({ judging, refused }: WaitingView, isShort = false): string[] {
  const servers = refused.toSorted((one, other) => other.nextTryMs - one.nextTryMs).slice(0, mostAccounts);
  return [
    ...(judging === 0 ? [] : [`judging ${formatCount(judging)}`]),
    ...servers.map((server) => (isShort ? refusedInShort(server) : refusedInFull(server))),
  ];
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
