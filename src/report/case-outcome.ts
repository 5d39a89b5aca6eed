import { firstUnits, shorten, toTerminalText } from '../lib/text/terminal-text.ts';
import { type Case, readGateMark, statusOn } from '../schema/case.ts';
import { type CaseRule, verdictOnCase } from '../schema/expected.ts';
import { type Mark, markOf } from '../schema/mark.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { formatPoints } from './format.ts';
import { errorNotes } from './rows/question-row.ts';

const widestQuestion = 100;

/** The name of a case where tests are listed: its id and the beginning of its question, safe to print, on one line. */
export function caseTitle(id: string, question: string): string {
  const shown = shorten(question.replaceAll(/\s+/g, ' ').trim(), widestQuestion);
  const name = toTerminalText(id);
  return shown === '' ? name : `${name}: ${shown}`;
}

/**
 * Why a case is not held against a target, by its mark and the day on which the run was made (UTC), as the gate has it:
 * `only watched` or `in quarantine until 2026-12-31`. Undefined for a case that counts.
 */
export function exemptionOf(run: Pick<Run, 'createdAt'>, { gate }: Pick<Case, 'gate'>): string | undefined {
  const mark = gate === undefined ? undefined : readGateMark(gate);
  const status = statusOn(run.createdAt.slice(0, 10), mark);
  if (status === 'watch') return 'only watched';
  return status === 'quarantine' && mark?.status === 'quarantine'
    ? `in quarantine until ${mark.until}`
    : undefined;
}

const longestText = 600;

/** Why a trial did not pass, in one sentence or two, from the records alone; empty when it passed. Text of any kind. */
export function explainResult(run: Run, result: Result): string {
  const mark = markOf(run, result);
  if (mark === 'passed') return '';
  const errors = errorNotes(run, result).map(({ name, text }) => (text === '' ? name : `${name}: ${text}`));
  if (mark === 'error' || errors.length > 0) return errors.join('; ');
  if (mark === 'unscored') return 'answered; without a scorecard nothing says whether that is right';
  const { total = null, grade = null, explanation = 'not scored' } = result.scorecard ?? {};
  const reason = firstUnits(explanation, longestText);
  if (mark === 'not-measured') return `not measured: ${reason}`;
  return [[formatPoints(total), grade].filter(Boolean).join(' '), reason].filter(Boolean).join(': ');
}

const worstFirst = ['unscored', 'failed', 'error', 'not-measured'] as const satisfies readonly Mark[];

/**
 * How a case came out whose attempts came out like this: it passed only when every planned attempt did. Otherwise the
 * gravest of them counts, a failure before an error, an error before what was not measured; an attempt that was not made
 * is not measured. With a rule, so many of the attempts have to pass as it says.
 */
export function mergeMarks(marks: readonly Mark[], planned: number, rule?: CaseRule): Mark {
  if (rule !== undefined && planned >= rule.passes) {
    const verdict = verdictOnCase(rule, { planned, ...countMarks(marks) });
    if (verdict !== 'undecided') return verdict;
    return marks.find((mark) => mark !== 'passed' && mark !== 'failed') ?? 'not-measured';
  }
  const worst = worstFirst.find((mark) => marks.includes(mark));
  return worst ?? (marks.length < planned ? 'not-measured' : 'passed');
}

/** How many of the attempts passed: `3 of 5 attempts passed`, with what a rule asks for; empty when there is only one. */
export function passCount(marks: readonly Mark[], planned: number, rule?: CaseRule): string {
  if (planned < 2) return '';
  const { passed } = countMarks(marks);
  if (rule === undefined) return `${passed} of ${planned} attempts passed`;
  return `${passed} of ${marks.length} attempts passed, ${rule.passes} of ${planned} have to`;
}

function countMarks(marks: readonly Mark[]): { readonly passed: number; readonly measured: number } {
  const passed = marks.filter((mark) => mark === 'passed').length;
  return { passed, measured: passed + marks.filter((mark) => mark === 'failed').length };
}
