import { hasInterval } from '../../../src/look/report/format.ts';
import type { Estimate } from '../../../src/core/schema/estimate.ts';

interface IntervalPlotOptions {
  readonly estimate: Estimate;
  /** The ends of the axis; 0 and 1 for shares. */
  readonly domain?: readonly [number, number];
  /** A value to draw a line at, such as the pass mark. */
  readonly mark?: number;
  /** The class of its colour. */
  readonly colour?: string;
}

const width = 160;
const height = 16;
const margin = 4;

/**
 * An estimate on an axis: its interval as a line, its value as a dot. It belongs in a table next to the same numbers in
 * digits, so it is no image of its own for a screen reader.
 */
export function IntervalPlot({
  estimate,
  domain: [from, to] = [0, 1],
  mark,
  colour = 'text-accent',
}: IntervalPlotOptions) {
  const place = (value: number): number => {
    const share = to === from ? 0.5 : (value - from) / (to - from);
    return margin + Math.min(1, Math.max(0, share)) * (width - 2 * margin);
  };
  const middle = height / 2;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      className={`h-4 w-full max-w-64 min-w-24 ${colour}`}
      preserveAspectRatio="none"
    >
      <line x1={margin} x2={width - margin} y1={middle} y2={middle} className="stroke-line" strokeWidth={1} />
      {mark !== undefined && (
        <line
          x1={place(mark)}
          x2={place(mark)}
          y1={2}
          y2={height - 2}
          className="stroke-quiet"
          strokeDasharray="2 2"
        />
      )}
      {hasInterval(estimate) && (
        <line
          x1={place(estimate.lower)}
          x2={place(estimate.upper)}
          y1={middle}
          y2={middle}
          className="stroke-current opacity-50"
          strokeWidth={5}
          strokeLinecap="round"
        />
      )}
      {estimate.value !== null && (
        <line
          x1={place(estimate.value)}
          x2={place(estimate.value)}
          y1={2}
          y2={height - 2}
          className="stroke-current"
          strokeWidth={2.5}
          strokeLinecap="round"
        />
      )}
    </svg>
  );
}
