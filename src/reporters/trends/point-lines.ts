import { formatDuration } from '../../report/format/format-duration.ts';
import { shortCommit } from '../../report/format/format-git.ts';
import { formatMoney } from '../../report/format/format-money.ts';
import { formatCount, formatPercent, hasInterval } from '../../report/format/format-number.ts';
import { formatQuantity, formatQuantityInterval } from '../../report/format/format-quantity.ts';
import { formatTime } from '../../report/format/format-time.ts';
import { breakPhrase, changeMarks, changePhrase, changesAt } from '../../report/trends/change-phrases.ts';
import { type Estimate, isTooFew } from '../../schema/estimate.ts';
import type { Trend, TrendPoint } from '../../schema/trends.ts';
import { phraseLine } from '../run-comparison/terminal-lines.ts';
import { flow } from '../terminal/flow.ts';
import { type Line, span, type Tone } from '../terminal/line.ts';
import { type Column, setTable } from '../terminal/table.ts';
import { shareTone } from '../terminal/tone.ts';

/** A row for each run; above it, on lines of their own, what broke the series and what changed. */
export function pointLines(trend: Trend, width: number): Line[] {
  const { points, measure } = trend;
  const { unit } = measure;
  const axis = axisOf(
    points.filter((point) => isDrawn(point, unit)).map(({ value }) => value),
    unit,
  );
  const table = { columns: columnsOf(trend, axis), rows: points.map((point) => rowCells(point, unit, axis)) };
  const lines = setTable(table, width);
  // Where there is little room, a row takes several lines.
  const height = lines.length / (points.length + 1);
  return [
    ...lines.slice(0, height),
    ...points.flatMap((point, index) => [
      ...betweenLines(trend, point, width),
      ...lines.slice((index + 1) * height, (index + 2) * height),
    ]),
  ];
}

function columnsOf({ measure }: Trend, axis: PlotAxis | null): Column[] {
  return [
    { title: 'Run, UTC' },
    { title: 'Commit' },
    { title: measure.type === 'score' ? 'Score' : 'Mean', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right', isOptional: true },
    { title: axis === null ? '' : axisTitle(axis, measure.unit), isOptional: true },
    { title: 'Passed', align: 'right', isOptional: true },
    { title: 'p50', align: 'right', isOptional: true },
    { title: 'p90', align: 'right', isOptional: true },
    { title: 'Cost/call', align: 'right', isOptional: true },
    { title: 'Branch', isOptional: true },
    { title: 'Run id', isOptional: true },
  ];
}

function rowCells(point: TrendPoint, unit: string | undefined, axis: PlotAxis | null): Line[] {
  const { value, git, passRate, leftOut } = point;
  const isLeftOut = leftOut !== undefined;
  const tone: Tone | undefined = isLeftOut
    ? 'quiet'
    : unit === undefined
      ? shareTone(value.value)
      : undefined;
  return [
    [span(formatTime(point.createdAt).slice(0, 16), isLeftOut ? 'quiet' : undefined)],
    git === undefined ? [] : [span(`${shortCommit(git)}${git.dirty === true ? '*' : ''}`)],
    [span(formatQuantity(value.value, unit), tone)],
    [isLeftOut ? span(leftOut, 'fair') : span(formatQuantityInterval(value, unit), 'quiet')],
    [span(formatCount(point.measured)), span(`/${formatCount(point.planned)}`, 'quiet')],
    isDrawn(point, unit) && axis !== null ? plotOn(axis, value, tone) : [],
    passRate === undefined || passRate.value === null ? [] : [span(formatPercent(passRate.value))],
    ...usageCells(point),
    git === undefined || git.branch === null ? [] : [span(git.branch, 'quiet')],
    [span(point.run, 'quiet')],
  ];
}

/** A number of a handful of questions would make the axis too long for all others. */
function isDrawn({ leftOut, value }: TrendPoint, unit: string | undefined): boolean {
  return leftOut === undefined && !isTooFew(value, unit);
}

function usageCells({ latency, cost }: TrendPoint): Line[] {
  return [
    latency === null ? [] : [span(formatDuration(latency.p50))],
    latency === null ? [] : [span(formatDuration(latency.p90))],
    cost === null ? [] : [span(formatMoney(cost))],
  ];
}

const tones = { better: 'good', worse: 'bad', different: 'fair' } as const;

/** What lies between a run and the one above it. */
function betweenLines({ searches }: Trend, { run, breaks }: TrendPoint, width: number): Line[] {
  const changes = changesAt(searches, run).flatMap((told) => {
    const { finding } = told.change;
    const first = [span(`  ${changeMarks[finding]} `, tones[finding])];
    return flow(phraseLine(changePhrase(told), tones[finding]), { width, first });
  });
  if (breaks.length === 0) return changes;
  const text = phraseLine([...breakPhrase(breaks), ': not comparable with the runs above'], 'fair');
  return [...flow(text, { width, first: [span('  ── ', 'fair')] }), ...changes];
}

/** Columns of a drawn interval. */
const columns = 24;

/** From which number to which all estimates of a trend are drawn. */
interface PlotAxis {
  readonly from: number;
  readonly to: number;
}

/** An axis on which all estimates have room: for shares between round tens of points. null when there is nothing to draw. */
function axisOf(estimates: readonly Estimate[], unit: string | undefined): PlotAxis | null {
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
function axisTitle({ from, to }: PlotAxis, unit: string | undefined): string {
  const [left, right] = [from, to].map((end) =>
    unit === undefined ? `${Math.round(end * 100)} %` : formatQuantity(end, unit),
  ) as [string, string];
  return `${left}${' '.repeat(Math.max(1, columns - left.length - right.length))}${right}`;
}

/** Draws an estimate on an axis: a dot for the value on a line for the interval. Empty without a value. */
function plotOn({ from, to }: PlotAxis, estimate: Estimate, tone: Tone | undefined): Line {
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
