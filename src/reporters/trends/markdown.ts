import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
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
  compareCommand,
  noteSentences,
  type TrendsInput,
} from '../../report/trends.ts';
import type { Trend, TrendPoint } from '../../schema/trends.ts';
import { codeSpan, setPhrase, setTable } from '../markdown/code-span.ts';

/** Trends for a pull request or a page: the changes first, then a row for each run; text from outside is set as code. */
export function trendsMarkdown(input: TrendsInput): string {
  const { trends } = input.trends;
  const parts =
    trends.length === 0 ? ['No run fits.\n'] : trends.flatMap((trend) => trendParts(trend, input));
  return ['## Touchstone trends\n', ...parts.filter((part) => part !== '')].join('\n');
}

function trendParts(trend: Trend, input: TrendsInput): string[] {
  const { target, measure, points } = trend;
  const { category } = input.trends;
  const command = compareCommand(trend, input);
  const subject = [
    codeSpan(target),
    measure.type === 'score' ? 'score' : `metric ${codeSpan(measure.name)}`,
    ...(category === undefined ? [] : [`category ${codeSpan(category)}`]),
  ];
  return [
    `### ${subject.join(' · ')}\n`,
    changeList(trend),
    ...segmentsOf(points).map((segment) => segmentTable(trend, segment)),
    `${noteSentences(trend, input.trends).map(setPhrase).join(' ')}\n`,
    command === undefined ? '' : `Which questions changed: ${codeSpan(command, 240)}\n`,
  ];
}

/** The newest first. */
function changeList({ points, searches }: Trend): string {
  const changes = points.toReversed().flatMap(({ run }) => changesAt(searches, run));
  return changes
    .map((told) => `- ${changeMarks[told.change.finding]} ${setPhrase(changePhrase(told))}\n`)
    .join('')
    .replaceAll('p < ', 'p &lt; ');
}

/** The runs from one break to the next: a table each, since they are not to be compared. */
function segmentsOf(points: readonly TrendPoint[]): TrendPoint[][] {
  const segments: TrendPoint[][] = [];
  for (const point of points) {
    const last = segments.at(-1);
    if (last === undefined || point.breaks.length > 0) segments.push([point]);
    else last.push(point);
  }
  return segments;
}

const titles = [
  '',
  'Run, UTC',
  'Commit',
  'Branch',
  'Mean:',
  'Interval',
  'Passed:',
  'n:',
  'p50:',
  'p90:',
  'Cost/call:',
];

function segmentTable(trend: Trend, points: readonly TrendPoint[]): string {
  const breaks = points[0]?.breaks ?? [];
  const table = setTable(
    titles,
    points.map((point) => rowCells(trend, point)),
  );
  if (breaks.length === 0) return table;
  return `**${setPhrase(breakPhrase(breaks))}:** not comparable with the runs above.\n\n${table}`;
}

function rowCells({ measure: { unit }, searches }: Trend, point: TrendPoint): string[] {
  const { value, git, passRate, latency, cost, leftOut } = point;
  const marks = changesAt(searches, point.run).map(({ change }) => changeMarks[change.finding]);
  return [
    [...new Set(marks)].join(' '),
    formatTime(point.createdAt).slice(0, 16),
    git === undefined ? missing : `${codeSpan(shortCommit(git))}${git.dirty === true ? '\\*' : ''}`,
    codeSpan(git?.branch ?? ''),
    inUnit(formatQuantity(value.value, unit), unit),
    leftOut ?? inUnit(formatQuantityInterval(value, unit), unit),
    formatPercent(passRate?.value),
    `${formatCount(point.measured)}/${formatCount(point.planned)}`,
    latency === null ? missing : formatDuration(latency.p50),
    latency === null ? missing : formatDuration(latency.p90),
    cost === null ? missing : formatMoney(cost),
  ];
}

/** Units come from metrics of anyone's making: an unusual one is set as code. */
function inUnit(quantity: string, unit = ''): string {
  return quantity === '' || /^\p{L}{0,20}$/u.test(unit) ? quantity : codeSpan(quantity);
}
