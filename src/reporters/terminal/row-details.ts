import { firstUnits, shorten } from '../../lib/terminal-text.ts';
import { formatCount } from '../../report/format/format-number.ts';
import type { Note, QuestionRow } from '../../report/rows/question-row.ts';
import type { TermsSeen, ToolsSeen } from '../../report/read-evidence.ts';
import { joined, type Line, type Span, span, whole } from './line.ts';

const mostNames = 8;
const widestName = 60;
const longestNote = 300;

/** What a row says under its question: tools used against expected, and terms found and missing. */
export function detailLine(row: QuestionRow, before: readonly Line[]): Line {
  const tools = row.tools === undefined ? [] : [toolPart(row.tools)];
  const line = joined([...before, ...tools, ...row.terms.map(termPart)]);
  return row.mark === 'passed' && isPerfect(row)
    ? line.map((part): Span => ({ ...part, tone: 'quiet' }))
    : line;
}

/** A note of a row: the name in front, then what there is to say. */
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

function termPart({ metric, found, missing }: TermsSeen): Line {
  const counts = `${formatCount(found.length)}/${formatCount(found.length + missing.length)}`;
  if (missing.length === 0) return [whole(`${metric} `, 'quiet'), span(counts)];
  const listed = names(missing, (name) => whole(`"${firstUnits(name, widestName)}"`, 'bad'));
  return [whole(`${metric} `, 'quiet'), span(counts), span(', missing ', 'quiet'), ...listed];
}

function names(all: readonly string[], set: (name: string) => Span): Span[] {
  const shown = all.slice(0, mostNames).map((name) => set(shorten(name, widestName)));
  const parts = all.length > mostNames ? [...shown, span(`+${all.length - mostNames} more`, 'quiet')] : shown;
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(' '), part]));
}
