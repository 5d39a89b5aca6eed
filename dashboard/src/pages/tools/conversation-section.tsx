import { endingWords } from '../../../../src/look/report/conversation-turns.ts';
import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import type { Conversations } from '../../../../src/core/schema/api/tools-view.ts';
import { Histogram } from '../../parts/charts/histogram.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CasesOf } from './cases-of.tsx';
import { wholeBin, within } from './distribution-section.tsx';

interface ConversationSectionOptions {
  readonly run: string;
  readonly target: string;
  readonly conversations: Conversations;
}

type Ending = Conversations['endings'][number];
type Invalidation = Conversations['spoilt'][number];

/** The conversations of a target: their length, how they ended, and those that its simulated user invalidated. */
export function ConversationSection({ run, target, conversations }: ConversationSectionOptions) {
  const { turns, endings, spoilt } = conversations;
  const endingColumns: readonly Column<Ending>[] = [
    { title: 'Ended because', isName: true, cell: ({ ending }) => endingWords[ending].text },
    { title: 'By', cell: ({ ending }) => <span className="text-quiet">{endingWords[ending].side}</span> },
    {
      title: 'Attempts',
      align: 'right',
      cell: ({ ending, trials }) => (
        <CasesOf run={run} target={target} count={trials} where={[equalTo('ending', [ending])]} />
      ),
    },
  ];
  const spoiltColumns: readonly Column<Invalidation>[] = [
    { title: 'Fault of the simulated user', isName: true, cell: ({ kind }) => <PlainText text={kind} /> },
    {
      title: 'First reason',
      cell: ({ reason }) => <PlainText text={reason} className="inline-block min-w-40 wrap-anywhere" />,
    },
    {
      title: 'Attempts',
      align: 'right',
      cell: ({ kind, trials }) => (
        <CasesOf run={run} target={target} count={trials} where={[equalTo('invalid', [kind])]} />
      ),
    },
  ];
  return (
    <Section
      title="How do conversations end?"
      note={
        spoilt.length === 0
          ? undefined
          : 'An attempt that the simulated user invalidated does not count against the target.'
      }
    >
      <div className="grid gap-8 md:grid-cols-2">
        <div className="min-w-0">
          <DataTable label="Endings" columns={endingColumns} rows={endings} keyOf={({ ending }) => ending} />
          {spoilt.length > 0 && (
            <div className="mt-6">
              <DataTable
                label="Invalid attempts"
                columns={spoiltColumns}
                rows={spoilt}
                keyOf={({ kind }) => kind}
              />
            </div>
          )}
        </div>
        {turns.length > 0 && (
          <Histogram
            title="Turns"
            counted="conversations"
            name="turns"
            isWhole
            bins={turns.map(wholeBin)}
            format={(value) => formatCount(value)}
            linkTo={({ from, to }, content) => (
              <FilteredCases
                run={run}
                where={[equalTo('target', [target]), ...within('turns', from + 0.5, to + 0.5)]}
              >
                {content}
              </FilteredCases>
            )}
          />
        )}
      </div>
    </Section>
  );
}
