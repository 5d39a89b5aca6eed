import type { FoundNumber } from '../values/find-numbers.ts';

/** Numbers to look others up in. */
export interface NumberSet {
  /**
   * Whether one of them is the number, or is what it was rounded from to the digits that are stated: `442.3k` for 442310,
   * `4.5 %` for 0.0448. A whole number without a multiplier is taken as exact. Signs are left out: books keep expenses
   * below zero.
   */
  has(stated: FoundNumber): boolean;
}

/** Makes a look-up by value; it takes logarithmic time. */
export function createNumberSet(numbers: readonly Pick<FoundNumber, 'value' | 'isPercent'>[]): NumberSet {
  const sizesOf = (isPercent: boolean) =>
    Float64Array.from(
      numbers.filter((number) => number.isPercent === isPercent),
      ({ value }) => Math.abs(value),
    ).sort();
  const [plain, percents] = [sizesOf(false), sizesOf(true)];
  return {
    has: (stated) => {
      const size = Math.abs(stated.value);
      const slack = precisionOf(stated) / 2;
      const isThere = (sizes: Float64Array, scale: number) =>
        hasWithin(sizes, { center: size * scale, slack: slack * scale });
      if (isThere(plain, 1) || isThere(percents, 1)) return true;
      // 27.5 % is 0.275 where one side only says per cent.
      return stated.isPercent ? isThere(plain, 0.01) : isThere(percents, 100);
    },
  };
}

function hasWithin(sorted: Float64Array, { center, slack }: { center: number; slack: number }): boolean {
  const reach = slack + center * 1e-9;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < center - reach) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] ?? 0) <= center + reach;
}

/** The value of one unit in the last digit that is stated; 0 for a whole number without a multiplier. */
function precisionOf({ text, value }: FoundNumber): number {
  const [digits = ''] = /\d[\d.,'’\u00a0\u202f ]*/u.exec(text) ?? [];
  const [, decimals = ''] = /[.,](\d{1,2}|0\d*)\s*$/u.exec(digits) ?? [];
  const mantissa = Number(digits.replace(/\D/gu, '')) / 10 ** decimals.length;
  const multiplier = mantissa === 0 ? 1 : Math.abs(value) / mantissa;
  const isExact = decimals === '' && multiplier < 1.5;
  return isExact ? 0 : multiplier / 10 ** decimals.length;
}
