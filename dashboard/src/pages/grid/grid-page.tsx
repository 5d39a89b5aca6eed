import { getRouteApi, linkOptions } from '@tanstack/react-router';
import type { Grid, GridCell, GridEffect } from '../../../../src/core/schema/api/comparison/grid.ts';
import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatMoney, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import {
  arrangeGrid,
  cellText,
  describeBasis,
  describeCheaper,
  describeDominated,
  describeEffect,
  frontLegend,
  type GridTable,
  levelsOf,
} from '../../../../src/look/report/grid/describe-grid.ts';
import { useGrids } from '../../data/use-grid.ts';
import { RunHead } from '../../layout/run-head.tsx';
import { ScatterPlot } from '../../parts/charts/scatter-plot.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { FilteredCases } from '../../parts/filtered-cases.tsx';
import { TargetChoice } from '../../parts/links/choice-links.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

const route = getRouteApi('/runs/$run/grid');

/** The page of a grid of settings: its combinations, the effects of its settings, and what they cost. */
export function GridPage() {
  const { run } = route.useParams();
  const { of, within } = route.useSearch();
  const { data, error, refetch } = useGrids(run, within);
  const grids = data?.grids ?? [];
  const grid = grids.find((each) => each.of === of) ?? grids[0];
  return (
    <>
      <RunHead run={run} title="Grid of settings" />
      {grid !== undefined ? (
        <>
          <TargetChoice
            targets={grids.map((each) => each.of)}
            chosen={grid.of}
            linkTo={(target) =>
              linkOptions({ to: '/runs/$run/grid', params: { run }, search: { of: target } })
            }
          />
          <Cells run={run} grid={grid} />
          <Effects grid={grid} />
          <Front grid={grid} />
        </>
      ) : (
        <Pending error={error} refetch={refetch} />
      )}
    </>
  );
}

/** The combinations, with a choice of the setting across and of the levels of others. */
function Cells({ run, grid }: { readonly run: string; readonly grid: Grid }) {
  const { across = grid.settings.at(-1)?.name ?? '', where = '', within } = route.useSearch();
  const navigate = route.useNavigate();
  const fixed = Object.fromEntries(new URLSearchParams(where));
  const others = grid.settings.filter(({ name }) => name !== across);
  const table = arrangeGrid(grid, { across, fixed });
  const change = (search: {
    readonly across?: string;
    readonly where?: string;
    readonly within?: number;
  }): void => {
    void navigate({
      search: (before) => ({ ...before, ...search }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Section title="Which combination is best?" note={frontLegend}>
      <div className="mb-3 flex flex-wrap gap-x-4 gap-y-2">
        {grid.settings.length > 1 && (
          <Choice
            label="Columns"
            value={across}
            options={grid.settings.map(({ name }) => [name, name])}
            onChoose={(name) => change({ across: name, where: undefined })}
          />
        )}
        {others.length > 1 &&
          others.map(({ name, levels }) => (
            <Choice
              key={name}
              label={name}
              value={fixed[name] ?? ''}
              options={[['', 'all'], ...levels.map((level) => [level, level] as const)]}
              onChoose={(level) => {
                const levelsSo = new URLSearchParams({ ...fixed, [name]: level });
                if (level === '') levelsSo.delete(name);
                change({ where: levelsSo.toString() || undefined });
              }}
            />
          ))}
        <Choice
          label="Cheaper, and worse by at most"
          value={String(within ?? '')}
          options={[
            ['', 'off'],
            ...[...new Set([1, 2, 3, 5, 10, ...(within === undefined ? [] : [within])])].map(
              (points) => [String(points), formatPlural(points, 'point')] as const,
            ),
          ]}
          onChoose={(points) => change({ within: points === '' ? undefined : Number(points) })}
        />
      </div>
      <DataTable
        label="Combinations"
        columns={columnsOf(run, table)}
        rows={table.rows}
        keyOf={({ name }) => name}
        isCompact
      />
      {[...describeDominated(grid), ...describeCheaper(grid)].map((phrase, index) => (
        <p key={index} className="mt-1 text-quiet">
          <PhraseText phrase={phrase} />
        </p>
      ))}
    </Section>
  );
}

function columnsOf(run: string, { title, columns }: GridTable): Column<GridTable['rows'][number]>[] {
  return [
    { title, isName: true, cell: ({ name }) => <PlainText text={name} /> },
    ...columns.map(
      (level, index): Column<GridTable['rows'][number]> => ({
        title: level,
        align: 'right',
        cell: ({ cells }) => <Cell run={run} cell={cells[index]} />,
      }),
    ),
  ];
}

/** A score, which leads to its answers, with its interval and cost. */
function Cell({ run, cell }: { readonly run: string; readonly cell: GridCell | undefined }) {
  if (cell === undefined) return <span className="text-quiet">not asked</span>;
  const { mark, score, limits, cost } = cellText(cell);
  return (
    <>
      {mark}{' '}
      <FilteredCases run={run} where={[equalTo('target', [cell.target])]} title={cell.target}>
        {score}
      </FilteredCases>
      <span className="block text-xs text-quiet">
        {limits} <span className="max-sm:block">{cost}</span>
      </span>
    </>
  );
}

interface ChoiceOptions {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceOptions) {
  return (
    <label className="flex items-center gap-2 text-quiet">
      <PlainText text={label} />
      <select
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="h-8 max-w-56 rounded-md border border-line bg-page px-2 text-text"
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The effects of the settings: all main effects, and the interactions that are shown. */
function Effects({ grid }: { readonly grid: Grid }) {
  const isListed = ({ kind, finding }: GridEffect) => kind === 'main' || finding !== 'not-shown';
  return (
    <Section title="Which setting matters?">
      <ul className="space-y-1">
        {grid.effects.filter(isListed).map((effect, index) => (
          <li key={index} className="wrap-anywhere">
            <PhraseText phrase={describeEffect(effect)} />
          </li>
        ))}
      </ul>
      <p className="mt-2 max-w-prose text-quiet">{describeBasis(grid).join(' ')}</p>
    </Section>
  );
}

/** The cost of each combination against its score; nothing unless all of both are known. */
function Front({ grid: { cells } }: { readonly grid: Grid }) {
  const points = cells.flatMap(({ levels, score, cost, costLimits, front }) =>
    score.value === null || cost === null
      ? []
      : [
          {
            name: levelsOf({ levels }),
            cost: { value: cost, lower: costLimits?.lower ?? null, upper: costLimits?.upper ?? null },
            quality: { value: score.value, lower: score.lower, upper: score.upper },
            isBest: front === 'on',
          },
        ],
  );
  if (points.length < cells.length) return null;
  return (
    <div className="mt-10 max-w-3xl">
      <ScatterPlot
        title="What does a better score cost?"
        points={points}
        costName="Cost per attempt"
        formatCost={formatMoney}
        qualityName="Score"
        formatQuality={formatPercent}
      />
    </div>
  );
}
