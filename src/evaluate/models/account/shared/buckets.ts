import { createFull, updated } from '../allowances.ts';
import type { AccountLimits } from '../quota.ts';
import type { Allowances as ReportedAllowances } from '../read-allowances.ts';
import { type BucketState, TokenBucket } from '../token-bucket.ts';

/** The kinds of allowances. */
export type Kind = 'requests' | 'tokens';
/** All of them. */
export const kinds = ['requests', 'tokens'] as const satisfies readonly Kind[];
/** The allowances of an account as its record has them. */
export type BucketStates = { readonly [kind in Kind]?: BucketState };

/**
 * The time, in milliseconds, whose unused calls can be made up for. A longer one would let more calls through in a second
 * than the rate has.
 */
export const makeUpMs = 40;

type Buckets = { [kind in Kind]?: TokenBucket };

/** Returns the buckets of the allowances that users set, which let little more through at once than their rate. */
export function setBuckets(states: BucketStates, own: AccountLimits, now: number): Buckets {
  const rates = { requests: own.requestsPerMinute, tokens: own.tokensPerMinute };
  const buckets: Buckets = {};
  for (const kind of kinds) {
    const perMinute = rates[kind];
    if (perMinute === undefined) continue;
    const perMs = perMinute / 60_000;
    const rate = { capacity: Math.max(1, perMs * makeUpMs), perMs };
    const state = states[kind];
    const bucket = state === undefined ? createFull(rate, now) : new TokenBucket(state);
    bucket.adopt(rate, now);
    buckets[kind] = bucket;
  }
  return buckets;
}

/** Returns the buckets of the allowances that the provider reports. */
export function reportedBuckets(states: BucketStates, reported: ReportedAllowances, now: number): Buckets {
  const buckets: Buckets = {};
  for (const kind of kinds) {
    const [state, allowance] = [states[kind], reported[kind]];
    const bucket = state && new TokenBucket(state);
    const next = allowance === undefined ? bucket : updated(bucket, allowance, now);
    if (next !== undefined) buckets[kind] = next;
  }
  return buckets;
}

/** Returns the stored form of buckets. */
export function statesOf(buckets: Buckets): BucketStates {
  const { requests, tokens } = buckets;
  return { ...(requests && { requests: requests.state }), ...(tokens && { tokens: tokens.state }) };
}

/** Returns what a call takes of an allowance. */
export function amountOf(kind: Kind, tokens: number): number {
  return kind === 'requests' ? 1 : tokens;
}
