import type { Outcome } from '../../core/schema/result.ts';
import type { Reading } from './reading.ts';

/** The number of a case: the mean of its attempts, weighted when its case rule stopped further attempts. */
export interface CaseNumber {
  /** The mean over the measured attempts; NaN when there are none. */
  readonly value: number;
  /** The mean if every missing attempt had the worst, or the best, possible value. */
  readonly low: number;
  readonly high: number;
  readonly measured: number;
  /** Attempts without a number that should have one. */
  readonly missing: number;
  /** Attempts that were not made because the verdict on the case was settled. */
  readonly notNeeded: number;
  /** The unweighted sum over the measured attempts. */
  readonly sum: number;
  /** Their sample variance; NaN for fewer than two. */
  readonly variance: number;
}

/** The numbers of a subject by the position of the case in the plan. */
export interface CaseNumbers {
  unit(): string | undefined;
  /** Returns the number of a case; undefined when the subject does not apply to it. */
  at(position: number): CaseNumber | undefined;
}

/** Creates a collector of a subject's numbers, with 80 bytes for each case. */
export function createCaseNumbers(reading: Reading, cases: number, attempts: number) {
  const numbers = () => new Float64Array(cases);
  const counts = () => new Uint32Array(cases);
  const [sums, squares, weighted, weights] = [numbers(), numbers(), numbers(), numbers()];
  const [lows, highs, skippedWeights] = [numbers(), numbers(), numbers()];
  const [measured, missing, skipped, notNeeded] = [counts(), counts(), counts(), counts()];
  const put = (column: Float64Array | Uint32Array, position: number, amount: number) => {
    column[position] = (column[position] as number) + amount;
  };

  return {
    add: (position: number, outcome: Outcome): void => {
      const number = reading.read(outcome);
      const { weight = 1 } = outcome;
      put(notNeeded, position, outcome.notNeeded ?? 0);
      if (number.status === 'measured') {
        put(sums, position, number.value);
        put(squares, position, number.value ** 2);
        put(weighted, position, weight * number.value);
        put(weights, position, weight);
        put(measured, position, 1);
      } else if (number.status === 'missing') {
        put(lows, position, weight * number.low);
        put(highs, position, weight * number.high);
        put(missing, position, 1);
      } else {
        put(skipped, position, 1);
        put(skippedWeights, position, weight);
      }
    },
    unit: reading.unit,
    at: (position: number): CaseNumber | undefined => {
      const at = (column: Float64Array | Uint32Array) => column[position] as number;
      const due = attempts - at(skipped) - at(notNeeded);
      if (due === 0) return undefined;
      const unseen = due - at(measured) - at(missing);
      const isShare = reading.unit() === undefined;
      const low = at(weighted) + at(lows) + (isShare || unseen === 0 ? 0 : -Infinity);
      const high = at(weighted) + at(highs) + (unseen === 0 ? 0 : isShare ? unseen : Infinity);
      return {
        value: at(weighted) / at(weights),
        low: low / (attempts - at(skippedWeights)),
        high: high / (attempts - at(skippedWeights)),
        measured: at(measured),
        missing: due - at(measured),
        notNeeded: at(notNeeded),
        sum: at(sums),
        variance: varianceOfSums(at(measured), at(sums), at(squares)),
      };
    },
  } satisfies CaseNumbers & { add: unknown };
}

function varianceOfSums(n: number, sum: number, squares: number): number {
  return n < 2 ? Number.NaN : Math.max(0, squares - sum ** 2 / n) / (n - 1);
}
