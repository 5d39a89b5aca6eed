import { useState } from 'react';
import { nameMeasure } from '../../../../src/report/comparison-phrases.ts';
import { formatPairs, groupRows, reachOf } from '../../../../src/report/comparison-parts.ts';
import {
  formatLimits,
  formatMean,
  formatPValue,
  formatSigned,
  formatWins,
  pickRows,
} from '../../../../src/report/comparison-rows.ts';
import { formatCount } from '../../../../src/report/format.ts';
import {
  measureKey,
  type PairComparison,
  type RunDifference,
} from '../../../../src/schema/run-comparison.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { Section } from '../../parts/section.tsx';
import { FindingMark } from './finding-mark.tsx';
import { ZeroPlot } from './zero-plot.tsx';

/** The differences on every measure, by category, and in time and cost. */
export function MeasuresSection({ pair }: { readonly pair: PairComparison }) {
  const [isAll, setIsAll] = useState(false);
  const { rows, more } = pickRows(pair, isAll);
  const { quality, categories, effort } = groupRows({ ...pair, differences: [...rows] });
  const reach = reachOf([...quality, ...categories]);
  const isRuleChanged = rows.some((row) => row.isRuleChanged === true);
  return (
    <Section
      title="By how much, and on which measure?"
      note={isRuleChanged ? '* measured by another rule in A than in B' : undefined}
    >
      <MeasureTable label="Quality" rows={quality} reachOfRow={() => reach} />
      {categories.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">By category</h3>
          <MeasureTable label="By category" rows={categories} reachOfRow={() => reach} />
          {more > 0 && (
            <div className="mt-2">
              <Button onClick={() => setIsAll(true)}>Show {formatCount(more)} more categories</Button>
            </div>
          )}
        </>
      )}
      {effort.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Time and cost</h3>
          <MeasureTable label="Time and cost" rows={effort} reachOfRow={(row) => reachOf([row])} />
        </>
      )}
    </Section>
  );
}

/** The options of {@link MeasureTable}. */
interface MeasureTableOptions {
  readonly label: string;
  readonly rows: readonly RunDifference[];
  readonly reachOfRow: (row: RunDifference) => number;
}

function MeasureTable({ label, rows, reachOfRow }: MeasureTableOptions) {
  const columns: readonly Column<RunDifference>[] = [
    { title: 'Measure', isName: true, cell: (row) => <Name row={row} /> },
    { title: 'A', align: 'right', cell: ({ meanA, unit }) => formatMean(meanA, unit) },
    { title: 'B', align: 'right', cell: ({ meanB, unit }) => formatMean(meanB, unit) },
    {
      title: 'B − A',
      align: 'right',
      cell: ({ difference, unit }) => (
        <span className="font-medium whitespace-nowrap">{formatSigned(difference.value, unit)}</span>
      ),
    },
    {
      title: 'Interval',
      cell: ({ difference, unit }) => (
        <span className="whitespace-nowrap text-quiet">{formatLimits(difference, unit)}</span>
      ),
    },
    {
      title: 'Difference around 0',
      isOptional: true,
      hidesTitle: true,
      cell: (row) => <ZeroPlot row={row} reach={reachOfRow(row)} />,
    },
    { title: 'Finding', cell: (row) => <FindingMark row={row} /> },
    {
      title: 'p, Holm',
      align: 'right',
      isOptional: true,
      cell: ({ adjustedPValue }) => formatPValue(adjustedPValue),
    },
    { title: 'n', align: 'right', isOptional: true, cell: formatPairs },
    {
      title: 'Better / worse / equal',
      align: 'right',
      isOptional: true,
      cell: (row) => <span className="whitespace-nowrap text-quiet">{formatWins(row)}</span>,
    },
  ];
  return <DataTable label={label} columns={columns} rows={rows} keyOf={measureKey} />;
}

function Name({ row }: { readonly row: RunDifference }) {
  const [first, ...rest] = nameMeasure(row);
  // The heading above says already that these are categories.
  const phrase = row.measure === 'category' || first === undefined ? rest : [first, ...rest];
  return (
    <span className="wrap-anywhere">
      <PhraseText phrase={phrase} />
      {row.isRuleChanged === true && <span className="text-unsure"> *</span>}
    </span>
  );
}
