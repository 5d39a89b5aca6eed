import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';

const minuteMs = 60_000;

const prefix = 'sign-in/';

/** The attempts at an account that are answered for each one from an address, so that one address alone cannot shut a person out. */
const addressesOfAccount = 5;

/** An attempt to sign in: what it comes from, and, where it names one, the account that it is for. */
interface Attempt {
  readonly from: string;
  readonly account?: string;
}

/**
 * Counts an attempt to sign in, for all servers on the store. Throws `rate-limited` when there were too many in a minute: from the address, or
 * from all addresses for the account. An attempt that is refused because of its address does not count for the account. When the store
 * cannot be reached, every attempt fails.
 * @param most - The attempts in a minute from an address.
 */
export async function countAttempt(
  shared: SharedRecords,
  { from, account }: Attempt,
  most: number,
): Promise<void> {
  await countFor(shared, from, most);
  if (account !== undefined) await countFor(shared, `account ${account}`, most * addressesOfAccount);
}

async function countFor(shared: SharedRecords, counted: string, most: number): Promise<void> {
  const isOver = await shared.change<readonly number[], boolean>(
    prefix + hashText(counted),
    (times = [], now) => {
      const recent = times.filter((time) => now - time < minuteMs);
      const isFull = recent.length >= most;
      return { value: isFull ? recent : [...recent, now], result: isFull };
    },
  );
  if (isOver)
    throw new TouchstoneError('rate-limited', 'There were too many attempts to sign in.', {
      remedy: 'Wait a minute, and try again.',
    });
}

/** Removes the counts of minutes that are over. Of many, only those that are old beside the newest one cost a change of a record. */
export async function removeOldAttempts(shared: SharedRecords): Promise<void> {
  const kept = await shared.list<readonly number[]>(prefix);
  const latest = (times: readonly number[]) => times.at(-1) ?? 0;
  const newest = kept.reduce((most, { value }) => Math.max(most, latest(value)), 0);
  for (const { name } of kept.filter(({ value }) => newest - latest(value) >= minuteMs))
    await shared.change<readonly number[], undefined>(name, (times = [], now) => ({
      value: times.some((time) => now - time < minuteMs) ? times : undefined,
      result: undefined,
    }));
}
