import { useState } from 'react';
import { formatCount, formatPercent } from '../../../../src/report/format.ts';
import type { TrialRow } from '../../../../src/schema/api/trial-row.ts';
import { isUnresolved } from '../../../../src/schema/result.ts';
import type { Run } from '../../../../src/schema/run.ts';
import { useReportedRows } from '../../data/use-report.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { CaseDetails } from './case-details.tsx';

/** The number of rows that a list shows at first, and that each request for more adds. */
const step = 100;

/** The options of {@link CaseList}. */
interface CaseListOptions {
  readonly run: Omit<Run, 'summary'>;
  readonly where: string;
  readonly sort: string;
}

/** A list of cases, each of which opens to what was said and how it was judged. */
export function CaseList({ run, where, sort }: CaseListOptions) {
  const [limit, setLimit] = useState(step);
  // One row more than is shown says whether there are more.
  const { data, error } = useReportedRows(run.id, { where, sort, limit: limit + 1 });
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined) return null;
  if (data.rows.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <>
      <ul className="border-t border-line">
        {data.rows.slice(0, limit).map((row) => (
          <CaseRow key={row.ordinal} run={run} row={row} />
        ))}
      </ul>
      {data.rows.length > limit && (
        <div className="mt-3">
          <Button onClick={() => setLimit(limit + step)}>Show {formatCount(step)} more</Button>
        </div>
      )}
    </>
  );
}

function CaseRow({ run, row }: { readonly run: CaseListOptions['run']; readonly row: TrialRow }) {
  const [isOpen, setOpen] = useState(false);
  const { caseId, question, result, total, target, attempts, ordinal } = row;
  // What did not pass is there before it is opened, so that it can be printed.
  const hasDetails = isOpen || isUnresolved(result);
  const first = ordinal - (ordinal % run.attempts);
  const passed = attempts.filter((outcome) => outcome === 'passed').length;
  return (
    <li className="border-b border-line">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="grid cursor-pointer grid-cols-[6rem_1fr] items-baseline gap-x-3 py-1.5 hover:bg-surface sm:grid-cols-[7.5rem_4rem_minmax(6rem,14rem)_1fr_auto]">
          <OutcomeMark outcome={result} />
          <span className="text-right whitespace-nowrap max-sm:hidden">
            {total === null ? '' : formatPercent(total)}
          </span>
          <span className="truncate font-mono text-xs">
            <PlainText text={caseId} />
          </span>
          <span className="truncate max-sm:col-span-2 group-open:font-medium print:whitespace-normal">
            <PlainText text={question} />
          </span>
          <span className="text-xs whitespace-nowrap text-quiet max-sm:col-span-2">
            {run.targets.length > 1 && <PlainText text={target} />}
            {run.attempts > 1 && ` ${passed} of ${run.attempts} attempts passed`}
          </span>
        </summary>
        {hasDetails && (
          <div className="space-y-8 pt-2 pb-6 sm:pl-6">
            {attempts.map(
              (outcome, index) =>
                outcome !== null && (
                  <CaseDetails key={index} run={run} ordinal={first + index} hasAttempts={run.attempts > 1} />
                ),
            )}
          </div>
        )}
      </details>
    </li>
  );
}
