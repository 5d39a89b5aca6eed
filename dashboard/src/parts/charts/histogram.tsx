import { Fragment, type ReactNode } from 'react';
import { formatCount } from '../../../../src/look/report/format.ts';
import { BottomAxis, LeftAxis } from './axes.tsx';
import { Chart } from './chart.tsx';
import { createScale, domainOf, type Scale } from './scale.ts';

/** The number of values in a part of their range. */
export interface HistogramBin {
  /** The lower end, which belongs to the part. */
  readonly from: number;
  /** The upper end; it belongs to the last part only. */
  readonly to: number;
  readonly count: number;
  /** The name of the part, where its ends do not give it one. */
  readonly label?: string;
  /** True when the part is hidden by a choice of the reader. */
  readonly isFaint?: boolean;
}

/** The properties of a histogram. */
interface HistogramProps {
  readonly title: string;
  /** The plural of what is counted, for example "trials". */
  readonly counted: string;
  readonly bins: readonly HistogramBin[];
  readonly format: (value: number) => string;
  /** The name of the measured quantity. */
  readonly name: string;
  /** A remark below the drawing. */
  readonly note?: string;
  /** True when the values are whole numbers, each in the middle of its bar. */
  readonly isWhole?: boolean;
  /** The height in pixels. */
  readonly height?: number;
  /** Returns a link to the things that a bar counts, around the bar and around their number in the table. */
  readonly linkTo?: (bin: HistogramBin, content: ReactNode) => ReactNode;
}

const margin = { top: 18, right: 24, bottom: 34, left: 44 };

/** A bar for each part of a range, as high as the number of values in it. */
export function Histogram({
  title,
  counted,
  bins,
  format,
  name,
  note,
  isWhole = false,
  height = 200,
  linkTo,
}: HistogramProps) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const ends = bins.flatMap(({ from, to }) => [from, to]);
  const domain = ends.length === 0 ? ([0, 1] as const) : ([Math.min(...ends), Math.max(...ends)] as const);
  const rangeOf = ({ from, to, label }: HistogramBin) => label ?? `${format(from)} to ${format(to)}`;
  const fullest = bins.find(({ count }) => count === most);
  return (
    <Chart
      title={title}
      label={
        fullest === undefined
          ? `${title}: nothing to count.`
          : `${title}. Most ${counted}, ${formatCount(most)}, are at ${rangeOf(fullest)}.`
      }
      height={height}
      hasLinks={linkTo !== undefined}
      note={note}
      table={{
        columns: [name, counted],
        rows: bins.map((bin) => {
          const count = formatCount(bin.count);
          return [rangeOf(bin), linkTo === undefined || bin.count === 0 ? count : linkTo(bin, count)];
        }),
      }}
    >
      {(width) => {
        const x = createScale(domain, [margin.left, width - margin.right], Math.max(2, width / 90));
        const y = createScale(domainOf([0, most], 3), [height - margin.bottom, margin.top], 3);
        const base = height - margin.bottom;
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={(value) => formatCount(Math.round(value))}
              name={counted}
            />
            <BottomAxis
              scale={isWhole ? withTicks(x, x.ticks.filter(Number.isInteger)) : x}
              at={base}
              format={format}
              name={name}
            />
            {bins.map((bin) => {
              const bar = (
                <Bar
                  key={bin.from}
                  bin={bin}
                  x={x}
                  y={y}
                  name={`${rangeOf(bin)}: ${formatCount(bin.count)} ${counted}`}
                />
              );
              return linkTo === undefined || bin.count === 0 ? (
                bar
              ) : (
                <Fragment key={bin.from}>{linkTo(bin, bar)}</Fragment>
              );
            })}
          </>
        );
      }}
    </Chart>
  );
}

interface BarOptions {
  readonly bin: HistogramBin;
  readonly x: Scale;
  readonly y: Scale;
  readonly name: string;
}

/** A bar. What it reacts to is as high as the drawing, since a small bar would be hard to hit. */
function Bar({ bin: { from, to, count, isFaint = false }, x, y, name }: BarOptions) {
  const [left, right, base] = [x(from) + 0.5, x(to) - 0.5, y(0)];
  const width = Math.max(1, right - left);
  return (
    <g className="fill-accent hover:opacity-80">
      <title>{name}</title>
      <rect x={left} width={width} y={margin.top} height={base - margin.top} fill="transparent" />
      <rect
        x={left}
        width={width}
        y={Math.min(y(count), count > 0 ? base - 1 : base)}
        height={Math.max(count > 0 ? 1 : 0, base - y(count))}
        opacity={isFaint ? 0.3 : undefined}
      />
    </g>
  );
}

function withTicks(scale: Scale, ticks: readonly number[]): Scale {
  return Object.assign((value: number) => scale(value), { ticks });
}
