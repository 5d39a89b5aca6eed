import { formatInterval } from '../../../../src/look/report/format.ts';
import type { Reliability } from '../../../../src/core/schema/estimate.ts';
import { BottomAxis, LeftAxis } from './axes.tsx';
import { Chart } from './chart.tsx';
import { createScale } from './scale.ts';

/** The properties of a plot of pass@k and pass^k. */
interface PassKPlotProps {
  readonly title: string;
  readonly levels: Reliability['levels'];
}

const height = 220;
const margin = { top: 18, right: 64, bottom: 34, left: 48 };
const lineHeight = 13;
const percent = (share: number) => `${Math.round(100 * share)} %`;

const curves = [
  { measure: 'any', name: 'pass@k', line: 'stroke-quiet', dot: 'fill-quiet', text: 'fill-quiet', side: -1 },
  { measure: 'all', name: 'pass^k', line: 'stroke-accent', dot: 'fill-accent', text: 'fill-accent', side: 1 },
] as const;

/** The share of cases with at least one pass in k attempts, and with k passes in k attempts, for each k, with intervals. */
export function PassKPlot({ title, levels }: PassKPlotProps) {
  const [first, last] = [levels[0], levels.at(-1)];
  const label =
    first === undefined || last === undefined
      ? `${title}: no attempts were measured.`
      : `${title}. pass^${last.k} is ${formatInterval(last.all)}; pass@${last.k} is ${formatInterval(last.any)}.`;
  return (
    <Chart
      title={title}
      label={label}
      height={height}
      note="pass^k: all of k attempts pass. pass@k: at least one does."
      table={{
        columns: ['k', 'pass^k', 'pass@k', 'cases'],
        rows: levels.map(({ k, any, all }) => [k, formatInterval(all), formatInterval(any), all.n]),
      }}
    >
      {(width) => {
        const x = createScale([1, Math.max(2, last?.k ?? 2)], [margin.left + 8, width - margin.right]);
        const y = createScale([0, 1], [height - margin.bottom, margin.top], 4);
        // The names of curves that end at nearly the same place stand above and below it.
        const gap = y(last?.all.value ?? 0) - y(last?.any.value ?? 1);
        const shift = Math.max(0, (lineHeight - gap) / 2);
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={percent}
              name="share of questions"
            />
            <BottomAxis
              scale={Object.assign((value: number) => x(value), { ticks: levels.map(({ k }) => k) })}
              at={height - margin.bottom}
              format={String}
              name="k"
            />
            {curves.map(({ measure, name, line, dot, text, side }) => {
              const points = levels.flatMap((level) => {
                const { value, lower, upper } = level[measure];
                return value === null ? [] : [{ k: level.k, value, lower, upper }];
              });
              const end = points.at(-1);
              return (
                <g key={measure}>
                  {points.map(({ k, value, lower, upper }) => (
                    <g key={k}>
                      {lower !== null && upper !== null && (
                        <line
                          x1={x(k)}
                          x2={x(k)}
                          y1={y(lower)}
                          y2={y(upper)}
                          className={line}
                          opacity={0.5}
                        />
                      )}
                      <circle cx={x(k)} cy={y(value)} r={3.5} className={dot} />
                    </g>
                  ))}
                  <polyline
                    points={points.map(({ k, value }) => `${x(k)},${y(value)}`).join(' ')}
                    className={`fill-none ${line}`}
                    strokeWidth={1.5}
                  />
                  {end !== undefined && (
                    <text x={x(end.k) + 8} y={y(end.value) + 4 + side * shift} className={text}>
                      {name}
                    </text>
                  )}
                </g>
              );
            })}
          </>
        );
      }}
    </Chart>
  );
}
