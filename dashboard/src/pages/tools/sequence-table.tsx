import { equalTo, type FilterTerm } from '../../../../src/core/lib/filter/filter.ts';
import { nextCall } from '../../../../src/core/trials/trial-traits.ts';
import { formatCount, formatPercent, formatPlural, missing } from '../../../../src/look/report/format.ts';
import type { ToolSequence, ToolTarget } from '../../../../src/core/schema/api/tools-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { CasesOf } from './cases-of.tsx';

/** The most steps of a sequence that are shown. */
const mostSteps = 8;

interface SequenceTableOptions {
  readonly run: string;
  readonly target: ToolTarget;
  readonly hasScorecard: boolean;
}

/** The most frequent sequences of calls, each with the share of answers that passed. */
export function SequenceTable({ run, target, hasScorecard }: SequenceTableOptions) {
  const { sequences, others } = target;
  const columns: readonly Column<ToolSequence>[] = [
    { title: 'Calls', isName: true, cell: ({ calls }) => <Calls calls={calls} /> },
    {
      title: 'Answers',
      align: 'right',
      cell: ({ calls, trials }) => (
        <CasesOf run={run} target={target.target} count={trials} where={[whereCalls(calls)]} />
      ),
    },
    ...(hasScorecard
      ? [
          {
            title: 'Passed',
            align: 'right' as const,
            cell: (sequence: ToolSequence) => <Share run={run} target={target.target} sequence={sequence} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <DataTable
        label="Sequences of calls"
        columns={columns}
        rows={sequences}
        keyOf={({ calls }) => JSON.stringify(calls)}
      />
      {others.trials > 0 && (
        <p className="mt-2 text-quiet">{`… and ${formatPlural(others.trials, 'answer')} with ${others.sequences === 0 ? 'other sequences' : formatPlural(others.sequences, 'other sequence')}`}</p>
      )}
    </>
  );
}

interface ShareOptions {
  readonly run: string;
  readonly target: string;
  readonly sequence: ToolSequence;
}

function Share({ run, target, sequence: { calls, measured, passed } }: ShareOptions) {
  if (measured === 0) return <span className="text-quiet">{missing}</span>;
  return (
    <span className="whitespace-nowrap">
      {formatPercent(passed / measured)}{' '}
      <span className="text-quiet">
        <CasesOf
          run={run}
          target={target}
          count={passed}
          where={[whereCalls(calls), equalTo('passed', ['true'])]}
        />
        {` of ${formatCount(measured)}`}
      </span>
    </span>
  );
}

/** Returns the term for the trials with these calls; null for those without a call. */
function whereCalls(calls: string | null): FilterTerm {
  return calls === null ? { field: 'toolCalls', operator: '=', values: [0] } : equalTo('calls', [calls]);
}

function Calls({ calls }: Pick<ToolSequence, 'calls'>) {
  if (calls === null) return <span className="text-quiet">no call</span>;
  const steps = calls.split(nextCall);
  const more = steps.length - mostSteps;
  return (
    <span className="inline-flex min-w-36 flex-wrap sm:min-w-48 items-center gap-x-1 gap-y-1">
      {steps.slice(0, mostSteps).map((step, index) => (
        <span key={index} className="inline-flex items-center gap-1">
          {index > 0 && (
            <span className="text-quiet">
              <span aria-hidden>→</span>
              <span className="sr-only">then</span>
            </span>
          )}
          <PlainText text={step} className="rounded bg-surface px-1.5 font-mono text-[13px] wrap-anywhere" />
        </span>
      ))}
      {more > 0 && <span className="text-quiet">{`… ${formatPlural(more, 'more step')}`}</span>}
    </span>
  );
}
