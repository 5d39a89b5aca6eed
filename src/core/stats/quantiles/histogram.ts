import { checkDomain } from '../check-domain.ts';
import { createCompensatedSum } from '../compensated-sum.ts';

/** A quantile read from a histogram, or the reason why there is none. */
export type HistogramQuantile = {
  readonly p: number;
  readonly n: number;
  readonly method: 'nearest-rank';
  /** The largest distance of the value from the true quantile, as a share of the quantile. */
  readonly relativeError: number;
} & (
  | { readonly status: 'defined'; readonly value: number }
  | { readonly status: 'undefined'; readonly value: null; readonly reason: string }
);

/** The exact properties of the values; null without values. */
export type HistogramSummary = {
  readonly n: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
};

/** A count of values of at least 0, such as latencies, in little memory. Histograms of parts can be merged. */
export type Histogram = {
  /** Counts a value, once or `count` times. @throws RangeError when it is negative or not finite. */
  add(value: number, count?: number): void;
  /**
   * Adds the counts of another histogram, as if its values had been added here.
   *
   * @throws RangeError when it has another resolution, or plain data is inconsistent.
   */
  merge(other: Histogram | SerialisedHistogram): void;
  /**
   * Returns the value that a share `p` of the values does not exceed.
   * @throws RangeError when `p` is outside [0, 1].
   */
  quantile(options: { readonly p: number }): HistogramQuantile;
  summary(): HistogramSummary;
  /**
   * Returns plain data, the same in whatever order values were added and histograms merged (except for rounding of
   * `sum`).
   */
  serialise(): SerialisedHistogram;
};

/** R's allowance for rounding in n p, as in {@link quantile}. */
const FUZZ = 4 * Number.EPSILON;

/**
 * Creates an empty histogram, or continues a serialised one. Quantiles are those of nearest rank within the stated
 * relative error, for values from 1e-300 on; smallest, largest and mean are exact. Never average percentiles: merge
 * histograms.
 *
 * Method: log-linear buckets, see {@link createBuckets}.
 *
 * @throws RangeError unless `relativeError` is from 1e-6 to 0.25, or when plain data is inconsistent.
 */
export function createHistogram(
  options: {
    /** Largest error of a quantile as a share of it; 0.001 by default. The next finer power of two is used. */
    readonly relativeError?: number;
    /** The result of {@link Histogram.serialise}; its resolution is kept. */
    readonly from?: SerialisedHistogram;
  } = {},
): Histogram {
  return options.from === undefined
    ? emptyHistogram(bitsFor(options.relativeError ?? 0.001))
    : restored(options.from);
}

function restored(data: SerialisedHistogram): Histogram {
  checkDomain(
    Number.isInteger(data.bits) && data.bits >= 1 && data.bits <= 19,
    'bits',
    data.bits,
    'from 1 to 19',
  );
  const histogram = emptyHistogram(data.bits);
  histogram.merge(data);
  return histogram;
}

function bitsFor(relativeError: number): number {
  const isInside = relativeError >= 1e-6 && relativeError <= 0.25;
  checkDomain(isInside, 'relativeError', relativeError, 'from 0.000001 to 0.25');
  return Math.ceil(-Math.log2(relativeError)) - 1;
}

function emptyHistogram(bits: number): Histogram {
  const { indexOf, middleOf } = createBuckets(bits);
  const relativeError = 2 ** -(bits + 1);
  const counts = new Map<number, number>();
  const sum = createCompensatedSum();
  let n = 0;
  let min = Infinity;
  let max = 0;
  const countBucket = (index: number, count: number) => counts.set(index, (counts.get(index) ?? 0) + count);
  const sortedBuckets = () => Array.from(counts).toSorted(([x], [y]) => x - y);

  const valueAt = (p: number): number => {
    if (p === 0) return min;
    if (p === 1) return max;
    let left = Math.max(1, Math.ceil(n * p * (1 - FUZZ)));
    for (const [index, count] of sortedBuckets()) {
      left -= count;
      if (left <= 0) return Math.min(max, Math.max(min, middleOf(index)));
    }
    return max;
  };

  return {
    add: (value, count = 1) => {
      checkDomain(value >= 0 && value < Infinity, 'value', value, 'finite and at least 0');
      checkDomain(Number.isSafeInteger(count) && count > 0, 'count', count, 'a whole number above 0');
      countBucket(indexOf(value), count);
      sum.add(value * count);
      n += count;
      min = Math.min(min, value);
      max = Math.max(max, value);
    },
    merge: (other) => {
      const data = 'serialise' in other ? other.serialise() : other;
      checkSerialised(data);
      checkDomain(data.bits === bits, 'bits', data.bits, `${bits}, as of this histogram`);
      for (const [index, count] of data.buckets) countBucket(index, count);
      sum.add(data.sum);
      n += data.n;
      min = Math.min(min, data.min ?? Infinity);
      max = Math.max(max, data.max ?? 0);
    },
    quantile: ({ p }) => {
      checkDomain(p >= 0 && p <= 1, 'p', p, 'from 0 to 1');
      const basis = { p, n, method: 'nearest-rank', relativeError } as const;
      if (n === 0) return { ...basis, status: 'undefined', value: null, reason: 'no values' };
      return { ...basis, status: 'defined', value: valueAt(p) };
    },
    summary: () =>
      n === 0 ? { n, mean: null, min: null, max: null } : { n, mean: sum.total() / n, min, max },
    serialise: () => ({
      type: 'touchstone-histogram',
      version: 1,
      bits,
      n,
      sum: sum.total(),
      min: n === 0 ? null : min,
      max: n === 0 ? null : max,
      buckets: sortedBuckets(),
    }),
  };
}

/** The bits of a double's fraction in its upper word; buckets keep the first few of them. */
const FRACTION_BITS_ABOVE = 20;

/**
 * Numbers the buckets for values of at least 0: each power of two is divided into `2^bits` buckets of equal width, so a
 * bucket's middle is within a share of 2^−(bits + 1) of every value in it.
 *
 * Method: the upper bits of a double's IEEE 754 form, exponent first, rise with the number; the log-linear buckets of
 * HdrHistogram (G. Tene).
 */
function createBuckets(bits: number): {
  /** Returns the number of the bucket of a value. */
  readonly indexOf: (value: number) => number;
  /** Returns the middle of a bucket; exactly 0 for the first one, which contains 0. */
  readonly middleOf: (index: number) => number;
} {
  const view = new DataView(new ArrayBuffer(8));
  const shift = FRACTION_BITS_ABOVE - bits;
  const startOf = (index: number): number => {
    view.setUint32(0, index << shift);
    view.setUint32(4, 0);
    return view.getFloat64(0);
  };
  return {
    indexOf: (value) => {
      view.setFloat64(0, value);
      return view.getUint32(0) >>> shift;
    },
    middleOf: (index) => {
      if (index === 0) return 0;
      const start = startOf(index);
      return start + (startOf(index + 1) - start) / 2;
    },
  };
}

/** A histogram as plain data, to be stored or sent as JSON. */
export type SerialisedHistogram = {
  readonly type: 'touchstone-histogram';
  readonly version: 1;
  /** The bits by which each power of two is divided into 2^bits buckets. */
  readonly bits: number;
  /** The number of values. */
  readonly n: number;
  readonly sum: number;
  /** The smallest value; null without values. */
  readonly min: number | null;
  readonly max: number | null;
  /** The number and count of every bucket that is not empty, in ascending order. */
  readonly buckets: readonly (readonly [index: number, count: number])[];
};

/**
 * Checks that plain data from a file or another process is a consistent histogram.
 *
 * @throws RangeError with the inconsistency.
 */
function checkSerialised(data: SerialisedHistogram): void {
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
