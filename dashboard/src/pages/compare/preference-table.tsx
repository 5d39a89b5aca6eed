import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatInterval, formatPercent } from '../../../../src/look/report/format.ts';
import { formatKappa } from '../../../../src/look/report/comparison/preferences.ts';
import type { PreferenceChoice, PreferenceView } from '../../../../src/core/schema/api/preference/view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { writeNumber } from './use-compare-address.ts';

type Pair = PreferenceView['pairs'][number];

/** A pair of targets with its place in the comparison. */
interface PairRow {
  readonly id: string;
  readonly place: number;
  readonly pair: Pair;
  /** Cohen's kappa of each judge with people; empty for the comparison of a judge. */
  readonly kappas: readonly string[];
}

/** The pairs of targets of a comparison; every number leads to the cases behind it. */
export function PreferenceTable({ view, label }: { readonly view: PreferenceView; readonly label: string }) {
  const rows = view.pairs.map(
    (pair, place): PairRow => ({
      id: view.id,
      place,
      pair,
      kappas: 'judges' in pair ? pair.judges.map(({ kappa }) => formatKappa(kappa)) : [],
    }),
  );
  const isByPeople = view.by === 'people';
  return (
    <DataTable
      label={label}
      columns={isByPeople ? [...columns, ...peopleColumns] : [...columns, ...judgeColumns]}
      rows={rows}
      keyOf={({ place }) => String(place)}
    />
  );
}

function Count({
  row: { id, place },
  choice,
  children,
}: {
  readonly row: PairRow;
  readonly choice: PreferenceChoice;
  readonly children: ReactNode;
}) {
  return (
    <Link
      from="/compare"
      to="/compare"
      search={(before) => ({ ...before, prefers: writeNumber({ id, pair: place, choice }), case: undefined })}
      resetScroll={false}
      className="link"
    >
      {children}
    </Link>
  );
}

const columns: readonly Column<PairRow>[] = [
  {
    title: 'Targets',
    isName: true,
    cell: ({ pair: { a, b } }) => (
      <span className="inline-block min-w-32 wrap-anywhere">
        <PlainText text={a} /> <span className="text-quiet">against</span> <PlainText text={b} />
      </span>
    ),
  },
  {
    title: 'The first wins',
    align: 'right',
    cell: ({ pair: { winRate } }) => (
      <>
        {formatPercent(winRate.value)} <span className="text-quiet">{formatInterval(winRate)}</span>
      </>
    ),
  },
  {
    title: 'Plot of the win rate',
    hidesTitle: true,
    isOptional: true,
    cell: ({ pair: { winRate } }) => <IntervalPlot estimate={winRate} mark={0.5} />,
  },
  {
    title: 'Wins',
    align: 'right',
    cell: (row) => (
      <Count row={row} choice="wins">
        {formatCount(row.pair.wins)}
      </Count>
    ),
  },
  {
    title: 'Ties',
    align: 'right',
    cell: (row) => (
      <Count row={row} choice="ties">
        {formatCount(row.pair.ties)}
      </Count>
    ),
  },
  {
    title: 'Losses',
    align: 'right',
    cell: (row) => (
      <Count row={row} choice="losses">
        {formatCount(row.pair.losses)}
      </Count>
    ),
  },
  {
    title: 'Not measured',
    align: 'right',
    cell: (row) => (
      <Count row={row} choice="not-measured">
        {formatCount(row.pair.planned - row.pair.measured)}
      </Count>
    ),
  },
];

const judgeColumns: readonly Column<PairRow>[] = [
  {
    title: 'Flips',
    align: 'right',
    cell: (row) => {
      const { swapped, consistent } = row.pair.position;
      if (swapped === 0) return <span className="text-quiet">asked once</span>;
      return (
        <Count row={row} choice="flips">
          {formatCount(swapped - consistent)}
        </Count>
      );
    },
  },
  { title: 'For first, second', align: 'right', isOptional: true, cell: sidesText },
];

const peopleColumns: readonly Column<PairRow>[] = [
  { title: 'For first, second', align: 'right', isOptional: true, cell: sidesText },
  {
    title: 'κ with the judge',
    align: 'right',
    cell: ({ kappas }) =>
      kappas.length === 0 ? (
        <span className="text-quiet">not compared</span>
      ) : (
        <PlainText text={kappas.join('; ')} />
      ),
  },
];

/** The preferences for a position: of a judge those that contradict the other order, of people all. */
function sidesText({ pair: { position } }: PairRow): string {
  const { toFirst, toSecond, pValue } = position;
  const test = pValue === null ? '' : `, p ${pValue.toFixed(3)}`;
  return `${formatCount(toFirst)}, ${formatCount(toSecond)}${test}`;
}
