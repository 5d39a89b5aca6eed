import { MarkedLink } from '../../parts/links/marked-link.tsx';
import { describeVerdict } from '../../../../src/look/report/comparison/phrases.ts';
import { formatLimits, formatPValue, formatSigned } from '../../../../src/look/report/comparison/rows.ts';
import type { PairComparison } from '../../../../src/core/schema/run-comparison.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { VerdictMark } from './finding-mark.tsx';

interface TargetsSectionOptions {
  readonly comparisons: readonly PairComparison[];
  /** The comparison that the page shows in full. */
  readonly shown: PairComparison;
}

/** The comparisons of all targets that two runs share, each leading to its own numbers. */
export function TargetsSection({ comparisons, shown }: TargetsSectionOptions) {
  if (comparisons.length < 2) return null;
  return (
    <Section title="Which target got better?" note="The numbers below are for the marked target.">
      <DataTable
        label="Targets of both runs"
        columns={columns}
        rows={comparisons.map((pair) => ({ pair, isShown: pair === shown }))}
        keyOf={({ pair: { a, b } }) => `${a.target} ${b.target}`}
      />
    </Section>
  );
}

interface TargetRow {
  readonly pair: PairComparison;
  readonly isShown: boolean;
}

const columns: readonly Column<TargetRow>[] = [
  {
    title: 'Target',
    isName: true,
    cell: ({ pair: { a, b }, isShown }) => (
      <MarkedLink
        from="/compare"
        to="/compare"
        search={(before) => ({ ...before, targetA: a.target, targetB: b.target, case: undefined })}
        mark={isShown ? 'true' : undefined}
        className="link aria-[current=true]:font-semibold"
      >
        {isShown && <span aria-hidden>› </span>}
        <PlainText text={a.target} />
        {a.target !== b.target && (
          <>
            {' → '}
            <PlainText text={b.target} />
          </>
        )}
      </MarkedLink>
    ),
  },
  {
    title: 'Verdict',
    cell: ({ pair }) => <VerdictMark outcome={pair.verdict.outcome} word={describeVerdict(pair).outcome} />,
  },
  {
    title: 'B − A',
    align: 'right',
    cell: ({
      pair: {
        differences: [row],
      },
    }) =>
      row !== undefined && (
        <span className="whitespace-nowrap">
          {formatSigned(row.difference.value, row.unit)}{' '}
          <span className="text-quiet max-sm:hidden">{formatLimits(row.difference, row.unit)}</span>
        </span>
      ),
  },
  {
    title: 'p, Holm',
    align: 'right',
    isOptional: true,
    cell: ({
      pair: {
        differences: [row],
      },
    }) => formatPValue(row?.adjustedPValue ?? null),
  },
];
