import type { ModeAgreement } from '../../core/schema/modes/mode-table.ts';
import { readersAgreement } from '../../core/stats/agreement/two-readers.ts';

/** The limit of AC1, and the positive agreement, below which the definition of a mode is the problem. */
const leastAgreement = { ac1Lower: 0.4, positive: 0.5 };

/**
 * Returns how far two readers agree on a mode, over the answers that both have marked; null where there are none.
 * @param answers - For each answer, whether it has the mode, by the person who says so.
 */
export function agreementOf(answers: readonly ReadonlyMap<string, boolean>[]): ModeAgreement | null {
  const table = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const said of answers) {
    const people = [...said].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const [first, second] = people.map(([, value]) => value);
    if (first === undefined || second === undefined) continue;
    if (first) table[second ? 'both' : 'onlyFirst'] += 1;
    else table[second ? 'onlySecond' : 'neither'] += 1;
  }
  const n = table.both + table.onlyFirst + table.onlySecond + table.neither;
  if (n === 0) return null;
  const { raw, positive, ac1, kappa } = readersAgreement(table);
  const isUnclear =
    (ac1.lower !== null && ac1.lower < leastAgreement.ac1Lower) ||
    (positive.value !== null && positive.value < leastAgreement.positive);
  return {
    n,
    table,
    raw: raw.estimate,
    positive: positive.value,
    ac1: ac1.estimate,
    ac1Lower: ac1.lower,
    kappa: kappa?.estimate ?? null,
    isUnclear,
  };
}
