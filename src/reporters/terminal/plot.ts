import type { Estimate } from '../../schema/estimate.ts';
import { hasInterval } from '../../report/format/format-number.ts';
import { type Line, span, type Tone } from './line.ts';

/** Columns of a drawn interval. */
const columns = 16;

/** The title over a column of drawn intervals: the ends of the track. */
export const plotTitle = `0 %${' '.repeat(columns - 8)}100 %`;

/** Draws a share on a track from 0 to 100 %: a dot for the mean on a line for the interval. Empty without a mean. */
export function plotEstimate(estimate: Estimate, tone: Tone | undefined): Line {
  if (estimate.value === null || !(estimate.value >= 0 && estimate.value <= 1)) return [];
  const dot = place(estimate.value);
  const [from, to] = hasInterval(estimate) ? [place(estimate.lower), place(estimate.upper)] : [dot, dot];
  return [
    span('·'.repeat(Math.min(from, dot)), 'quiet'),
    span('─'.repeat(Math.max(0, dot - from)), tone),
    span('●', tone),
    span('─'.repeat(Math.max(0, to - dot)), tone),
    span('·'.repeat(columns - 1 - Math.max(to, dot)), 'quiet'),
  ];
}

function place(share: number): number {
  return Math.min(columns - 1, Math.max(0, Math.round(share * (columns - 1))));
}
