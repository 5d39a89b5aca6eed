import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';
import { createBucket } from '../ingest-access.ts';

/** The requests that are answered: in a second, and at once after a pause; attempts to sign in, in a minute. */
export interface Rates {
  readonly ingest: number;
  readonly api: number;
  readonly login: number;
}

/** The rates where none are set. */
export const usualRates: Rates = { ingest: 200, api: 20, login: 5 };

type Use = 'ingest' | 'api';

/** The sender of requests: a person or token, by name, or a network address. */
export interface Sender {
  readonly kind: 'person' | 'token' | 'address';
  readonly name: string;
}

/** The people and tokens behind one address whose requests are answered at their full rate. */
const sendersOfAddress = 5;

/** The seconds of requests that may come at once after a pause. */
const burstSeconds: Readonly<Record<Use, number>> = { ingest: 2, api: 10 };

/** The permits that a server takes from a shared record at a time: a tenth of a second's worth, one at least. */
const blockOf = (perSecond: number) => Math.max(1, Math.ceil(perSecond / 10));

/** A token bucket that all servers of a store share. */
interface SharedBucket {
  readonly tokens: number;
  /** The time at which it had so many, by the clock of the store. */
  readonly at: number;
}

/** The permits that this server has taken for one sender, and not used yet. */
interface Hand {
  permits: number;
  /** They are void after this, by the clock of this process. */
  until: number;
  taking: Promise<number> | undefined;
  /** Counts in this process alone while the store cannot be reached. */
  readonly alone: () => boolean;
}

/** A permit that was taken longer ago is not used: others may have waited for it. */
const handMs = 1000;
/** The senders whose rates are counted at a time. */
const mostCounted = 10_000;
const prefix = 'rate/';

/**
 * Creates the limits of requests by who sends them, over all servers on a store. A server takes permits in small blocks, so that not every
 * request costs a change of a record.
 * @param onOpen - Called with the number of requests so far that were let through without being counted for all servers, because the
 * store could not be reached; those that bring records alone, since their sender stores them otherwise.
 */
export function createSharedRates(
  { shared }: { readonly shared: SharedRecords },
  rates: Rates,
  onOpen: (count: number) => void = () => {},
): (use: Use, sender: Sender) => Promise<void> {
  const hands = new Map<string, Hand>();
  let [opened, blocks] = [0, 0];

  function handOf(use: Use, name: string, perSecond: number): Hand {
    const hand = hands.get(name) ?? {
      permits: 0,
      until: 0,
      taking: undefined,
      alone: createBucket(() => performance.now(), { perSecond, burst: perSecond * burstSeconds[use] }),
    };
    hands.delete(name);
    hands.set(name, hand);
    const [oldest] = hands.keys();
    if (hands.size > mostCounted && oldest !== undefined) hands.delete(oldest);
    return hand;
  }

  /** Takes a block from the record of a sender. Returns the number of permits, 0 when there are none. */
  async function takeBlock(use: Use, name: string, perSecond: number): Promise<number> {
    const burst = perSecond * burstSeconds[use];
    if ((blocks += 1) % 500 === 0) void removeOldBuckets(shared).catch(() => {});
    return await shared.change<SharedBucket, number>(name, (before, now) => {
      const { tokens, at } = before ?? { tokens: burst, at: now };
      const filled = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const permits = Math.min(blockOf(perSecond), Math.floor(filled));
      return { value: { tokens: filled - permits, at: now }, result: permits };
    });
  }

  async function take(use: Use, name: string, perSecond: number): Promise<boolean> {
    const hand = handOf(use, name, perSecond);
    for (;;) {
      if (hand.until < performance.now()) hand.permits = 0;
      if (hand.permits > 0) {
        hand.permits -= 1;
        return true;
      }
      // Requests that come at the same time share a block.
      const isMine = hand.taking === undefined;
      hand.taking ??= takeBlock(use, name, perSecond).finally(() => (hand.taking = undefined));
      const permits = await hand.taking;
      if (permits === 0) return false;
      if (isMine) {
        hand.permits += permits;
        hand.until = performance.now() + handMs;
      }
    }
  }

  return async (use, { kind, name: sender }) => {
    const perSecond = rates[use] * (kind === 'address' ? sendersOfAddress : 1);
    const name = `${prefix}${use}/${hashText(`${kind} ${sender}`)}`;
    let isAllowed: boolean;
    try {
      isAllowed = await take(use, name, perSecond);
    } catch (error) {
      if (use !== 'ingest') throw error;
      onOpen((opened += 1));
      isAllowed = handOf(use, name, perSecond).alone();
    }
    if (isAllowed) return;
    throw new TouchstoneError('rate-limited', `More than ${perSecond} requests came in a second.`, {
      remedy: 'Wait a second between requests.',
    });
  };
}

/** Removes the buckets of senders that have sent nothing for a minute. Only buckets that are old beside the newest one cost a change. */
async function removeOldBuckets(shared: SharedRecords): Promise<void> {
  const kept = await shared.list<SharedBucket>(prefix);
  const newest = kept.reduce((most, { value }) => Math.max(most, value.at), 0);
  for (const { name } of kept.filter(({ value }) => newest - value.at > 60_000))
    await shared.change<SharedBucket, undefined>(name, (value, now) => ({
      value: value === undefined || now - value.at > 60_000 ? undefined : value,
      result: undefined,
    }));
}
