import { Link } from '@tanstack/react-router';
import { describeVerdict } from '../../../../src/report/comparison-phrases.ts';
import { formatLimits, formatPValue, formatSigned } from '../../../../src/report/comparison-rows.ts';
import type { PairComparison } from '../../../../src/schema/run-comparison.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { VerdictMark } from './finding-mark.tsx';

/** The comparisons of all targets that two runs share, each leading to its own numbers. */
export function TargetsSection({ comparisons }: { readonly comparisons: readonly PairComparison[] }) {
  if (comparisons.length < 2) return null;
  return (
    <Section title="Which target got better?">
      <DataTable
        label="Targets of both runs"
        columns={columns}
        rows={comparisons}
        keyOf={({ a, b }) => `${a.target} ${b.target}`}
      />
    </Section>
  );
}

const columns: readonly Column<PairComparison>[] = [
  {
    title: 'Target',
    isName: true,
    cell: ({ a, b }) => (
      <Link
        from="/compare"
        to="/compare"
        search={(before) => ({ ...before, targetA: a.target, targetB: b.target, case: undefined })}
        className="link"
      >
        <PlainText text={a.target} />
        {a.target !== b.target && (
          <>
            {' → '}
            <PlainText text={b.target} />
          </>
        )}
      </Link>
    ),
  },
  {
    title: 'Verdict',
    cell: (pair) => <VerdictMark outcome={pair.verdict.outcome} word={describeVerdict(pair).outcome} />,
  },
  {
    title: 'B − A',
    align: 'right',
    cell: ({ differences: [row] }) =>
      row !== undefined && (
        <span className="whitespace-nowrap">
          {formatSigned(row.difference.value, row.unit)}{' '}
          <span className="text-quiet">{formatLimits(row.difference, row.unit)}</span>
        </span>
      ),
  },
  {
    title: 'p, Holm',
    align: 'right',
    isOptional: true,
    cell: ({ differences: [row] }) => formatPValue(row?.adjustedPValue ?? null),
  },
];
