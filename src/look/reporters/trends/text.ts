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
  missing,
  shortCommit,
} from '../../report/format.ts';
import {
  breakPhrase,
  changeMarks,
  changePhrase,
  changesAt,
  changeCommand,
  isJudgedTrend,
  noteSentences,
  type TrendsInput,
} from '../../report/trends.ts';
import { shownValue } from '../../report/score-in-words.ts';
import { type Estimate, isTooFew } from '../../../core/schema/estimate.ts';
import type { Trend, TrendPoint, TrendSearch } from '../../../core/schema/trends.ts';
import {
  type Block,
  type Column,
  type Entry,
  heading,
  paragraph,
  type Row,
  rule,
  section,
  table,
} from '../blocks/block.ts';
import { renderMarkdown } from '../blocks/markdown.ts';
import { axisOf, axisTitle, type PlotAxis, plotOn } from '../blocks/plot.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import {
  joined,
  name,
  phrase,
  quantity,
  quoted,
  shareTone,
  span,
  type Text,
  type Tone,
  whole,
} from '../blocks/text.ts';
import type { ReportView } from '../reporter.ts';

/** Formats trends for the terminal: a row for each run, and a line of its own for each change between two runs. */
export function trendsText(input: TrendsInput, view: ReportView): string {
  return renderTerminal(layout(input), view);
}

/** Formats the same for a pull request or a page, with text from outside as code. */
export function trendsMarkdown(input: TrendsInput): string {
  return renderMarkdown(layout(input));
}

function layout(input: TrendsInput): Block[] {
  const { trends } = input.trends;
  const none = paragraph(
    [span('No run matches: `touchstone runs` lists those that are stored, `touchstone run` makes one.')],
    { indent: 0 },
  );
  return [
    heading(1, [span('Touchstone', 'strong'), span('  trends', 'quiet')]),
    ...(trends.length === 0 ? [none] : trends.flatMap((trend) => trendBlocks(trend, input))),
  ];
}

function trendBlocks(trend: Trend, input: TrendsInput): Block[] {
  const command = changeCommand(trend, input);
  return [
    heading(2, titleOf(trend, input)),
    rule,
    pointTable(trend),
    section(...categoryBlocks(trend)),
    section(
      ...noteSentences(trend, input.trends).map((note) => paragraph(phrase(note, 'quiet'))),
      ...(command === undefined ? [] : [{ kind: 'command', ...command } as const]),
    ),
  ];
}

function titleOf({ target, measure, points }: Trend, { trends: { category } }: TrendsInput): Text {
  return joined([
    [name(target, 'strong')],
    measure.type === 'score'
      ? [whole('score', 'quiet')]
      : [whole('metric ', 'quiet'), name(measure.name, 'quiet')],
    category === undefined ? [] : [whole('category ', 'quiet'), name(category, 'quiet')],
    [whole(formatPlural(points.length, 'run'), 'quiet')],
    [whole(periodOf(points), 'quiet')],
  ]);
}

function periodOf(points: readonly TrendPoint[]): string {
  const days = [points[0], points.at(-1)].map((point) =>
    point === undefined ? missing : formatTime(point.createdAt).slice(0, 10),
  );
  const [first = missing, last = missing] = days;
  return first === last ? first : `${first} to ${last}`;
}

/** Lays out the categories of the newest run, weakest first, each with its last change. */
function categoryBlocks(trend: Trend): Block[] {
  const categories = trend.searches
    .filter(({ measure }) => measure === 'category')
    .toSorted((a, b) => (a.newest?.value ?? 1) - (b.newest?.value ?? 1));
  const columns = [
    { title: 'Category, newest run' },
    { title: isJudgedTrend(trend) ? 'Judge says' : 'Score', align: 'right' },
    { title: '', name: 'Interval' },
    { title: 'Last change' },
  ] as const;
  return categories.length === 0 ? [] : [table(columns, categories.map(categoryCells))];
}

function categoryCells(search: TrendSearch): Text[] {
  const { newest } = search;
  const isSure = newest !== undefined && !isTooFew(newest);
  return [
    [name(search.name)],
    [span(formatPercent(newest?.value), isSure ? shareTone(newest.value) : undefined)],
    [span(isSure ? formatInterval(newest) : 'too few to say', 'quiet')],
    lastChange(search),
  ];
}

const tones = { better: 'good', worse: 'bad', different: 'fair' } as const;

function lastChange({ changes, reason }: TrendSearch): Text {
  const change = changes.at(-1);
  if (change === undefined) return [span(reason === undefined ? 'none visible' : missing, 'quiet')];
  const { finding, difference, lower, upper, after } = change;
  const limits = formatLimits(
    { value: difference, lower, upper, n: 0, confidence: 0.95, method: '' },
    undefined,
  );
  const where = after.git === undefined ? after.run : shortCommit(after.git);
  const size = `${formatSigned(difference, undefined)} ${limits}`;
  return [span(`${changeMarks[finding]} ${size} at `, tones[finding]), name(where, tones[finding])];
}

/** Lays out a row for each run; above it are breaks of the series and changes. */
function pointTable(trend: Trend): Block {
  const { points, measure } = trend;
  const { unit } = measure;
  const axis = axisOf(
    points.filter((point) => isDrawn(point, unit)).map((point) => shownValue(point).value),
    unit,
  );
  const rows = points.map((point): Row => {
    const [when = [], ...rest] = pointCells(point, unit, { axis, isJudged: isJudgedTrend(trend) });
    const called = point.name === undefined ? [] : [name(point.name, undefined, widestName)];
    const cells = hasNames(trend) ? [when, called, ...rest] : [when, ...rest];
    return { cells, above: entriesAbove(trend, point) };
  });
  return { kind: 'table', columns: columnsOf(trend, axis), rows };
}

const widestName = 20;

function hasNames({ points }: Trend): boolean {
  return points.some((point) => point.name !== undefined);
}

function columnsOf(trend: Trend, axis: PlotAxis | null): Column[] {
  const { measure } = trend;
  return [
    { title: 'Run, UTC' },
    ...(hasNames(trend) ? [{ title: 'Name' }] : []),
    { title: 'Commit' },
    { title: measure.type === 'score' ? 'Score' : 'Mean', align: 'right' },
    { title: '', name: 'Interval' },
    ...(isJudgedTrend(trend) ? [{ title: 'Judge says', align: 'right' } as const] : []),
    { title: 'n', align: 'right', isOptional: true },
    { title: axis === null ? '' : axisTitle(axis, measure.unit), isOptional: true, isDrawing: true },
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
): Text[] {
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
    git === undefined ? [] : [name(shortCommit(git)), ...(git.dirty === true ? [quoted('*')] : [])],
    [quantity(formatQuantity(value.value, unit), unit, tone)],
    [isLeftOut ? quoted(leftOut, 'fair') : quantity(intervalText(value, unit, said), unit, 'quiet')],
    ...(isJudged
      ? [[quantity(said === undefined ? '' : formatQuantity(said.value, unit), unit, 'quiet')]]
      : []),
    [span(formatCount(point.measured)), span(`/${formatCount(point.planned)}`, 'quiet')],
    isDrawn(point, unit) && axis !== null ? plotOn(axis, value, tone) : [],
    passCell(point, said !== undefined),
    ...usageCells(point),
    git === undefined || git.branch === null ? [] : [name(git.branch, 'quiet')],
    [name(point.run, 'quiet')],
  ];
}

function intervalText(value: Estimate, unit: string | undefined, said: Estimate | undefined): string {
  return said !== undefined && value.value === null ? 'not corrected' : formatQuantityInterval(value, unit);
}

/** Formats the pass rate, which is not shown where it rests on a certified judge: it is not corrected. */
function passCell({ passRate }: TrendPoint, isJudged: boolean): Text {
  return isJudged || passRate === undefined || passRate.value === null
    ? []
    : [span(formatPercent(passRate.value))];
}

/** Returns whether a run is plotted. The interval of very few questions would make the axis too long for all others. */
function isDrawn(point: TrendPoint, unit: string | undefined): boolean {
  const { value } = shownValue(point);
  return point.leftOut === undefined && value.value !== null && !isTooFew(value, unit);
}

function usageCells({ latency, cost }: TrendPoint): Text[] {
  return [
    latency === null ? [] : [span(formatDuration(latency.p50))],
    latency === null ? [] : [span(formatDuration(latency.p90))],
    cost === null ? [] : [span(formatMoney(cost))],
  ];
}

/** Returns the breaks and changes between a run and the one above it. */
function entriesAbove({ searches }: Trend, { run, breaks }: TrendPoint): Entry[] {
  const changes = changesAt(searches, run).map((found): Entry => {
    const tone = tones[found.change.finding];
    return {
      mark: [span(`${changeMarks[found.change.finding]} `, tone)],
      text: phrase(changePhrase(found), tone),
    };
  });
  if (breaks.length === 0) return changes;
  const text = phrase([...breakPhrase(breaks), ': not comparable with the runs above'], 'fair');
  return [{ mark: [span('── ', 'fair')], text }, ...changes];
}
