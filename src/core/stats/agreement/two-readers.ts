import { checkDomain } from '../check-domain.ts';
import type { Interval } from '../interval.ts';
import type { StudentInterval } from '../student-t.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { knownValue, unknownValue, type ValueOrReason } from '../value-or-reason.ts';
import { cohensKappa, type Kappa } from './cohens-kappa.ts';
import { gwetsAc1 } from './multi-rater-kappa.ts';

/** The numbers of answers that both readers, only the first, only the second or neither say to have a property. */
export type ReadersTable = {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
};

/** The agreement of two readers on whether answers have a property. */
export type ReadersAgreement = {
  readonly table: ReadersTable;
  /** The share of answers on which both say the same, with Wilson's interval. */
  readonly raw: Interval;
  /** 2a / (2a + b + c): of what either says to have the property, how much both do. */
  readonly positive: ValueOrReason;
  readonly ac1: StudentInterval;
  /** Cohen's kappa; null with fewer than five answers on which both say yes, since its interval then covers 30 to 92 %. */
  readonly kappa: Kappa | null;
};

/** The number of answers on which both readers say yes from which kappa is given. */
const fewestForKappa = 5;

/**
 * Measures the agreement of two readers on a property that may be rare.
 *
 * Method: D. V. Cicchetti & A. R. Feinstein, Journal of Clinical Epidemiology 43 (1990), for positive agreement; {@link gwetsAc1};
 * {@link cohensKappa}.
 *
 * @throws RangeError unless the counts are whole numbers of at least 0.
 */
export function readersAgreement(table: ReadersTable): ReadersAgreement {
  for (const [name, count] of Object.entries(table))
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  const { both, onlyFirst, onlySecond, neither } = table;
  const n = both + onlyFirst + onlySecond + neither;
  const either = 2 * both + onlyFirst + onlySecond;
  const items = (count: number, ratings: readonly [boolean, boolean]) =>
    Array.from({ length: count }, () => [...ratings]);
  return {
    table,
    raw: wilsonInterval({ successes: both + neither, trials: n }),
    positive: either === 0 ? unknownValue('neither reader says yes', n) : knownValue((2 * both) / either, n),
    ac1: gwetsAc1({
      ratings: [
        ...items(both, [true, true]),
        ...items(onlyFirst, [true, false]),
        ...items(onlySecond, [false, true]),
        ...items(neither, [false, false]),
      ],
      categories: [true, false],
    }),
    kappa:
      both < fewestForKappa
        ? null
        : cohensKappa({
            table: [
              [both, onlyFirst],
              [onlySecond, neither],
            ],
          }),
  };
}
