import { displayWidth, firstUnits, shorten } from '../../../core/lib/text/terminal-text.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPlural, formatPoints, outcomeSigns } from '../../report/format.ts';
import type { TermsSeen } from '../../report/read-evidence.ts';
import type { ToolsSeen } from '../../../core/trials/verdict-evidence.ts';
import {
  mergeAttempts,
  type Note,
  type QuestionRow,
  withoutRepeats,
} from '../../report/rows/question-row.ts';
import type { Run } from '../../../core/schema/run.ts';
import { areWhole } from '../../../core/schema/selection.ts';
import { type Block, type Item, list, note } from '../blocks/block.ts';
import { joined, markTones, name, quoted, span, type Span, type Text, whole } from '../blocks/text.ts';
import { showHint } from './title.ts';

const widestGrade = 12;
const mostQuestionLines = 3;
const longestQuestion = 240;

/** Lays out a few lines for every question; in a large run only for the first that did not pass. */
export function questionBlocks(reported: ReportedTarget): Block[] {
  const { findings, target } = reported;
  const { all, unresolved } = target.selection;
  const isWhole = areWhole(all);
  const rows = isWhole ? findings.rows : findings.unresolved;
  const more = isWhole ? 0 : unresolved.count - rows.length;
  const first = more > 0 ? `, the first ${formatCount(rows.length)}` : '';
  const title = `Did not pass: ${formatCount(unresolved.count)}${first}`;
  return listQuestions(reported, { rows, title: isWhole ? 'Questions' : title, more });
}

/** Lays out the first questions that did not pass; empty when all passed. */
export function unresolvedBlock(reported: ReportedTarget, most: number): Block {
  const { run, findings, target } = reported;
  const { count } = target.selection.unresolved;
  const rows = findings.unresolved.slice(0, most);
  const title = `${formatPlural(count, run.attempts > 1 ? 'attempt' : 'question')} did not pass`;
  const blocks = listQuestions(reported, { rows, more: count - rows.length });
  return { kind: 'folded', title, blocks };
}

/** The rows to list, the title above them, and the number of those that are not listed. */
interface Listed {
  readonly rows: readonly QuestionRow[];
  readonly title?: string;
  readonly more: number;
}

function listQuestions(reported: ReportedTarget, { rows, title, more }: Listed): Block[] {
  if (rows.length === 0) return [];
  const merged = mergeAttempts(rows);
  const shown = withoutRepeats(merged);
  const alike = merged.length - shown.length;
  return [
    note(title ?? ''),
    list(shown.map((row) => questionItem(reported.run, row))),
    note(alike > 0 ? `… and ${formatCount(alike)} more with an error shown above` : ''),
    ...(more > 0
      ? [showHint(reported, { lead: `… and ${formatCount(more)} more: `, flags: '--failed' })]
      : []),
  ];
}

/** Lays out one question: its result and its text, then the expected tools and terms that were found or missing. */
export function questionItem(run: Run, row: QuestionRow): Item {
  const tone = markTones[row.outcome];
  const gradeWidth = widestOf((run.scorecard?.grades ?? []).map(({ grade }) => grade));
  const mark: Text = [
    span(outcomeSigns[row.outcome], tone),
    span(` ${formatPoints(row.total).padStart(5)} `, row.outcome === 'passed' ? undefined : tone),
    ...(gradeWidth > 0 ? [quotedCell(row.grade ?? '', gradeWidth), span(' ')] : []),
    span(' '),
  ];
  const details = detailText(row, [[quoted(idOf(row), 'quiet')]]);
  const [first, ...others] = row.notes.map(noteText);
  const hasOnlyId = row.tools === undefined && row.terms.length === 0 && first !== undefined;
  const below = hasOnlyId
    ? [joined([details, first]), ...others]
    : [details, ...(first === undefined ? [] : [first, ...others])];
  return {
    mark,
    text: [quoted(row.question.replaceAll(/\s+/g, ' '), undefined, longestQuestion)],
    mostLines: mostQuestionLines,
    details: below.map((text) => ({ text })),
  };
}

function quotedCell(text: string, width: number): Span {
  return { text: padEnd(text, width), isQuoted: true };
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
const longestNote = 300;

/** Sets the details below a question: tools used against expected, and terms found and missing. */
export function detailText(row: QuestionRow, before: readonly Text[]): Text {
  const tools = row.tools === undefined ? [] : [toolPart(row.tools)];
  const text = joined([...before, ...tools, ...row.terms.map(termPart)]);
  return row.outcome === 'passed' && isPerfect(row)
    ? text.map((part): Span => ({ ...part, tone: 'quiet' }))
    : text;
}

/** Sets a note: its name, then its text. */
export function noteText({ name: title, text, isError }: Note): Text {
  const shown = text === '' ? [] : [span(': '), quoted(text, undefined, longestNote)];
  return [name(title, isError ? 'fault' : 'fair'), ...shown];
}

function isPerfect({ tools, terms }: QuestionRow): boolean {
  return (tools?.missing.length ?? 0) === 0 && terms.every(({ missing }) => missing.length === 0);
}

function toolPart({ expected, used, missing }: ToolsSeen): Text {
  const others = used.filter((tool) => !expected.includes(tool));
  const lead = whole('tools ', 'quiet');
  if (expected.length === 0) return [lead, ...names(others, (tool) => [name(tool)])];
  const judged = names(expected, (tool) =>
    missing.includes(tool)
      ? [name(tool, 'bad'), whole(' ✗', 'bad')]
      : [name(tool, 'good'), whole(' ✓', 'good')],
  );
  if (used.length === 0) return [lead, ...judged, span(', none used', 'quiet')];
  if (others.length === 0) return [lead, ...judged];
  const label = missing.length > 0 ? ', used instead ' : ', also used ';
  return [lead, ...judged, span(label, 'quiet'), ...names(others, (tool) => [name(tool)])];
}

function termPart(terms: TermsSeen): Text {
  const { metric, found, missing, quotes } = terms;
  const counts = `${formatCount(found.length)}/${formatCount(found.length + missing.length)}`;
  const lead = [name(metric, 'quiet'), whole(' ', 'quiet'), span(counts)];
  if (missing.length === 0) return lead;
  const listed = names(missing, (term) => {
    const inside = quotes.get(term);
    const only =
      inside === undefined ? [] : [whole(' (only inside ', 'bad'), words(inside), whole(')', 'bad')];
    return [words(term), ...only];
  });
  return [...lead, span(', missing ', 'quiet'), ...listed];
}

/** Sets words from outside that an answer lacks. */
function words(text: string): Span {
  return { ...name(firstUnits(text, 200), 'bad'), isWords: true };
}

function names(all: readonly string[], set: (text: string) => Text): Text {
  const shown = all.slice(0, mostNames).map(set);
  const parts =
    all.length > mostNames ? [...shown, [span(`+${all.length - mostNames} more`, 'quiet')]] : shown;
  return parts.flatMap((part, index) => (index === 0 ? part : [span(' '), ...part]));
}
