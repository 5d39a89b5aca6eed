import { nameMeasure } from '../../../../src/look/report/comparison/phrases.ts';
import { formatSigned } from '../../../../src/look/report/comparison/rows.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import {
  measureKey,
  type PairComparison,
  type RunDifference,
} from '../../../../src/core/schema/run-comparison.ts';
import { useDifferences } from '../../data/use-comparison.ts';
import { BottomAxis, LeftAxis } from '../../parts/charts/axes.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { createScale, type Domain, domainOf } from '../../parts/charts/scale.ts';
import { Pending } from '../../parts/skeleton.tsx';
import { Section } from '../../parts/section.tsx';
import { useCompareAddress } from './use-compare-address.ts';

/** The paired differences of all cases in their order, on the measure that the address names. */
export function SpreadSection({ pair }: { readonly pair: PairComparison }) {
  const { address, choice, change } = useCompareAddress();
  const measures = pair.differences.filter(
    ({ measure, difference }) => measure !== 'category' && difference.n > 0,
  );
  const shown = measures.find((row) => measureKey(row) === address.measure) ?? measures[0];
  if (shown === undefined) return null;
  return (
    <Section title="Did a few questions move, or many?">
      <label className="mb-3 flex items-center gap-2 print:hidden">
        <span className="text-quiet">Measure</span>
        <select
          value={measureKey(shown)}
          onChange={({ target }) => change({ measure: target.value })}
          className="h-8 max-w-full min-w-0 rounded-md border border-line bg-page px-2"
        >
          {measures.map((row) => (
            <option key={measureKey(row)} value={measureKey(row)}>
              {plainName(row)}
            </option>
          ))}
        </select>
      </label>
      <Differences choice={choice} row={shown} />
    </Section>
  );
}

function Differences({
  choice,
  row,
}: {
  readonly choice: ReturnType<typeof useCompareAddress>['choice'];
  readonly row: RunDifference;
}) {
  const { data, error, refetch } = useDifferences(choice, measureKey(row));
  if (data === undefined) return <Pending error={error} refetch={refetch} />;
  return (
    <DifferencePlot
      title={`Paired differences on the ${plainName(data)}`}
      steps={data.steps}
      better={data.better}
      format={(difference) => formatSigned(difference, data.unit)}
    />
  );
}

function plainName(row: Pick<RunDifference, 'measure' | 'name'>): string {
  return nameMeasure(row)
    .map((part) => (typeof part === 'string' ? part : part.quoted))
    .join('');
}

/** Pairs next to each other in the order of their differences. */
interface DifferenceStep {
  /** The difference of the pairs, B minus A; their mean when there is more than one. */
  readonly difference: number;
  readonly pairs: number;
}

/** The properties of a difference plot. */
interface DifferencePlotProps {
  readonly title: string;
  /** All pairs, from the lowest difference to the highest. */
  readonly steps: readonly DifferenceStep[];
  readonly format: (difference: number) => string;
  /** The direction that is better; null when neither is. */
  readonly better: 'higher' | 'lower' | null;
}

const height = 200;
const margin = { top: 18, right: 12, bottom: 34, left: 52 };

/** The paired differences of two runs in their order: how many cases lost, how many gained, and how much each. */
function DifferencePlot({ title, steps, format, better }: DifferencePlotProps) {
  const pairs = steps.reduce((sum, step) => sum + step.pairs, 0);
  const countOf = (holds: (difference: number) => boolean) =>
    steps.reduce((sum, step) => sum + (holds(step.difference) ? step.pairs : 0), 0);
  const [lower, higher] = [countOf((value) => value < 0), countOf((value) => value > 0)];
  const [worse, best] = better === 'lower' ? [higher, lower] : [lower, higher];
  const label =
    better === null
      ? `${formatCount(lower)} lower, ${formatCount(higher)} higher, ${formatCount(pairs - lower - higher)} equal`
      : `${formatCount(worse)} worse, ${formatCount(best)} better, ${formatCount(pairs - lower - higher)} equal`;
  return (
    <Chart
      title={title}
      label={`${title}: ${label}.`}
      height={height}
      note={label}
      table={{
        columns: ['Difference, B − A', 'Questions'],
        rows: steps.map((step) => [format(step.difference), formatCount(step.pairs)]),
      }}
    >
      {(width) => {
        const ticks = Math.min(pairs, width / 120);
        const x = createScale([0, Math.max(1, pairs)], [margin.left, width - margin.right], ticks);
        const extent = steps.map(({ difference }) => difference);
        const y = createScale(withZero(domainOf([0, ...extent], 4)), [height - margin.bottom, margin.top], 4);
        let before = 0;
        return (
          <>
            <LeftAxis scale={y} from={margin.left} to={width - margin.right} format={format} name="B − A" />
            <BottomAxis
              scale={x}
              at={height - margin.bottom}
              format={(count) => formatCount(Math.round(count))}
              name="questions, sorted"
            />
            {steps.map((step) => {
              const [left, right] = [x(before), x(before + step.pairs)];
              before += step.pairs;
              const [top, bottom] = [y(Math.max(0, step.difference)), y(Math.min(0, step.difference))];
              return (
                <rect
                  key={before}
                  x={left}
                  width={Math.max(0.5, right - left)}
                  y={top}
                  height={Math.max(0, bottom - top)}
                  shapeRendering="crispEdges"
                  className={colourOf(step.difference, better)}
                />
              );
            })}
            <line
              x1={margin.left}
              x2={width - margin.right}
              y1={y(0)}
              y2={y(0)}
              className="stroke-quiet"
              aria-hidden="true"
            />
          </>
        );
      }}
    </Chart>
  );
}

function withZero([from, to]: Domain): Domain {
  return [Math.min(0, from), Math.max(0, to)];
}

function colourOf(difference: number, better: DifferencePlotProps['better']): string {
  if (better === null) return 'fill-accent';
  return difference > 0 === (better === 'higher') ? 'fill-good' : 'fill-bad';
}
