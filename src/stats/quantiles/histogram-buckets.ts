/** Bits of a double's fraction; buckets keep the first few of them. */
const FRACTION_BITS_ABOVE = 20;

/**
 * Numbers of buckets for values of at least 0: each power of two is cut into `2^bits` buckets of equal width, so a
 * bucket's middle is within a share of 2^−(bits + 1) of every value in it.
 *
 * Method: the upper bits of a double's IEEE 754 form, exponent first, rise with the number; the log-linear buckets
 * of HdrHistogram (G. Tene).
 */
export function createBuckets(bits: number): {
  /** The number of the bucket that a value lies in. */
  readonly indexOf: (value: number) => number;
  /** The middle of a bucket; of the first one, which holds 0, just 0. */
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
