import type { Trend, TrendPoint } from '../../schema/trends.ts';
import { formatPlural, missing } from '../../report/format/format-number.ts';
import { formatTime } from '../../report/format/format-time.ts';
import type { ReportView } from '../reporter.ts';
import { phraseLine } from '../run-comparison/terminal-lines.ts';
import { indented } from '../terminal/flow.ts';
import { joined, type Line, renderLine, span, whole } from '../terminal/line.ts';
import { rule } from '../terminal/title.ts';
import { categoryLines } from './category-lines.ts';
import { compareCommand, noteSentences } from '../../report/trends/note-phrases.ts';
import { pointLines } from './point-lines.ts';
import type { TrendsInput } from '../../report/trends/trends-input.ts';

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
