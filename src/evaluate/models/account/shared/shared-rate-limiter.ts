import { randomUUID } from 'node:crypto';
import type { SharedRecords } from '../../../../stores/shared/shared-records.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limiter.ts';
import { SharedQuota } from './shared-quota.ts';

/** A rate limiter whose accounts other processes use too. Disposing of it takes this process out of them. */
export type SharedRateLimiter = RateLimiter & AsyncDisposable;

/**
 * Creates a rate limiter whose limits hold over all processes that have one with the same records: rate, tokens, pauses,
 * and calls in flight with their adaptive limit.
 * @param worker - The name of this process, which no other one has; a random one by default.
 */
export function createSharedRateLimiter(
  records: Pick<SharedRecords, 'change'>,
  worker: string = randomUUID(),
): SharedRateLimiter {
  const quotas: SharedQuota[] = [];
  const limiter = createRateLimiter((key, onChange) => {
    const quota = new SharedQuota({ records, key, worker, onChange });
    quotas.push(quota);
    return quota;
  });
  return {
    ...limiter,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(quotas.map((quota) => quota.close()));
    },
  };
}
