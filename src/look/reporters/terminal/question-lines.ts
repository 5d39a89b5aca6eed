import { displayWidth, firstUnits, shorten, wrap } from '../../../core/lib/text/terminal-text.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPoints } from '../../report/format.ts';
import type { TermsSeen, ToolsSeen } from '../../report/read-evidence.ts';
import {
  outcomeSigns,
  mergeAttempts,
  type Note,
  type QuestionRow,
  withoutRepeats,
} from '../../report/rows/question-row.ts';
import type { Run } from '../../../core/schema/run.ts';
import { areWhole } from '../../../core/schema/selection.ts';
import { indented } from './flow.ts';
import { joined, type Line, lineWidth, markTones, span, type Span, whole } from './line.ts';
import { commandLines } from './title.ts';

const widestGrade = 12;
const mostQuestionLines = 3;

/** Formats a few lines for every question; in a large run only for the first that did not pass. */
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
      ? indented([span(`… and ${formatCount(alike)} more with an error shown above`, 'quiet')], width, 2)
      : []),
    ...(more > 0 ? commandLines(reported, rest, width) : []),
  ];
}

/** Formats one question: its result and its text, then the expected tools and terms that were found or missing. */
export function rowLines(run: Run, row: QuestionRow, width: number): Line[] {
  const tone = markTones[row.outcome];
  const gradeWidth = widestOf((run.scorecard?.grades ?? []).map(({ grade }) => grade));
  const score: Line = [
    span('  '),
    span(outcomeSigns[row.outcome], tone),
    span(` ${formatPoints(row.total).padStart(5)} `, row.outcome === 'passed' ? undefined : tone),
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

/** Wraps a question, and shortens a very long one to its beginning. */
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

/** Shortens or pads a text to a width in columns. */
export function padEnd(text: string, width: number): string {
  const shown = shorten(text, width);
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
}

const mostNames = 8;
const widestName = 60;
const longestNote = 300;

/** Formats the details below a question: tools used against expected, and terms found and missing. */
export function detailLine(row: QuestionRow, before: readonly Line[]): Line {
  const tools = row.tools === undefined ? [] : [toolPart(row.tools)];
  const line = joined([...before, ...tools, ...row.terms.map(termPart)]);
  return row.outcome === 'passed' && isPerfect(row)
    ? line.map((part): Span => ({ ...part, tone: 'quiet' }))
    : line;
}

/** Formats a note: its name, then its text. */
export function noteLine({ name, text, isError }: Note): Line {
  const shown = span(`: ${shorten(text.trim(), longestNote)}`);
  return [whole(shorten(name, widestName), isError ? 'fault' : 'fair'), ...(text === '' ? [] : [shown])];
}

function isPerfect({ tools, terms }: QuestionRow): boolean {
  return (tools?.missing.length ?? 0) === 0 && terms.every(({ missing }) => missing.length === 0);
}

function toolPart({ expected, used, missing }: ToolsSeen): Line {
  const others = used.filter((name) => !expected.includes(name));
  if (expected.length === 0) return [whole('tools ', 'quiet'), ...names(others, (name) => whole(name))];
  const judged = names(expected, (name) =>
    missing.includes(name) ? whole(`${name} ✗`, 'bad') : whole(`${name} ✓`, 'good'),
  );
  if (used.length === 0) return [whole('tools ', 'quiet'), ...judged, span(', none used', 'quiet')];
  if (others.length === 0) return [whole('tools ', 'quiet'), ...judged];
  const label = missing.length > 0 ? ', used instead ' : ', also used ';
  return [whole('tools ', 'quiet'), ...judged, span(label, 'quiet'), ...names(others, (name) => whole(name))];
}

function termPart(terms: TermsSeen): Line {
  const { metric, found, missing, quotes } = terms;
  const counts = `${formatCount(found.length)}/${formatCount(found.length + missing.length)}`;
  if (missing.length === 0) return [whole(`${metric} `, 'quiet'), span(counts)];
  const listed = names(missing, (name) => {
    const inside = quotes.get(name);
    const shown = `"${firstUnits(name, widestName)}"`;
    return whole(
      inside === undefined ? shown : `${shown} (only inside “${firstUnits(inside, widestName)}”)`,
      'bad',
    );
  });
  return [whole(`${metric} `, 'quiet'), span(counts), span(', missing ', 'quiet'), ...listed];
}

function names(all: readonly string[], set: (name: string) => Span): Span[] {
  const shown = all.slice(0, mostNames).map((name) => set(shorten(name, widestName)));
  const parts = all.length > mostNames ? [...shown, span(`+${all.length - mostNames} more`, 'quiet')] : shown;
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(' '), part]));
}
