import { displayWidth } from '../../lib/display-width.ts';
import { shorten, wrap } from '../../lib/terminal-text.ts';
import type { Run } from '../../schema/run.ts';
import { areWhole } from '../../schema/selection.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPoints } from '../../report/format/format-number.ts';
import { mergeAttempts, withoutRepeats } from '../../report/rows/merge-rows.ts';
import { markSigns, type QuestionRow } from '../../report/rows/question-row.ts';
import { commandLines } from './command-lines.ts';
import { indented } from './flow.ts';
import { joined, type Line, lineWidth, span } from './line.ts';
import { detailLine, noteLine } from './row-details.ts';
import { markTones } from './tone.ts';

const widestGrade = 12;
const mostQuestionLines = 3;

/** A few lines for every question; of many, only for the first that did not pass. */
export function questionLines(reported: ReportedTarget, width: number): Line[] {
  const { run, findings, target } = reported;
  const { all, unresolved } = target.selection;
  const isWhole = areWhole(all);
  const rows = isWhole ? findings.rows : findings.unresolved;
  if (rows.length === 0) return [];
  const more = isWhole ? 0 : unresolved.count - rows.length;
  const title = `Did not pass: ${formatCount(unresolved.count)}${more > 0 ? `, the first ${formatCount(rows.length)}` : ''}`;
  const shown = withoutRepeats(mergeAttempts(rows));
  const alike = mergeAttempts(rows).length - shown.length;
  const rest = { lead: `… and ${formatCount(more)} more: `, flags: '--failed', indent: 2 };
  return [
    [span(`  ${isWhole ? 'Questions' : title}`, 'quiet')],
    ...shown.flatMap((row) => rowLines(run, row, width)),
    ...(alike > 0
      ? indented([span(`… and ${formatCount(alike)} more with an error told above`, 'quiet')], width, 2)
      : []),
    ...(more > 0 ? commandLines(reported, rest, width) : []),
  ];
}

/** One question: how it came out and what was asked, then what was found and what was not. */
export function rowLines(run: Run, row: QuestionRow, width: number): Line[] {
  const tone = markTones[row.mark];
  const gradeWidth = widestOf((run.scorecard?.grades ?? []).map(({ grade }) => grade));
  const score: Line = [
    span('  '),
    span(markSigns[row.mark], tone),
    span(` ${formatPoints(row.total).padStart(5)} `, row.mark === 'passed' ? undefined : tone),
    ...(gradeWidth > 0 ? [span(padEnd(row.grade ?? '', gradeWidth)), span(' ')] : []),
    span(' '),
  ];
  const start = lineWidth(score);
  const question = firstLines(row.question, width - start).map(
    (line, index): Line => [...(index === 0 ? score : [span(' '.repeat(start))]), span(line)],
  );
  const details = detailLine(row, [[span(idOf(row), 'quiet')]]);
  const [note, ...notes] = row.notes.map(noteLine);
  const hasOnlyId = row.tools === undefined && row.terms.length === 0 && note !== undefined;
  const below = hasOnlyId
    ? [joined([details, note]), ...notes]
    : [details, ...(note === undefined ? [] : [note, ...notes])];
  return [...question, ...below.flatMap((line) => indented(line, width, start))];
}

/** A question is told in full unless it is very long: then its beginning. */
function firstLines(question: string, room: number): string[] {
  const lines = wrap(question.replaceAll(/\s+/g, ' ').trim(), room);
  if (lines.length <= mostQuestionLines) return lines.length === 0 ? [''] : lines;
  const shown = lines.slice(0, mostQuestionLines);
  return [...shown.slice(0, -1), shorten(lines.slice(mostQuestionLines - 1).join(' '), room)];
}

function widestOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => displayWidth(shorten(text, widestGrade))));
}

function idOf({ id, attempts }: QuestionRow): string {
  return [id, ...attempts.map((attempt) => `#${attempt}`)].join(' ');
}

function padEnd(text: string, width: number): string {
  const shown = shorten(text, width);
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
}
