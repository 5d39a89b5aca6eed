import { checkDomain } from '../check-domain.ts';

/** A histogram as plain data, to be stored or sent as JSON. */
export type SerialisedHistogram = {
  readonly type: 'touchstone-histogram';
  readonly version: 1;
  /** Each power of two is cut into 2^bits buckets. */
  readonly bits: number;
  /** Values. */
  readonly n: number;
  readonly sum: number;
  /** Null without values. */
  readonly min: number | null;
  readonly max: number | null;
  /** Number and count of every bucket that is not empty, in ascending order. */
  readonly buckets: readonly (readonly [index: number, count: number])[];
};

/**
 * Makes sure that plain data from a file or another process is a histogram that agrees with itself.
 *
 * @throws RangeError naming what does not.
 */
export function checkSerialised(data: SerialisedHistogram): void {
  checkDomain(data.type === 'touchstone-histogram', 'type', data.type, 'touchstone-histogram');
  checkDomain(data.version === 1, 'version', data.version, '1');
  let n = 0;
  let previous = -1;
  for (const [index, count] of data.buckets) {
    checkDomain(
      Number.isInteger(index) && index > previous,
      'a bucket',
      index,
      `whole and above ${previous}`,
    );
    checkDomain(Number.isSafeInteger(count) && count > 0, 'a count', count, 'a whole number above 0');
    n += count;
    previous = index;
  }
  checkDomain(data.n === n, 'n', data.n, `${n}, the sum of the counts`);
  checkDomain(Number.isFinite(data.sum), 'sum', data.sum, 'finite');
  const [min, max] = n === 0 ? [0, 0] : [data.min, data.max];
  const isOrdered = min !== null && max !== null && min >= 0 && min <= max && max < Infinity;
  checkDomain(isOrdered, 'min and max', `${data.min} and ${data.max}`, 'finite, at least 0 and in order');
}
