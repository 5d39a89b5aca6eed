import { checkDomain } from '../check-domain.ts';

/** Attempts at one task, and how many of them passed. */
export type AttemptCounts = { readonly n: number; readonly c: number };

/** @throws RangeError unless all counts are whole with 0 ≤ c ≤ n. */
export function checkAttempts(counts: readonly AttemptCounts[]): void {
  for (const [place, { n, c }] of counts.entries()) {
    const task = `of task ${place + 1}`;
    checkDomain(Number.isSafeInteger(n) && n >= 0, `n ${task}`, n, 'a whole number of at least 0');
    const isInside = Number.isSafeInteger(c) && c >= 0 && c <= n;
    checkDomain(isInside, `c ${task}`, c, `a whole number from 0 to n (${n})`);
  }
}
