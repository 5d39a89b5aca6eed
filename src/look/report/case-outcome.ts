import { firstUnits, shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { type Case, readGateMark, statusOn } from '../../core/schema/case.ts';
import type { CaseRule } from '../../core/schema/expected.ts';
import { outcomeOfTrial, type Result, type TrialOutcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { countOutcomes } from '../../core/trials/merge-outcomes.ts';
import { formatPoints } from './format.ts';
import { errorNotes } from './rows/question-row.ts';
import { sayAnswer } from './rows/what-was-missing.ts';

const widestQuestion = 100;

/**
 * Builds the title of a case in lists of tests: its id and the beginning of its question, safe to print, on one line.
 */
export function caseTitle(id: string, question: string): string {
  const shown = shorten(question.replaceAll(/\s+/g, ' ').trim(), widestQuestion);
  const name = toTerminalText(id);
  return shown === '' ? name : `${name}: ${shown}`;
}

/**
 * Returns the reason why the gate exempts a case, from its mark and the day of the run (UTC): `only watched` or `in
 * quarantine until 2026-12-31`. Returns undefined for a case that counts.
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

/**
 * Explains in one or two sentences why a trial did not pass, from the records alone, with the beginning of a wrong answer; empty
 * when it passed. The text may contain anything.
 */
export function explainResult(run: Run, result: Result): string {
  const outcome = outcomeOfTrial(run, result);
  if (outcome === 'passed') return '';
  const errors = errorNotes(run, result).map(({ name, text }) => (text === '' ? name : `${name}: ${text}`));
  if (outcome === 'error' || errors.length > 0) return errors.join('; ');
  if (outcome === 'unscored') return 'answered; the run has no scorecard to grade it';
  const { total = null, grade = null, explanation = 'not scored' } = result.scorecard ?? {};
  const reason = firstUnits(explanation, longestText);
  if (outcome === 'not-measured') return `not measured: ${reason}`;
  const answer = sayAnswer(result);
  const said = answer === '' ? '' : `said "${answer}"`;
  const because = [said, reason].filter(Boolean).join('; ');
  return [[formatPoints(total), grade].filter(Boolean).join(' '), because].filter(Boolean).join(': ');
}

/**
 * Describes how many attempts passed, `3 of 5 attempts passed`, with the requirement of a rule; empty for a single
 * attempt.
 */
export function passCount(outcomes: readonly TrialOutcome[], planned: number, rule?: CaseRule): string {
  if (planned < 2) return '';
  const { passed } = countOutcomes(outcomes);
  if (rule === undefined) return `${passed} of ${planned} attempts passed`;
  return `${passed} of ${outcomes.length} attempts passed, ${rule.passes} of ${planned} have to`;
}
