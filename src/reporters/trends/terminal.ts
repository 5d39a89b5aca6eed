import { formatLimits, formatSigned } from '../../report/comparison/format-difference.ts';
import { shortCommit } from '../../report/format/format-git.ts';
import { formatInterval, formatPercent, formatPlural, missing } from '../../report/format/format-number.ts';
import { formatTime } from '../../report/format/format-time.ts';
import { changeMarks } from '../../report/trends/change-phrases.ts';
import { compareCommand, noteSentences } from '../../report/trends/note-phrases.ts';
import type { TrendsInput } from '../../report/trends/trends-input.ts';
import { isTooFew } from '../../schema/estimate.ts';
import type { Trend, TrendPoint, TrendSearch } from '../../schema/trends.ts';
import type { ReportView } from '../reporter.ts';
import { phraseLine } from '../run-comparison/terminal-lines.ts';
import { indented } from '../terminal/flow.ts';
import { joined, type Line, renderLine, span, whole } from '../terminal/line.ts';
import { setTable } from '../terminal/table.ts';
import { rule } from '../terminal/title.ts';
import { shareTone } from '../terminal/tone.ts';
import { pointLines } from './point-lines.ts';

/** Trends for a person at a terminal: a row for each run, with what changed between two of them on a line of its own. */
export function trendsText(input: TrendsInput, view: ReportView): string {
  const { trends } = input.trends;
  const lines = [
    [span('Touchstone', 'strong'), span('  trends', 'quiet')],
    ...(trends.length === 0 ? [[span('No run fits; `touchstone runs` lists those that are kept.')]] : []),
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

/** The categories of the newest run, weakest first, each with its last change. */
function categoryLines({ searches }: Trend, width: number): Line[] {
  const categories = searches
    .filter(({ measure }) => measure === 'category')
    .toSorted((a, b) => (a.newest?.value ?? 1) - (b.newest?.value ?? 1));
  if (categories.length === 0) return [];
  const columns = [
    { title: 'Category, newest run' },
    { title: 'Score', align: 'right' },
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
