import { BottomAxis, LeftAxis } from './axes.tsx';
import { Chart } from './chart.tsx';
import { createScale, domainOf, type Scale } from './scale.ts';

/** A run in a trend. */
export interface TrendDot {
  readonly run: string;
  readonly time: string;
  /** Null when it was not measured: the run leaves a gap. */
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** Runs of the same series are comparable, and joined by a line; null for a run that belongs to none. */
  readonly series: number | null;
  /** The change of level at this run, if there was one. */
  readonly change?: { readonly finding: 'better' | 'worse' | 'different'; readonly text: string } | undefined;
  readonly href: string;
  /** A line about the run: its value, its commit. */
  readonly text: string;
}

/** The properties of a trend plot. */
interface TrendPlotProps {
  readonly title: string;
  readonly dots: readonly TrendDot[];
  readonly name: string;
  readonly format: (value: number) => string;
}

const height = 220;
const margin = { top: 22, right: 20, bottom: 34, left: 52 };
const marks = { better: '▲', worse: '▼', different: '◆' };
const markColours = { better: 'fill-good', worse: 'fill-bad', different: 'fill-unsure' };

/** A number over the runs of a dataset, with intervals, and marks where its level changed. */
export function TrendPlot({ title, dots, name, format }: TrendPlotProps) {
  const measured = dots.filter((dot) => dot.value !== null);
  const [first, last] = [measured[0], measured.at(-1)];
  const changes = dots.flatMap(({ change }) => (change === undefined ? [] : [change.text]));
  const label =
    first === undefined || last === undefined
      ? `${title}: nothing was measured.`
      : `${title}. From ${format(first.value ?? 0)} to ${format(last.value ?? 0)} over ${dots.length} runs. ${changes.join(' ')}`;
  return (
    <Chart
      title={title}
      label={label.trim()}
      height={height}
      {...(changes.length > 0 && { note: changes.join(' ') })}
      table={{
        columns: ['Run', 'Time', name],
        rows: dots.map(({ run, time, text, href }) => [
          <a key={run} href={href} className="link">
            {run}
          </a>,
          time,
          text,
        ]),
      }}
    >
      {(width) => {
        const x = createScale([0, Math.max(1, dots.length - 1)], [margin.left + 12, width - margin.right]);
        const y = createScale(
          domainOf(dots.flatMap(({ value, lower, upper }) => [value, lower, upper])),
          [height - margin.bottom, margin.top],
          4,
        );
        const timeAt = (index: number) => (dots[index]?.time ?? '').slice(0, 10);
        const shown = dots.length < 2 ? [0] : [0, dots.length - 1];
        return (
          <>
            <LeftAxis scale={y} from={margin.left} to={width - margin.right} format={format} name={name} />
            <BottomAxis
              scale={Object.assign((index: number) => Math.min(x(index), width - 32), { ticks: shown })}
              from={height - margin.bottom}
              to={height - margin.bottom}
              format={timeAt}
            />
            <SeriesLines dots={dots} x={x} y={y} />
            {dots.map((dot, index) => (
              <Dot key={dot.run} dot={dot} left={x(index)} y={y} />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

function SeriesLines({
  dots,
  x,
  y,
}: {
  readonly dots: readonly TrendDot[];
  readonly x: Scale;
  readonly y: Scale;
}) {
  const lines = Map.groupBy(
    dots.flatMap(({ value, series }, index) =>
      value === null || series === null ? [] : [{ series, point: `${x(index)},${y(value)}` }],
    ),
    ({ series }) => series,
  );
  return Array.from(lines, ([series, points]) => (
    <polyline
      key={series}
      points={points.map(({ point }) => point).join(' ')}
      className="fill-none stroke-accent"
      strokeWidth={1.5}
    />
  ));
}

function Dot({ dot, left, y }: { readonly dot: TrendDot; readonly left: number; readonly y: Scale }) {
  const { value, lower, upper, series, change, href, text } = dot;
  if (value === null) return null;
  return (
    <a href={href} aria-label={text}>
      <title>{text}</title>
      {lower !== null && upper !== null && (
        <line x1={left} x2={left} y1={y(lower)} y2={y(upper)} className="stroke-accent" opacity={0.4} />
      )}
      <circle
        cx={left}
        cy={y(value)}
        r={4}
        className={series === null ? 'fill-page stroke-quiet' : 'fill-accent stroke-page'}
      />
      {change !== undefined && (
        <text x={left} y={y(upper ?? value) - 6} textAnchor="middle" className={markColours[change.finding]}>
          {marks[change.finding]}
        </text>
      )}
    </a>
  );
}
