import type { Outcome } from '../../schema/result.ts';
import type { Reading } from './reading.ts';

/** The number of a case, the mean of its attempts. */
export interface CaseNumber {
  /** Over the attempts that were measured; NaN when none was. */
  readonly value: number;
  /** What the mean would be had all that is missing come out as badly, or as well, as it could. */
  readonly low: number;
  readonly high: number;
  readonly measured: number;
  /** Attempts without a number that should have one. */
  readonly missing: number;
  /** The sum over the attempts that were measured. */
  readonly sum: number;
}

/** The numbers of a subject by the position of the case in the plan. */
export interface CaseNumbers {
  unit(): string | undefined;
  /** Undefined for a case to which the subject does not apply. */
  at(position: number): CaseNumber | undefined;
}

/** Collects the numbers of a subject in 40 bytes a case. */
export function createCaseNumbers(reading: Reading, cases: number, attempts: number) {
  const sums = new Float64Array(cases);
  const lows = new Float64Array(cases);
  const highs = new Float64Array(cases);
  const counts = new Uint32Array(cases);
  const missing = new Uint32Array(cases);
  const skipped = new Uint32Array(cases);
  const put = (numbers: Float64Array | Uint32Array, position: number, amount: number) => {
    numbers[position] = (numbers[position] as number) + amount;
  };

  return {
    add: (position: number, outcome: Outcome): void => {
      const number = reading.read(outcome);
      if (number.status === 'measured') {
        put(sums, position, number.value);
        put(counts, position, 1);
      } else if (number.status === 'missing') {
        put(lows, position, number.low);
        put(highs, position, number.high);
        put(missing, position, 1);
      } else put(skipped, position, 1);
    },
    unit: reading.unit,
    at: (position: number): CaseNumber | undefined => {
      const [sum, measured] = [sums[position] as number, counts[position] as number];
      const unseen = attempts - measured - (missing[position] as number) - (skipped[position] as number);
      const planned = attempts - (skipped[position] as number);
      if (planned === 0) return undefined;
      const isShare = reading.unit() === undefined;
      const low = sum + (lows[position] as number) + (isShare || unseen === 0 ? 0 : -Infinity);
      const high = sum + (highs[position] as number) + (unseen === 0 ? 0 : isShare ? unseen : Infinity);
      return {
        value: sum / measured,
        low: low / planned,
        high: high / planned,
        measured,
        missing: planned - measured,
        sum,
      };
    },
  } satisfies CaseNumbers & { add: unknown };
}
