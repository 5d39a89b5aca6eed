import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { handlingIn } from '../../../../src/core/trials/trial-traits.ts';
import type { FaultRow } from '../../../../src/core/schema/api/tools-view.ts';
import { conditionName, faultHandlings } from '../../../../src/core/schema/condition.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CasesOf } from './cases-of.tsx';

const signs = { good: '✓', fair: '–', bad: '✗' } as const;

/** The ways in which a target handled the faults in its tools, by kind of fault and tool. */
export function FaultMatrix({ run, faults }: { readonly run: string; readonly faults: readonly FaultRow[] }) {
  const columns: readonly Column<FaultRow>[] = [
    { title: 'Fault', isName: true, cell: (row) => <Name row={row} /> },
    {
      title: 'Answers',
      align: 'right',
      cell: ({ ways, target, tool }) => {
        const labels = Object.keys(ways);
        const count = Object.values(ways).reduce((sum, trials) => sum + trials, 0);
        const any = labels.map((label) => (tool === null ? label : handlingIn(label, tool)));
        return <CasesOf run={run} target={target} count={count} where={[equalTo('handling', any)]} />;
      },
    },
    ...faultHandlings.map(
      ({ label, title, rating }): Column<FaultRow> => ({
        title: `${signs[rating]} ${title}`,
        align: 'right',
        cell: ({ ways, target, tool }) => {
          const handling = tool === null ? label : handlingIn(label, tool);
          return (
            <span className={rating === 'bad' ? 'font-semibold' : ''}>
              <CasesOf
                run={run}
                target={target}
                count={ways[label] ?? 0}
                where={[equalTo('handling', [handling])]}
              />
            </span>
          );
        },
      }),
    ),
  ];
  return (
    <Section
      title="What happens when a tool fails?"
      note="Answers in which a fault was injected, by what the target did about it. An answer counts for each tool that failed in it."
    >
      <DataTable
        label="Faults in tools"
        columns={columns}
        rows={faults}
        keyOf={({ target, tool }) => JSON.stringify([target, tool])}
      />
    </Section>
  );
}

function Name({ row: { condition, tool } }: { readonly row: FaultRow }) {
  // The title of the section makes the word "fault" unnecessary.
  if (tool === null) {
    return (
      <PlainText
        text={conditionName({ ...condition, type: 'perturbation' })}
        className="font-medium whitespace-nowrap"
      />
    );
  }
  return (
    <span className="inline-block min-w-36 pl-4 font-mono text-[13px] wrap-anywhere">
      <span className="sr-only">in </span>
      <PlainText text={tool} />
    </span>
  );
}
