import { checkDomain } from '../check-domain.ts';

/** Questions by what two bots made of them: passed by both, by A only, by B only, by neither. */
export type PairedCounts = {
  readonly both: number;
  readonly aOnly: number;
  readonly bOnly: number;
  readonly neither: number;
};

/**
 * The number of questions.
 *
 * @throws RangeError unless all counts are whole numbers of at least 0.
 */
export function countPairs({ both, aOnly, bOnly, neither }: PairedCounts): number {
  for (const [name, count] of Object.entries({ both, aOnly, bOnly, neither })) {
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  }
  return both + aOnly + bOnly + neither;
}
