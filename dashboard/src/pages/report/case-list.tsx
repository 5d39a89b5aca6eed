import { useState } from 'react';
import { formatCount, formatPercent } from '../../../../src/look/report/format.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import { isUnresolved } from '../../../../src/core/schema/result.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useReportedRows } from '../../data/use-report.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { PrintedEnd } from '../../parts/show-more.tsx';
import { CaseDetails } from './case-details.tsx';

/** The number of rows that a list shows at first, and that each request for more adds. */
const step = 100;

/** More rows than any file has, which are all in memory. */
const mostRows = 1_000_000;

/** The number of cases that did not pass that are printed in full. */
const mostPrinted = 20;

interface CaseListOptions {
  readonly run: Omit<Run, 'summary'>;
  readonly where: string;
  readonly sort: string;
  /** Returns whether a case of the list is shown; all are by default. */
  readonly isListed?: (row: TrialRow) => boolean;
}

/** A list of cases, each of which opens to what was said and how it was judged. */
export function CaseList({ run, where, sort, isListed = () => true }: CaseListOptions) {
  const [limit, setLimit] = useState(step);
  const { data, error } = useReportedRows(run.id, { where, sort, limit: mostRows });
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined) return null;
  const rows = data.rows.filter(isListed);
  if (rows.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <>
      <ul className="border-t border-line">
        {rows.slice(0, limit).map((row, index) => (
          <CaseRow
            key={row.ordinal}
            run={run}
            row={row}
            isPrinted={index < mostPrinted && isUnresolved(row.result)}
          />
        ))}
      </ul>
      {rows.length > limit && (
        <div className="mt-3">
          <Button onClick={() => setLimit(limit + step)}>Show {formatCount(step)} more</Button>
          <PrintedEnd />
        </div>
      )}
    </>
  );
}

interface CaseRowOptions {
  readonly run: CaseListOptions['run'];
  readonly row: TrialRow;
  /** True when its details are there before it is opened: on paper, everything that is there is open. */
  readonly isPrinted: boolean;
}

function CaseRow({ run, row, isPrinted }: CaseRowOptions) {
  const [isOpen, setOpen] = useState(false);
  const { caseId, question, result, total, target, attempts, ordinal } = row;
  const first = ordinal - (ordinal % run.attempts);
  const passed = attempts.filter((outcome) => outcome === 'passed').length;
  return (
    <li className="border-b border-line">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="grid cursor-pointer grid-cols-[6rem_1fr] items-baseline gap-x-3 py-1.5 hover:bg-surface sm:grid-cols-[7.5rem_4rem_minmax(5rem,10rem)_1fr_auto]">
          <span className="whitespace-nowrap">
            <span aria-hidden className="mr-2 inline-block text-quiet group-open:rotate-90 print:hidden">
              ›
            </span>
            <OutcomeMark outcome={result} />
          </span>
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
            {run.targets.length > 1 && run.attempts > 1 && ' · '}
            {run.attempts > 1 && `${passed} of ${run.attempts} attempts passed`}
          </span>
        </summary>
        {(isOpen || isPrinted) && (
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
