import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPlural, formatPoints } from '../../report/format.ts';
import { describeTerm, type TermsSeen, type ToolsSeen } from '../../report/read-evidence.ts';
import { outcomeSigns, mergeAttempts, type Note, type QuestionRow } from '../../report/rows/question-row.ts';
import { showCommand } from '../../report/phrase.ts';
import { codeSpan } from './code-span.ts';

const mostNames = 8;
const widestText = 160;

/** Formats the questions that did not pass in a collapsed block; empty when all passed. */
export function unresolvedQuestions(reported: ReportedTarget, most: number): string {
  const { run, findings, target } = reported;
  const { count } = target.selection.unresolved;
  if (count === 0) return '';
  const listed = findings.unresolved.slice(0, most);
  const shown = mergeAttempts(listed);
  const others = count - listed.length;
  const more =
    others > 0
      ? `\n… and ${formatCount(others)} more: ${codeSpan(showCommand(reported, '--failed'), 160)}\n`
      : '';
  const title = `${formatPlural(count, run.attempts > 1 ? 'trial' : 'question')} did not pass`;
  return `<details><summary>${title}</summary>\n\n${shown.map(questionItem).join('')}${more}\n</details>\n`;
}

/** Formats one question: its result, its text, and the expected tools and terms that were found or missing. */
export function questionItem(row: QuestionRow): string {
  const { outcome, total, grade, id, attempts, question, tools, terms, notes } = row;
  const score = total === null ? '' : ` **${formatPoints(total)}**`;
  const shownGrade = grade === null ? '' : ` ${codeSpan(grade)}`;
  const shownAttempt = attempts.map((attempt) => ` #${attempt}`).join('');
  const details = [
    ...(tools === undefined ? [] : [toolText(tools)]),
    ...terms.map(termText),
    ...notes.map(noteText),
  ];
  const head = `- ${outcomeSigns[outcome]}${score}${shownGrade} ${codeSpan(id)}${shownAttempt}: ${codeSpan(question, widestText)}\n`;
  return head + details.map((detail) => `  - ${detail}\n`).join('');
}

function toolText({ expected, used, missing }: ToolsSeen): string {
  const others = used.filter((name) => !expected.includes(name));
  const judged = names(expected, (name) => `${codeSpan(name)} ${missing.includes(name) ? '✗' : '✓'}`);
  const rest = names(others, (name) => codeSpan(name));
  if (expected.length === 0) return `tools: ${rest}`;
  if (used.length === 0) return `tools: ${judged}, none used`;
  if (others.length === 0) return `tools: ${judged}`;
  return `tools: ${judged}, ${missing.length > 0 ? 'used instead' : 'also used'} ${rest}`;
}

function termText(terms: TermsSeen): string {
  const { metric, found, missing } = terms;
  const counts = `${codeSpan(metric)}: ${found.length}/${found.length + missing.length}`;
  return missing.length === 0
    ? counts
    : `${counts}, missing ${names(missing, (name) => codeSpan(describeTerm(name, terms)))}`;
}

function noteText({ name, text }: Note): string {
  return text === '' ? codeSpan(name) : `${codeSpan(name)}: ${codeSpan(text, widestText)}`;
}

function names(all: readonly string[], set: (name: string) => string): string {
  const shown = all.slice(0, mostNames).map(set);
  return [...shown, ...(all.length > mostNames ? [`${all.length - mostNames} more`] : [])].join(', ');
}
