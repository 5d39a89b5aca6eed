import type { Disagreement } from '../../../../src/core/schema/summary.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { CasesLink } from './cases-link.tsx';

interface ContradictionCountOptions {
  /** The id of the run. */
  readonly run: string;
  readonly of: Disagreement;
}

/** The number of answers on which metrics contradict each other in one way, which leads to them: `12 of 180`. */
export function ContradictionCount({
  run,
  of: { kind, count, compared, targets },
}: ContradictionCountOptions) {
  const target = targets.flatMap((each) => (each.count > 0 ? [each.target] : []));
  return (
    <>
      {count === 0 ? (
        0
      ) : (
        <CasesLink run={run} where={{ target, contradiction: kind }}>
          {formatCount(count)}
        </CasesLink>
      )}{' '}
      of {formatCount(compared)}
    </>
  );
}
