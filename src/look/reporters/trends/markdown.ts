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
  isJudgedTrend,
  noteSentences,
  shownValue,
  type TrendsInput,
} from '../../report/trends.ts';
import type { Trend, TrendPoint } from '../../../core/schema/trends.ts';
import { codeSpan, quantityText, setPhrase, setTable } from '../markdown/code-span.ts';

/** Formats trends for a pull request or a page: the changes first, then a row for each run; text from outside as code. */
export function trendsMarkdown(input: TrendsInput): string {
  const { trends } = input.trends;
  const parts =
    trends.length === 0 ? ['No run matches.\n'] : trends.flatMap((trend) => trendParts(trend, input));
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

/** Formats the changes, the newest first. */
function changeList({ points, searches }: Trend): string {
  const changes = points.toReversed().flatMap(({ run }) => changesAt(searches, run));
  return changes
    .map((found) => `- ${changeMarks[found.change.finding]} ${setPhrase(changePhrase(found))}\n`)
    .join('')
    .replaceAll('p < ', 'p &lt; ');
}

/** Splits the runs at breaks. Each segment gets its own table, since runs of different segments are not comparable. */
function segmentsOf(points: readonly TrendPoint[]): TrendPoint[][] {
  const segments: TrendPoint[][] = [];
  for (const point of points) {
    const last = segments.at(-1);
    if (last === undefined || point.breaks.length > 0) segments.push([point]);
    else last.push(point);
  }
  return segments;
}

const firstTitles = ['', 'Run, UTC', 'Commit', 'Branch', 'Mean:', 'Interval'] as const;
const lastTitles = ['Passed:', 'n:', 'p50:', 'p90:', 'Cost/call:'] as const;

function segmentTable(trend: Trend, points: readonly TrendPoint[]): string {
  const breaks = points[0]?.breaks ?? [];
  const isJudged = isJudgedTrend(trend);
  const table = setTable(
    [...firstTitles, ...(isJudged ? ['Judge says:'] : []), ...lastTitles],
    points.map((point) => rowCells(trend, point)),
  );
  if (breaks.length === 0) return table;
  return `**${setPhrase(breakPhrase(breaks))}:** not comparable with the runs above.\n\n${table}`;
}

function rowCells(trend: Trend, point: TrendPoint): string[] {
  const {
    measure: { unit },
    searches,
  } = trend;
  const { git, passRate, latency, cost, leftOut } = point;
  const { value, said } = shownValue(point);
  const interval =
    said !== undefined && value.value === null ? 'not corrected' : formatQuantityInterval(value, unit);
  const marks = changesAt(searches, point.run).map(({ change }) => changeMarks[change.finding]);
  return [
    [...new Set(marks)].join(' '),
    formatTime(point.createdAt).slice(0, 16),
    git === undefined ? missing : `${codeSpan(shortCommit(git))}${git.dirty === true ? '\\*' : ''}`,
    codeSpan(git?.branch ?? ''),
    quantityText(formatQuantity(value.value, unit), unit),
    leftOut ?? quantityText(interval, unit),
    ...(isJudgedTrend(trend) ? [said === undefined ? '' : formatQuantity(said.value, unit)] : []),
    // The pass rate rests on the judge, too, and is not corrected here.
    said === undefined ? formatPercent(passRate?.value) : missing,
    `${formatCount(point.measured)}/${formatCount(point.planned)}`,
    latency === null ? missing : formatDuration(latency.p50),
    latency === null ? missing : formatDuration(latency.p90),
    cost === null ? missing : formatMoney(cost),
  ];
}
