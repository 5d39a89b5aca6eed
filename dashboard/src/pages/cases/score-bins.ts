import type { Filter } from '../../../../src/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/lib/filter/format-filter.ts';
import { compileTerm } from '../../../../src/lib/filter/match-filter.ts';
import type { TrialFacets } from '../../../../src/schema/api/trial-facets.ts';

/** A part of the range of scores. */
export interface ScoreBin {
  readonly from: number;
  readonly to: number;
  /** The number of trials. */
  readonly count: number;
  /** True when the filter leaves the part out. */
  readonly isFaint: boolean;
  /** True when the filter selects this part and no other. */
  readonly isChosen: boolean;
  /** The filter that selects the part; without any term on scores where the part is chosen. */
  readonly where: string;
}

/** Returns the parts of the range of scores, each with the filter that a click on it leads to. */
export function scoreBinsOf({ bins }: TrialFacets['scores'], filter: Filter): ScoreBin[] {
  const onScores = filter.filter(isOnScores);
  const others = filter.filter((term) => !isOnScores(term));
  const tests = onScores.map(compileTerm);
  const current = formatFilter(onScores);
  return bins.map((count, index) => {
    const [from, to] = [index / bins.length, (index + 1) / bins.length];
    const isLast = index === bins.length - 1;
    const interval: Filter = [
      { field: 'total', operator: '>=', values: [from] },
      // No score is above 1, which belongs to the last part.
      ...(isLast ? [] : [{ field: 'total', operator: '<', values: [to] } as const]),
    ];
    const isChosen = formatFilter(interval) === current;
    return {
      from,
      to,
      count,
      isFaint: !tests.every((test) => test([(from + to) / 2])),
      isChosen,
      where: formatFilter(isChosen ? others : [...others, ...interval]),
    };
  });
}

function isOnScores({ field, side }: Filter[number]): boolean {
  return field === 'total' && side === undefined;
}
