import { formatLimits, formatSigned } from '../../report/comparison/rows.ts';
import {
  formatCount,
  formatDuration,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  formatQuantity,
  formatQuantityInterval,
  formatTime,
  hasInterval,
  missing,
  shortCommit,
} from '../../report/format.ts';
import {
  breakPhrase,
  changeMarks,
  changePhrase,
  changesAt,
  compareCommand,
  isJudgedTrend,
  noteSentences,
  shownValue,
  type TrendsInput,
} from '../../report/trends.ts';
import { type Estimate, isTooFew } from '../../../core/schema/estimate.ts';
import type { Trend, TrendPoint, TrendSearch } from '../../../core/schema/trends.ts';
import type { ReportView } from '../reporter.ts';
import { phraseLine } from '../run-comparison/terminal-lines.ts';
import { flow, indented } from '../terminal/flow.ts';
import { joined, type Line, renderLine, shareTone, span, type Tone, whole } from '../terminal/line.ts';
import { type Column, setTable } from '../terminal/table.ts';
import { rule } from '../terminal/title.ts';

/** Formats trends for the terminal: a row for each run, and a line of its own for each change between two runs. */
export function trendsText(input: TrendsInput, view: ReportView): string {
  const { trends } = input.trends;
  const lines = [
    [span('Touchstone', 'strong'), span('  trends', 'quiet')],
    ...(trends.length === 0 ? [[span('No run matches; `touchstone runs` lists the stored runs.')]] : []),
    ...trends.flatMap((trend) => trendLines(trend, input, view.width)),
  ];
  return lines.map((line) => renderLine(line, view)).join('');
}

function trendLines(trend: Trend, input: TrendsInput, width: number): Line[] {
  const command = compareCommand(trend, input);
  const notes = noteSentences(trend, input.trends);
  return [
    ...indented(titleLine(trend, input), width, 0),
    rule(width),
    ...pointLines(trend, width),
    ...categoryLines(trend, width),
    [],
    ...notes.flatMap((note) => indented(phraseLine(note, 'quiet'), width, 2)),
    ...(command === undefined
      ? []
      : indented([span('Which questions changed:  ', 'quiet'), whole(command)], width, 2)),
  ];
}

function titleLine({ target, measure, points }: Trend, { trends: { category } }: TrendsInput): Line {
  const facts: Line[] = [
    [{ text: target, tone: 'strong' }],
    [whole(measure.type === 'score' ? 'score' : `metric ${measure.name}`, 'quiet')],
    ...(category === undefined ? [] : [[whole(`category ${category}`, 'quiet')]]),
    [whole(formatPlural(points.length, 'run'), 'quiet')],
    [whole(periodOf(points), 'quiet')],
  ];
  return joined(facts);
}

function periodOf(points: readonly TrendPoint[]): string {
  const days = [points[0], points.at(-1)].map((point) =>
    point === undefined ? missing : formatTime(point.createdAt).slice(0, 10),
  );
  const [first = missing, last = missing] = days;
  return first === last ? first : `${first} to ${last}`;
}

/** Formats the categories of the newest run, weakest first, each with its last change. */
function categoryLines(trend: Trend, width: number): Line[] {
  const { searches } = trend;
  const categories = searches
    .filter(({ measure }) => measure === 'category')
    .toSorted((a, b) => (a.newest?.value ?? 1) - (b.newest?.value ?? 1));
  if (categories.length === 0) return [];
  const columns = [
    { title: 'Category, newest run' },
    { title: isJudgedTrend(trend) ? 'Judge says' : 'Score', align: 'right' },
    { title: '' },
    { title: 'Last change' },
  ] as const;
  return [[], ...setTable({ columns, rows: categories.map(rowCells) }, width)];
}

function rowCells(search: TrendSearch): Line[] {
  const { name, newest } = search;
  const isSure = newest !== undefined && !isTooFew(newest);
  return [
    [span(name)],
    [span(formatPercent(newest?.value), isSure ? shareTone(newest.value) : undefined)],
    [span(isSure ? formatInterval(newest) : 'too few to say', 'quiet')],
    [lastChange(search)],
  ];
}

const tones = { better: 'good', worse: 'bad', different: 'fair' } as const;

function lastChange({ changes, reason }: TrendSearch): ReturnType<typeof span> {
  const change = changes.at(-1);
  if (change === undefined) return span(reason === undefined ? 'none visible' : missing, 'quiet');
  const { finding, difference, lower, upper, after } = change;
  const limits = formatLimits(
    { value: difference, lower, upper, n: 0, confidence: 0.95, method: '' },
    undefined,
  );
  const where = after.git === undefined ? after.run : shortCommit(after.git);
  const size = `${formatSigned(difference, undefined)} ${limits}`;
  return span(`${changeMarks[finding]} ${size} at ${where}`, tones[finding]);
}

/** Formats a row for each run; above it come lines for breaks of the series and for changes. */
function pointLines(trend: Trend, width: number): Line[] {
  const { points, measure } = trend;
  const { unit } = measure;
  const axis = axisOf(
    points.filter((point) => isDrawn(point, unit)).map((point) => shownValue(point).value),
    unit,
  );
  const table = {
    columns: columnsOf(trend, axis),
    rows: points.map((point) => pointCells(point, unit, { axis, isJudged: isJudgedTrend(trend) })),
  };
  const lines = setTable(table, width);
  // With little width, a row takes several lines.
  const height = lines.length / (points.length + 1);
  return [
    ...lines.slice(0, height),
    ...points.flatMap((point, index) => [
      ...betweenLines(trend, point, width),
      ...lines.slice((index + 1) * height, (index + 2) * height),
    ]),
  ];
}

function columnsOf(trend: Trend, axis: PlotAxis | null): Column[] {
  const { measure } = trend;
  return [
    { title: 'Run, UTC' },
    { title: 'Commit' },
    { title: measure.type === 'score' ? 'Score' : 'Mean', align: 'right' },
    { title: '' },
    ...(isJudgedTrend(trend) ? [{ title: 'Judge says', align: 'right' } as const] : []),
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

function pointCells(
  point: TrendPoint,
  unit: string | undefined,
  { axis, isJudged }: { readonly axis: PlotAxis | null; readonly isJudged: boolean },
): Line[] {
  const { git, leftOut } = point;
  const { value, said } = shownValue(point);
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
    [isLeftOut ? span(leftOut, 'fair') : span(intervalText(value, unit, said), 'quiet')],
    ...(isJudged ? [[span(said === undefined ? '' : formatQuantity(said.value, unit), 'quiet')]] : []),
    [span(formatCount(point.measured)), span(`/${formatCount(point.planned)}`, 'quiet')],
    isDrawn(point, unit) && axis !== null ? plotOn(axis, value, tone) : [],
    passCell(point, said !== undefined),
    ...usageCells(point),
    git === undefined || git.branch === null ? [] : [span(git.branch, 'quiet')],
    [span(point.run, 'quiet')],
  ];
}

function intervalText(value: Estimate, unit: string | undefined, said: Estimate | undefined): string {
  return said !== undefined && value.value === null ? 'not corrected' : formatQuantityInterval(value, unit);
}

/** Formats the pass rate, which is left out where it rests on a certified judge: it is not corrected. */
function passCell({ passRate }: TrendPoint, isJudged: boolean): Line {
  return isJudged || passRate === undefined || passRate.value === null
    ? []
    : [span(formatPercent(passRate.value))];
}

/** Returns whether a run is plotted. The interval of very few questions would make the axis too long for all others. */
function isDrawn(point: TrendPoint, unit: string | undefined): boolean {
  const { value } = shownValue(point);
  return point.leftOut === undefined && value.value !== null && !isTooFew(value, unit);
}

function usageCells({ latency, cost }: TrendPoint): Line[] {
  return [
    latency === null ? [] : [span(formatDuration(latency.p50))],
    latency === null ? [] : [span(formatDuration(latency.p90))],
    cost === null ? [] : [span(formatMoney(cost))],
  ];
}

/** Formats the breaks and changes between a run and the one above it. */
function betweenLines({ searches }: Trend, { run, breaks }: TrendPoint, width: number): Line[] {
  const changes = changesAt(searches, run).flatMap((found) => {
    const { finding } = found.change;
    const first = [span(`  ${changeMarks[finding]} `, tones[finding])];
    return flow(phraseLine(changePhrase(found), tones[finding]), { width, first });
  });
  if (breaks.length === 0) return changes;
  const text = phraseLine([...breakPhrase(breaks), ': not comparable with the runs above'], 'fair');
  return [...flow(text, { width, first: [span('  ── ', 'fair')] }), ...changes];
}

/** The width of a plotted interval in columns. */
const columns = 24;

/** The range of the axis on which all estimates of a trend are plotted. */
interface PlotAxis {
  readonly from: number;
  readonly to: number;
}

/** Returns an axis that fits all estimates, for shares rounded to ten points; null when there is nothing to plot. */
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

/** Returns the title of a column of plotted intervals: the ends of the axis. */
function axisTitle({ from, to }: PlotAxis, unit: string | undefined): string {
  const [left, right] = [from, to].map((end) =>
    unit === undefined ? `${Math.round(end * 100)} %` : formatQuantity(end, unit),
  ) as [string, string];
  return `${left}${' '.repeat(Math.max(1, columns - left.length - right.length))}${right}`;
}

/** Plots an estimate on an axis: a dot for the value on a line for the interval. Empty without a value. */
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
