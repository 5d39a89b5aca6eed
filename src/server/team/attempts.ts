import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import type { SharedRecords } from '../../stores/shared/shared-records.ts';

const minuteMs = 60_000;

const prefix = 'sign-in/';

/**
 * Counts an attempt to sign in, for all servers on the store. Throws `rate-limited` when there were too many in a minute, for the
 * account or for the address. When the store cannot be reached, every attempt fails.
 */
export async function countAttempt(
  shared: SharedRecords,
  of: readonly string[],
  most: number,
): Promise<void> {
  const isMany = await Promise.all(
    of.map((each) =>
      shared.change<readonly number[], boolean>(prefix + hashText(each), (times = [], now) => {
        const recent = times.filter((time) => now - time < minuteMs);
        const isOver = recent.length >= most;
        return { value: isOver ? recent : [...recent, now], result: isOver };
      }),
    ),
  );
  if (isMany.includes(true))
    throw new TouchstoneError('rate-limited', 'There were too many attempts to sign in.', {
      remedy: 'Wait a minute, and try again.',
    });
}

/** Removes the counts of minutes that are over. */
export async function removeOldAttempts(shared: SharedRecords): Promise<void> {
  for (const { name } of await shared.list(prefix))
    await shared.change<readonly number[], undefined>(name, (times = [], now) => ({
      value: times.some((time) => now - time < minuteMs) ? times : undefined,
      result: undefined,
    }));
}
