import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { listsAll } from '../../../../src/look/report/tools/count-trials.ts';
import type { TrialCount } from '../../../../src/core/schema/api/tools-view.ts';
import { FilteredCases } from '../../parts/filtered-cases.tsx';

interface CasesOfOptions {
  readonly run: string;
  readonly target: string;
  readonly count: TrialCount;
  /** The text in place of the number. */
  readonly text?: string;
}

/** A number of trials that leads to their cases; to the first of them where there are many. */
export function CasesOf({ run, target, count, text = formatCount(count.trials) }: CasesOfOptions) {
  if (count.caseIds.length === 0) return <span className="text-quiet">{text}</span>;
  const where = [equalTo('target', [target]), equalTo('id', count.caseIds)];
  const title = listsAll(count) ? undefined : `The first ${count.caseIds.length} questions`;
  return (
    <FilteredCases run={run} where={where} title={title}>
      {text}
    </FilteredCases>
  );
}
