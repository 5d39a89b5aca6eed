import type { Estimate } from '../../schema/estimate.ts';
import { formatQuantity } from '../../report/format/format-quantity.ts';
import { hasInterval } from '../../report/format/format-number.ts';
import { type Line, span, type Tone } from '../terminal/line.ts';

/** Columns of a drawn interval. */
const columns = 24;

/** From which number to which all estimates of a trend are drawn. */
export interface PlotAxis {
  readonly from: number;
  readonly to: number;
}

/** An axis on which all estimates have room: for shares between round tens of points. null when there is nothing to draw. */
export function axisOf(estimates: readonly Estimate[], unit: string | undefined): PlotAxis | null {
  const ends = estimates.flatMap((estimate) => {
    if (estimate.value === null) return [];
    return hasInterval(estimate) ? [estimate.lower, estimate.value, estimate.upper] : [estimate.value];
  });
  if (ends.length === 0) return null;
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (unit !== undefined) return most > least ? { from: least, to: most } : { from: least - 1, to: most + 1 };
  const from = Math.max(0, Math.floor(least * 10 + 1e-9) / 10);
  return {
    from: Math.min(from, 0.9),
    to: Math.min(1, Math.max(Math.ceil(most * 10 - 1e-9) / 10, from + 0.1)),
  };
}

/** The title over a column of drawn intervals: the ends of the axis. */
export function axisTitle({ from, to }: PlotAxis, unit: string | undefined): string {
  const [left, right] = [from, to].map((end) =>
    unit === undefined ? `${Math.round(end * 100)} %` : formatQuantity(end, unit),
  ) as [string, string];
  return `${left}${' '.repeat(Math.max(1, columns - left.length - right.length))}${right}`;
}

/** Draws an estimate on an axis: a dot for the value on a line for the interval. Empty without a value. */
export function plotOn({ from, to }: PlotAxis, estimate: Estimate, tone: Tone | undefined): Line {
  if (estimate.value === null) return [];
  const place = (number: number) => {
    const share = (number - from) / (to - from);
    return Math.min(columns - 1, Math.max(0, Math.round(share * (columns - 1))));
  };
  const dot = place(estimate.value);
  const [start, end] = hasInterval(estimate) ? [place(estimate.lower), place(estimate.upper)] : [dot, dot];
  return [
    span('·'.repeat(Math.min(start, dot)), 'quiet'),
    span('─'.repeat(Math.max(0, dot - start)), tone),
    span('●', tone),
    span('─'.repeat(Math.max(0, end - dot)), tone),
    span('·'.repeat(columns - 1 - Math.max(end, dot)), 'quiet'),
  ];
}
