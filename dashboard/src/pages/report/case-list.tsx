import { useState } from 'react';
import { formatCount, formatPercent } from '../../../../src/look/report/format.ts';
import { failsForAllWords } from '../../../../src/look/report/rows/failed-questions.ts';
import { groupByQuestion, type ListedQuestion } from '../../../../src/look/report/rows/listed-questions.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useReportedRows } from '../../data/use-report.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { OutcomeMark, OutcomeSign } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { PrintedEnd } from '../../parts/show-more.tsx';
import { CaseDetails } from './case-details.tsx';

/** The number of rows that a list shows at first, and that each request for more adds. */
const step = 100;

/** More rows than any file has, which are all in memory. */
const mostRows = 1_000_000;

/** The number of questions that did not pass that are printed in full. */
const mostPrinted = 20;

interface CaseListOptions {
  readonly run: Omit<Run, 'summary'>;
  readonly where?: string;
  /** The order; the worst first by default. */
  readonly sort?: string;
}

/** A list of questions, with a column for each target, each of which opens to what was said and how it was judged. */
export function CaseList({ run, where = '', sort = '' }: CaseListOptions) {
  const [limit, setLimit] = useState(step);
  const [isOnlyFailed, setOnlyFailed] = useState(false);
  const { data, error } = useReportedRows(run.id, { where, sort, limit: mostRows });
  const all = useReportedRows(run.id, { limit: mostRows }).data;
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined || all === undefined) return null;
  const questions = groupByQuestion(run, { listed: data.rows, all: all.rows, isSorted: sort !== '' });
  const failed = questions.filter((question) => question.isUnresolved);
  const shown = isOnlyFailed ? failed : questions;
  if (questions.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <>
      {failed.length > 0 && failed.length < questions.length && (
        <p className="mb-3 print:hidden">
          <button
            type="button"
            aria-pressed={isOnlyFailed}
            onClick={() => setOnlyFailed(!isOnlyFailed)}
            className="h-8 rounded-md border border-line px-3 font-medium hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            Only failed ({formatCount(failed.length)})
          </button>
        </p>
      )}
      {run.targets.length > 1 && <TargetNames run={run} />}
      <ul className="border-t border-line">
        {shown.slice(0, limit).map((question, index) => (
          <QuestionItem
            key={question.position}
            run={run}
            question={question}
            isPrinted={index < mostPrinted && question.isUnresolved}
          />
        ))}
      </ul>
      {shown.length > limit && (
        <div className="mt-3">
          <Button onClick={() => setLimit(limit + step)}>Show {formatCount(step)} more</Button>
          <PrintedEnd />
        </div>
      )}
    </>
  );
}

/** The width of the column of a target. */
const columnWidth = 'w-10 shrink-0 sm:w-20';

/** The heads of the columns, in the order of the signs. */
function TargetNames({ run: { targets } }: Pick<CaseListOptions, 'run'>) {
  return (
    <p aria-hidden className="flex items-end gap-x-2 pb-1 pl-5 text-xs text-quiet">
      {targets.map(({ name }) => (
        <span key={name} title={name} className={`truncate text-center ${columnWidth}`}>
          <PlainText text={name} />
        </span>
      ))}
      <span>Question</span>
    </p>
  );
}

interface QuestionItemOptions extends Pick<CaseListOptions, 'run'> {
  readonly question: ListedQuestion;
  /** True when its details are there before it is opened: on paper, everything that is there is open. */
  readonly isPrinted: boolean;
}

function QuestionItem({ run, question, isPrinted }: QuestionItemOptions) {
  const [isOpen, setOpen] = useState(false);
  const { id, text, rows, total, attempts, toOpen, failsForAll } = question;
  const passed = attempts.filter((outcome) => outcome === 'passed').length;
  return (
    <li className="border-b border-line">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="flex cursor-pointer items-baseline gap-x-2 py-1.5 hover:bg-surface">
          <span
            aria-hidden
            className="inline-block w-3 shrink-0 text-quiet group-open:rotate-90 print:hidden"
          >
            ›
          </span>
          {rows.length > 1 ? (
            rows.map((row, index) => (
              <span key={index} className={`text-center ${columnWidth}`}>
                {row !== undefined && (
                  <>
                    <span className="sr-only">{run.targets[index]?.name}: </span>
                    <OutcomeSign outcome={row} />
                  </>
                )}
              </span>
            ))
          ) : (
            <>
              <span className="w-5 shrink-0 text-center sm:hidden">
                {rows[0] !== undefined && <OutcomeSign outcome={rows[0]} />}
              </span>
              <span className="hidden w-28 shrink-0 sm:inline">
                {rows[0] !== undefined && <OutcomeMark outcome={rows[0]} />}
              </span>
              <span className="w-16 shrink-0 text-right whitespace-nowrap max-sm:hidden">
                {total === null ? '' : formatPercent(total)}
              </span>
            </>
          )}
          <span className="min-w-0 flex-1 truncate group-open:font-medium group-open:whitespace-normal print:whitespace-normal sm:pl-2">
            <PlainText text={text === '' ? id : text} />
            {failsForAll && <span className="text-unsure"> · {failsForAllWords}</span>}
          </span>
          {run.attempts > 1 && run.targets.length === 1 && (
            <span className="shrink-0 text-xs whitespace-nowrap text-quiet">
              {passed} of {attempts.length}
              <span className="max-sm:hidden"> attempts passed</span>
            </span>
          )}
        </summary>
        {(isOpen || isPrinted) && (
          <div className="space-y-8 pt-2 pb-6 sm:pl-6">
            <p className="mb-2 font-mono text-xs text-quiet wrap-anywhere">
              <PlainText text={id} />
            </p>
            {toOpen.map((ordinal) => (
              <CaseDetails key={ordinal} run={run} ordinal={ordinal} isOfSeveral={toOpen.length > 1} />
            ))}
          </div>
        )}
      </details>
    </li>
  );
}
