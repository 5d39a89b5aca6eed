import { hasInterval } from '../../../../src/report/format.ts';
import type { RunDifference } from '../../../../src/schema/run-comparison.ts';

/** The options of {@link ZeroPlot}. */
interface ZeroPlotOptions {
  readonly row: RunDifference;
  /** The value at both ends of the axis, whose middle is 0. */
  readonly reach: number;
}

const width = 200;
const height = 20;
const margin = 4;

const colours: Partial<Record<RunDifference['finding'], string>> = {
  better: 'text-good',
  worse: 'text-bad',
  different: 'text-accent',
};

/**
 * A difference on an axis around 0: its interval as a line, its value as a mark. It stands in a table beside the same
 * numbers in digits, so it is no image of its own for a screen reader.
 */
export function ZeroPlot({ row: { difference, finding }, reach }: ZeroPlotOptions) {
  const place = (value: number): number => {
    const share = Math.min(1, Math.max(-1, value / reach));
    return width / 2 + share * (width / 2 - margin);
  };
  const middle = height / 2;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`h-5 w-full min-w-28 max-w-72 ${colours[finding] ?? 'text-quiet'}`}
    >
      <line x1={margin} x2={width - margin} y1={middle} y2={middle} className="stroke-line" />
      <line x1={width / 2} x2={width / 2} y1={0} y2={height} className="stroke-quiet" strokeDasharray="2 2" />
      {hasInterval(difference) && (
        <line
          x1={place(difference.lower)}
          x2={place(difference.upper)}
          y1={middle}
          y2={middle}
          className="stroke-current opacity-50"
          strokeWidth={5}
          strokeLinecap="round"
        />
      )}
      {difference.value !== null && (
        <line
          x1={place(difference.value)}
          x2={place(difference.value)}
          y1={4}
          y2={height - 4}
          className="stroke-current"
          strokeWidth={2.5}
          strokeLinecap="round"
        />
      )}
    </svg>
  );
}
