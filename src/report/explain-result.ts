import { firstUnits } from '../lib/terminal-text.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { formatPoints } from './format/format-number.ts';
import { markOf } from '../schema/mark.ts';
import { errorNotes } from './rows/question-row.ts';

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
