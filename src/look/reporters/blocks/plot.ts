import type { Estimate } from '../../../core/schema/estimate.ts';
import { formatQuantity, hasInterval } from '../../report/format.ts';
import { span, type Text, type Tone } from './text.ts';

/** The axis on which all estimates of a column are plotted. */
export interface PlotAxis {
  readonly from: number;
  readonly to: number;
  /** The width in columns. */
  readonly columns: number;
}

/** The axis of shares: 0 to 100 %. */
export const shareAxis: PlotAxis = { from: 0, to: 1, columns: 16 };

const widest = 24;

/** Returns an axis that fits all estimates, for shares rounded to ten points; null when there is nothing to plot. */
export function axisOf(estimates: readonly Estimate[], unit: string | undefined): PlotAxis | null {
  const ends = estimates.flatMap((estimate) => {
    if (estimate.value === null) return [];
    return hasInterval(estimate) ? [estimate.lower, estimate.value, estimate.upper] : [estimate.value];
  });
  if (ends.length === 0) return null;
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const axis = (from: number, to: number): PlotAxis => ({ from, to, columns: widest });
  if (unit !== undefined) return most > least ? axis(least, most) : axis(least - 1, most + 1);
  const from = Math.max(0, Math.floor(least * 10 + 1e-9) / 10);
  return axis(Math.min(from, 0.9), Math.min(1, Math.max(Math.ceil(most * 10 - 1e-9) / 10, from + 0.1)));
}

/** Returns the title of a column of plotted intervals: the ends of the axis. */
export function axisTitle({ from, to, columns }: PlotAxis, unit?: string): string {
  const [left, right] = [from, to].map((end) =>
    unit === undefined ? `${Math.round(end * 100)} %` : formatQuantity(end, unit),
  ) as [string, string];
  return `${left}${' '.repeat(Math.max(1, columns - left.length - right.length))}${right}`;
}

/** Plots an estimate on an axis: a dot for the value on a line for the interval. Empty without a value. */
export function plotOn({ from, to, columns }: PlotAxis, estimate: Estimate, tone: Tone | undefined): Text {
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

/** Plots a share from 0 to 100 %; empty for a value that is none. */
export function plotShare(estimate: Estimate, tone: Tone | undefined): Text {
  const { value } = estimate;
  return value !== null && value >= 0 && value <= 1 ? plotOn(shareAxis, estimate, tone) : [];
}
