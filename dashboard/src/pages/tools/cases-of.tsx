import { equalTo, type Filter } from '../../../../src/core/lib/filter/filter.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { FilteredCases } from '../../parts/filtered-cases.tsx';

interface CasesOfOptions {
  readonly run: string;
  readonly target: string;
  /** The number of trials. */
  readonly count: number;
  /** The terms that match them among the trials of the target. */
  readonly where: Filter;
  /** The number to show in place of the number of trials, such as a number of calls. */
  readonly shown?: number;
}

/** A number that leads to the cases of the trials that are counted. */
export function CasesOf({ run, target, count, where, shown = count }: CasesOfOptions) {
  if (count === 0) return <span className="text-quiet">{formatCount(shown)}</span>;
  return (
    <FilteredCases run={run} where={[equalTo('target', [target]), ...where]}>
      {formatCount(shown)}
    </FilteredCases>
  );
}
