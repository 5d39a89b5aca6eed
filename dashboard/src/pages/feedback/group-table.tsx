import { formatCount, formatPercent, formatPoints, missing } from '../../../../src/look/report/format.ts';
import type { FeedbackGroupView, FeedbackInterval } from '../../../../src/core/schema/api/feedback-view.ts';
import type { Estimate } from '../../../../src/core/schema/estimate.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SaidLink } from './said-link.tsx';

/** Returns an interval of the statistics as an estimate. */
export function estimateOf({ estimate, caution: _caution, reason, ...rest }: FeedbackInterval): Estimate {
  return { ...rest, value: estimate, ...(reason !== undefined && { reason }) };
}

/** Formats the limits of a share: `[12.0, 34.0]`; empty where there are none. */
export function limitsOf({ lower, upper }: FeedbackInterval): string {
  return lower === null || upper === null ? '' : `[${formatPoints(lower)}, ${formatPoints(upper)}]`;
}

/** Formats the bounds of the share among all users. */
export function boundsOf({ bounds }: Pick<FeedbackGroupView, 'bounds'>): string {
  return bounds === null ? missing : `${formatPoints(bounds.lower)} to ${formatPercent(bounds.upper)}`;
}

interface GroupTableOptions {
  readonly label: string;
  /** The title of the first column. */
  readonly first: string;
  readonly groups: readonly FeedbackGroupView[];
  readonly nameOf: (group: FeedbackGroupView) => string;
}

/** Groups of answers with what users said of them; every number leads to its answers. */
export function GroupTable({ label, first, groups, nameOf }: GroupTableOptions) {
  return (
    <DataTable
      label={label}
      rows={groups}
      keyOf={({ period, category, target }) => JSON.stringify([period, category, target])}
      columns={[{ title: first, isName: true, cell: (group) => <Name text={nameOf(group)} /> }, ...columns]}
    />
  );
}

function Name({ text }: { readonly text: string }) {
  return <PlainText text={text} className="inline-block min-w-24 wrap-anywhere" />;
}

const columns: readonly Column<FeedbackGroupView>[] = [
  {
    title: 'Answers',
    align: 'right',
    cell: (group) => (
      <SaidLink group={group} said="every">
        {formatCount(group.answers)}
      </SaidLink>
    ),
  },
  {
    title: 'Rated',
    align: 'right',
    cell: (group) => (
      <>
        <SaidLink group={group} said="rated">
          {formatCount(group.negative.n)}
        </SaidLink>{' '}
        <span className="text-quiet">{formatPercent(group.responseRate.estimate)}</span>
      </>
    ),
  },
  { title: 'Negative', align: 'right', cell: (group) => <Negative group={group} /> },
  {
    title: 'Plot of the negative share',
    hidesTitle: true,
    isOptional: true,
    cell: ({ negative }) => <IntervalPlot estimate={estimateOf(negative)} />,
  },
  {
    title: 'Of all users',
    align: 'right',
    cell: (group) => <span className="text-quiet">{boundsOf(group)}</span>,
  },
  {
    title: 'Edited',
    align: 'right',
    cell: (group) => (
      <SaidLink group={group} said="edited">
        {formatCount(group.edited)}
      </SaidLink>
    ),
  },
  {
    title: 'Escalated',
    align: 'right',
    cell: (group) => (
      <SaidLink group={group} said="escalated">
        {formatCount(group.escalated)}
      </SaidLink>
    ),
  },
];

function Negative({ group }: { readonly group: FeedbackGroupView }) {
  const { negative } = group;
  if (negative.estimate === null) return <span className="text-quiet">not measured</span>;
  return (
    <>
      <SaidLink group={group} said="negative">
        {formatPercent(negative.estimate)}
      </SaidLink>{' '}
      <span className="text-quiet">{limitsOf(negative)}</span>
    </>
  );
}
