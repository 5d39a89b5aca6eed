import { displayWidth, shorten } from '../../lib/terminal-text.ts';
import { mostRows, type ReportedTarget } from '../findings.ts';
import { formatCount, formatPoints } from '../format-number.ts';
import { markSigns, type QuestionRow } from '../question-row.ts';
import { indented } from './flow.ts';
import { type Line, lineWidth, span, type Tone, whole } from './line.ts';
import { detailLine, noteLine } from './row-details.ts';
import { markTones } from './tone.ts';

const widestGrade = 12;
const widestId = 16;
const narrow = 60;

/** One or a few lines for every question; of many, only for those that did not pass. */
export function questionLines({ run, findings }: ReportedTarget, width: number): Line[] {
  const isShort = findings.seen <= mostRows;
  const rows = isShort ? findings.rows : findings.unresolved;
  if (rows.length === 0) return [];
  const more = isShort ? 0 : findings.unresolvedCount - rows.length;
  const title = `Did not pass: ${formatCount(findings.unresolvedCount)}${more > 0 ? `, the first ${rows.length}` : ''}`;
  const layout = layoutOf(rows, width);
  const rest = [
    span(`… and ${formatCount(more)} more: `, 'quiet'),
    whole(`touchstone show ${run.id} --verbose`),
  ];
  return [
    [span(`  ${isShort ? 'Questions' : title}`, 'quiet')],
    ...rows.flatMap((row) => rowLines(row, layout)),
    ...(more > 0 ? indented(rest, width, 2) : []),
  ];
}

interface Layout {
  readonly width: number;
  readonly gradeWidth: number;
  /** 0 when there is no room for a column of ids. */
  readonly idWidth: number;
}

function layoutOf(rows: readonly QuestionRow[], width: number): Layout {
  const grades = rows.map(({ grade }) => grade ?? '');
  const idWidth = width < narrow ? 0 : widestOf(rows.map(idOf), widestId);
  return { width, gradeWidth: widestOf(grades, widestGrade), idWidth };
}

function widestOf(texts: readonly string[], most: number): number {
  return Math.max(0, ...texts.map((text) => displayWidth(shorten(text, most))));
}

function rowLines(row: QuestionRow, { width, gradeWidth, idWidth }: Layout): Line[] {
  const tone = markTones[row.mark];
  const score: Line = [
    span('  '),
    span(markSigns[row.mark], tone),
    span(` ${formatPoints(row.total).padStart(5)} `, row.mark === 'passed' ? undefined : tone),
    ...(gradeWidth > 0 ? [cell(row.grade ?? '', gradeWidth), span(' ')] : []),
    span(' '),
  ];
  const named = idWidth > 0 ? [cell(idOf(row), idWidth, 'quiet'), span('  ')] : [];
  const start = lineWidth(score);
  const id = idWidth === 0 ? [[span(idOf(row), 'quiet')]] : [];
  const details = detailLine(row, id);
  return [
    [...score, ...named, span(shorten(row.question, width - start - lineWidth(named)))],
    ...(details.length === 0 ? [] : indented(details, width, start)),
    ...row.notes.flatMap((note) => indented(noteLine(note), width, start)),
  ];
}

function idOf({ id, attempt }: QuestionRow): string {
  return attempt === undefined ? id : `${id} #${attempt}`;
}

function cell(text: string, width: number, tone?: Tone): { text: string; tone?: Tone | undefined } {
  const shown = shorten(text, width);
  return span(shown + ' '.repeat(width - displayWidth(shown)), tone);
}
