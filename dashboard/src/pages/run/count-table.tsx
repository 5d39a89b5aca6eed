import { Fragment } from 'react';
import type { Estimate } from '../../../../src/core/schema/estimate.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { TargetSummary } from '../../../../src/core/schema/summary.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { calledCount, errorCount } from '../../../../src/look/report/headline.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { ScoreText } from '../../parts/score-text.tsx';

/** A count of trials with its share. */
interface CountRow {
  readonly name: string;
  readonly of: number;
  readonly share: Estimate | undefined;
  /** The filters of the answers that are counted: one, or several that have no answer in common, each with its own count. */
  readonly parts: readonly CountPart[];
}

interface CountPart {
  readonly count: number;
  readonly where: Readonly<Record<string, string>>;
}

/** The number of answers that passed, failed and ended in errors, each of which leads to them. */
export function CountTable({ run, target }: { readonly run: Run; readonly target: TargetSummary }) {
  return (
    <DataTable
      label="Outcomes"
      isCompact
      columns={countColumns(run.id)}
      rows={countRows(run, target)}
      keyOf={nameOf}
    />
  );
}

function countRows(run: Run, { target, counts, passRate, errorRate }: TargetSummary): CountRow[] {
  const { passed, failed, measured } = counts;
  const errors = errorCount(counts);
  const kinds: CountPart[] = [
    { count: counts.errors, where: { target, result: 'error' } },
    { count: counts.errorReports, where: { target, errorReport: 'true' } },
  ];
  const errorRow = {
    name: 'Errors',
    of: calledCount(counts),
    share: errorRate,
    parts: errors === 0 ? kinds.slice(0, 1) : kinds.filter(({ count }) => count > 0),
  };
  if (run.scorecard === null || measured === 0) return [errorRow];
  const judged = (result: string, count: number) => [{ count, where: { target, result } }];
  return [
    { name: 'Passed', of: measured, share: passRate, parts: judged('passed', passed) },
    { name: 'Failed', of: measured, share: undefined, parts: judged('failed', failed) },
    errorRow,
  ];
}

function nameOf({ name }: CountRow): string {
  return name;
}

function countColumns(run: string): readonly Column<CountRow>[] {
  return [
    { title: 'Outcome', isName: true, cell: nameOf },
    {
      title: 'Answers',
      align: 'right',
      cell: ({ of, parts }) => (
        <span className="whitespace-nowrap">
          {parts.map(({ count, where }, index) => (
            <Fragment key={index}>
              {index > 0 && ' + '}
              {count === 0 ? (
                0
              ) : (
                <CasesLink run={run} where={where}>
                  {formatCount(count)}
                </CasesLink>
              )}
            </Fragment>
          ))}
          <span className="text-quiet"> of {formatCount(of)}</span>
        </span>
      ),
    },
    {
      title: 'From 0 to 100 %',
      isOptional: true,
      cell: ({ share }) => share !== undefined && <IntervalPlot estimate={share} />,
    },
    { title: 'Share', cell: ({ share }) => share !== undefined && <ScoreText estimate={share} /> },
  ];
}
