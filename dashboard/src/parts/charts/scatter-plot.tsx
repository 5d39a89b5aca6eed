import { BottomAxis, LeftAxis } from './axes.tsx';
import { Chart } from './chart.tsx';
import { type PlacedLabel, placeLabels } from './place-labels.ts';
import { createScale, domainOf, type Scale } from './scale.ts';

/** A value with the limits of its interval, where it has one. */
export interface ScatterValue {
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A point of a scatter plot. */
export interface ScatterPoint {
  readonly name: string;
  readonly cost: ScatterValue;
  readonly quality: ScatterValue;
  /** True when no other point is both cheaper and better. */
  readonly isBest: boolean;
}

/** The properties of a plot of cost against quality. */
interface ScatterPlotProps {
  readonly title: string;
  readonly points: readonly ScatterPoint[];
  readonly costName: string;
  readonly formatCost: (value: number) => string;
  readonly qualityName: string;
  readonly formatQuality: (value: number) => string;
}

const height = 260;
const margin = { top: 20, right: 24, bottom: 36, left: 52 };

/** Returns points with the mark of those that no other point beats on both cost and quality. */
export function markBest(points: readonly Omit<ScatterPoint, 'isBest'>[]): ScatterPoint[] {
  return points.map((point) => ({
    ...point,
    isBest: !points.some(
      ({ cost, quality }) =>
        cost.value <= point.cost.value &&
        quality.value >= point.quality.value &&
        (cost.value < point.cost.value || quality.value > point.quality.value),
    ),
  }));
}

/** The cost of each target against its quality, with intervals. Cheap and good targets are at the upper left. */
export function ScatterPlot({
  title,
  points,
  costName,
  formatCost,
  qualityName,
  formatQuality,
}: ScatterPlotProps) {
  const formatWith = (format: (value: number) => string, { value, lower, upper }: ScatterValue) =>
    lower === null || upper === null
      ? format(value)
      : `${format(value)} [${format(lower)}, ${format(upper)}]`;
  const best = points.filter(({ isBest }) => isBest).map(({ name }) => name);
  return (
    <Chart
      title={title}
      label={`${title}. No other target is both cheaper and better than ${best.join(', ') || 'any'}.`}
      height={height}
      note="A filled point: no other target is both cheaper and better."
      table={{
        columns: ['Target', qualityName, costName],
        rows: points.map(({ name, cost, quality }) => [
          name,
          formatWith(formatQuality, quality),
          formatWith(formatCost, cost),
        ]),
      }}
    >
      {(width) => {
        const ends = (pick: (point: ScatterPoint) => ScatterValue) =>
          points.flatMap((point) => Object.values(pick(point)) as (number | null)[]);
        const x = createScale(
          domainOf([0, ...ends(({ cost }) => cost)]),
          [margin.left, width - margin.right],
          Math.max(2, width / 120),
        );
        const y = createScale(domainOf(ends(({ quality }) => quality)), [height - margin.bottom, margin.top]);
        const labels = placeLabels(
          points.map(({ name, cost, quality }) => ({ name, x: x(cost.value), y: y(quality.value) })),
          { left: margin.left, right: width, top: 0, bottom: height - margin.bottom },
        );
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={formatQuality}
              name={qualityName}
            />
            <BottomAxis scale={x} at={height - margin.bottom} format={formatCost} name={costName} />
            {points.map((point, index) => (
              <Point key={point.name} point={point} x={x} y={y} label={labels[index]} />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

interface PointOptions {
  readonly point: ScatterPoint;
  readonly x: Scale;
  readonly y: Scale;
  readonly label: PlacedLabel | undefined;
}

/** A point with its name, and its intervals as lines. */
function Point({ point: { name, cost, quality, isBest }, x, y, label }: PointOptions) {
  const [left, top] = [x(cost.value), y(quality.value)];
  return (
    <g>
      {quality.lower !== null && quality.upper !== null && (
        <line
          x1={left}
          x2={left}
          y1={y(quality.lower)}
          y2={y(quality.upper)}
          className="stroke-accent"
          opacity={0.5}
        />
      )}
      {cost.lower !== null && cost.upper !== null && (
        <line
          x1={x(cost.lower)}
          x2={x(cost.upper)}
          y1={top}
          y2={top}
          className="stroke-accent"
          opacity={0.5}
        />
      )}
      <circle
        cx={left}
        cy={top}
        r={5}
        className={isBest ? 'fill-accent stroke-accent' : 'fill-page stroke-accent'}
        strokeWidth={1.5}
      />
      {label !== undefined && (
        <text x={label.x} y={label.y} textAnchor={label.anchor} className="fill-text">
          {label.text === name ? null : <title>{name}</title>}
          {label.text}
        </text>
      )}
    </g>
  );
}
