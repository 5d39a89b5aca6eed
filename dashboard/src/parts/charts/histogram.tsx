import { formatCount } from '../../../../src/report/format.ts';
import { BottomAxis, LeftAxis } from './axes.tsx';
import { Chart } from './chart.tsx';
import { createScale, domainOf } from './scale.ts';

/** The number of values in a part of their range. */
export interface HistogramBin {
  /** The lower end, which belongs to the part. */
  readonly from: number;
  /** The upper end; it belongs to the last part only. */
  readonly to: number;
  readonly count: number;
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
  /** Returns the address of the things that a bar counts. */
  readonly hrefOf?: (bin: HistogramBin) => string;
}

const height = 200;
const margin = { top: 18, right: 12, bottom: 34, left: 44 };

/** A bar for each part of a range, as high as the number of values in it. */
export function Histogram({ title, counted, bins, format, name, hrefOf }: HistogramProps) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const ends = bins.flatMap(({ from, to }) => [from, to]);
  const domain = ends.length === 0 ? ([0, 1] as const) : ([Math.min(...ends), Math.max(...ends)] as const);
  const rangeOf = ({ from, to }: HistogramBin) => `${format(from)} to ${format(to)}`;
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
      table={{
        columns: [name, counted],
        rows: bins.map((bin) => [rangeOf(bin), formatCount(bin.count)]),
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
            <BottomAxis scale={x} from={base} to={base} format={format} name={name} />
            {bins.map((bin) => {
              const [left, right] = [x(bin.from) + 0.5, x(bin.to) - 0.5];
              const bar = (
                <rect
                  x={left}
                  width={Math.max(1, right - left)}
                  y={Math.min(y(bin.count), bin.count > 0 ? base - 1 : base)}
                  height={Math.max(bin.count > 0 ? 1 : 0, base - y(bin.count))}
                  className="fill-accent"
                >
                  <title>{`${rangeOf(bin)}: ${formatCount(bin.count)} ${counted}`}</title>
                </rect>
              );
              return hrefOf === undefined || bin.count === 0 ? (
                <g key={bin.from}>{bar}</g>
              ) : (
                <a key={bin.from} href={hrefOf(bin)} aria-label={`${rangeOf(bin)}: ${bin.count} ${counted}`}>
                  {bar}
                </a>
              );
            })}
          </>
        );
      }}
    </Chart>
  );
}
