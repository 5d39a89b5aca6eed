import { Link, useNavigate } from '@tanstack/react-router';
import {
  differenceTitle,
  markOf,
  sideNote,
  type SideRow,
  sideRows,
} from '../../../../src/look/report/rows/side-by-side.ts';
import { withoutConditions } from '../../../../src/core/schema/condition.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary } from '../../../../src/core/schema/summary.ts';
import { formatMoney, formatPercent } from '../../../../src/look/report/format.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useReportFile } from '../../data/use-report.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { markBest, ScatterPlot } from '../../parts/charts/scatter-plot.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

interface SideBySideOptions {
  readonly run: Run;
  readonly summary: Summary;
}

/** The targets of a run side by side, paired by question, with the ways to their answers; nothing for a single target. */
export function SideBySideSection({ run, summary }: SideBySideOptions) {
  const rows = sideRows(run, summary);
  if (run.targets.length < 2) return null;
  const targets = summary.targets.map(({ target }) => target);
  const columns: Column<SideRow>[] = [
    {
      title: 'Measure',
      isName: true,
      cell: ({ name, group }) => (
        <>
          {group === 'category' && <span className="text-quiet">category </span>}
          <PlainText text={typeof name === 'string' ? name : name.quoted} />
        </>
      ),
    },
    ...targets.map(
      (target, index): Column<SideRow> => ({
        title: cellName(run, target),
        align: 'right',
        cell: ({ cells }) => {
          const cell = cells[index];
          if (cell === undefined) return null;
          const { text, interval, isBest } = cell;
          const mark = markOf(cell);
          return (
            <span className="whitespace-nowrap">
              {mark !== undefined && (
                <span className={`mr-1 ${isBest ? 'text-good' : 'text-unsure'}`}>
                  <span aria-hidden>{mark.sign}</span>
                  <span className="sr-only">{mark.word}: </span>
                </span>
              )}
              <span className={isBest ? 'font-semibold' : ''}>{text}</span>
              {interval !== '' && <span className="text-quiet max-sm:block max-sm:text-xs"> {interval}</span>}
            </span>
          );
        },
      }),
    ),
    ...(targets.length === 2 ? [differenceColumn(targets)] : []),
  ];
  return (
    <Section title="Which target is better?">
      <Ways run={run} />
      {rows.length > 0 && (
        <>
          <DataTable
            label="Targets side by side"
            columns={columns}
            rows={rows}
            keyOf={({ group, name }) => `${group} ${typeof name === 'string' ? name : name.quoted}`}
          />
          <p className="mt-2 max-w-prose text-xs text-quiet">{sideNote(rows)}</p>
        </>
      )}
      <CostPlot run={run} summary={summary} />
    </Section>
  );
}

/** The links to the answers of the targets side by side, and to the comparison of each with the first. */
function Ways({ run }: Pick<SideBySideOptions, 'run'>) {
  const { id, targets } = run;
  const isFile = useIsFile();
  const file = useReportFile(isFile).data;
  const hasMatrix = !isFile || file?.hasMatrix === true;
  const [first, ...others] = withoutConditions(targets).map(({ name }) => name);
  const navigate = useNavigate();
  const show = () => void navigate({ to: '/matrix', search: { columns: id } });
  useKeys(hasMatrix ? [{ keys: 'm', does: 'Show the answers of the targets side by side', run: show }] : []);
  return (
    <p className="mb-3 flex flex-wrap gap-x-5 gap-y-1 print:hidden">
      {hasMatrix && (
        <Link to="/matrix" search={{ columns: id }} className="link inline-flex min-h-[24px] items-center">
          {isFile ? 'Answers side by side' : 'All answers side by side'}
        </Link>
      )}
      {hasMatrix && others.length > 0 && (
        <Link
          to="/matrix"
          search={{ columns: id, where: 'cells=differ' }}
          className="link inline-flex min-h-[24px] items-center"
        >
          Where they differ
        </Link>
      )}
      {!isFile &&
        others.slice(0, 7).map((other) => (
          <Link
            key={other}
            to="/compare"
            search={{ a: id, b: id, targetA: first, targetB: other }}
            className="link inline-flex min-h-[24px] items-center"
          >
            <span className="min-w-0 wrap-anywhere">
              Compare <PlainText text={cellName(run, first ?? '')} /> with{' '}
              <PlainText text={cellName(run, other)} />
            </span>
          </Link>
        ))}
    </p>
  );
}

/** The cost of a call against the score; nothing unless every target has both. */
function CostPlot({ run, summary: { targets } }: SideBySideOptions) {
  if (run.scorecard === null) return null;
  const points = targets.flatMap(({ target, score, usage: { cost } }) => {
    if (score.value === null || cost.sum === null) return [];
    const perCall = { value: cost.sum / cost.reported, lower: null, upper: null };
    return [
      {
        name: cellName(run, target),
        cost: perCall,
        quality: { value: score.value, lower: score.lower, upper: score.upper },
      },
    ];
  });
  if (points.length < targets.length) return null;
  return (
    <div className="mt-6 max-w-3xl">
      <ScatterPlot
        title="Does a better score cost more?"
        points={markBest(points)}
        costName="Cost per call"
        formatCost={formatMoney}
        qualityName="Score"
        formatQuality={formatPercent}
      />
    </div>
  );
}

function differenceColumn(targets: readonly string[]): Column<SideRow> {
  return {
    title: differenceTitle(targets),
    align: 'right',
    cell: ({ difference }) => <span className="whitespace-nowrap">{difference}</span>,
  };
}
