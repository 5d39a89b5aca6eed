import { formatCount, missing } from '../../../../src/report/format.ts';
import type { ToolRow, ToolTarget, TrialCount } from '../../../../src/schema/api/tools-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { CasesOf } from './cases-of.tsx';

/** The tools of a target: in how many answers each was expected, used and missing, and what was wrong with its calls. */
export function ToolTable({ run, target }: { readonly run: string; readonly target: ToolTarget }) {
  const cases = (count: TrialCount, isBad: boolean) => (
    <Count run={run} target={target.target} count={count} isBad={isBad} />
  );
  const columns: readonly Column<ToolRow>[] = [
    {
      title: 'Tool',
      isName: true,
      cell: ({ tool }) => (
        <span className="inline-block min-w-36 font-mono wrap-anywhere">
          <PlainText text={tool} />
        </span>
      ),
    },
    { title: 'Expected', align: 'right', cell: ({ expected }) => cases(expected, false) },
    { title: 'Used', align: 'right', cell: ({ used }) => cases(used, false) },
    { title: 'Missing', align: 'right', cell: ({ missing: absent }) => cases(absent, true) },
    { title: 'Calls', align: 'right', isOptional: true, cell: ({ calls }) => formatCount(calls) },
    {
      title: 'Failed calls',
      align: 'right',
      cell: ({ failed, failedCalls }) => cases({ ...failed, trials: failedCalls }, true),
    },
    {
      title: 'Wrong arguments',
      align: 'right',
      cell: ({ wrong, wrongCalls }) =>
        target.hasArguments ? (
          cases({ ...wrong, trials: wrongCalls }, true)
        ) : (
          <span className="text-quiet">{missing}</span>
        ),
    },
  ];
  return <DataTable label="Tools" columns={columns} rows={target.tools} keyOf={({ tool }) => tool} />;
}

interface CountOptions {
  readonly run: string;
  readonly target: string;
  readonly count: TrialCount;
  readonly isBad: boolean;
}

/** A number with its cases; one that should be 0 is bold when it is not. */
function Count({ isBad, ...rest }: CountOptions) {
  return (
    <span className={isBad && rest.count.trials > 0 ? 'font-semibold' : ''}>
      <CasesOf {...rest} />
    </span>
  );
}
