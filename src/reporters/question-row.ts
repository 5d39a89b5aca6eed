import { firstUnits } from '../lib/terminal-text.ts';
import { questionOf, uncategorized } from '../schema/case.ts';
import { type Mark, markOf } from '../schema/mark.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Verdict } from '../schema/verdict.ts';
import { formatPercent } from './format-number.ts';
import {
  metricKind,
  readReportedError,
  readTerms,
  readTools,
  type TermsSeen,
  type ToolsSeen,
} from './read-evidence.ts';

/** Something to say about one trial under a name that may come from anywhere: an error's code, a metric, a criterion. */
export interface Note {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What a report shows of one trial when it does not show all. Small, whatever the size of the answer. */
export interface QuestionRow {
  readonly mark: Mark;
  readonly id: string;
  /** Only when the run asks each question more than once: those that came out like this. */
  readonly attempts: readonly number[];
  readonly category: string;
  readonly question: string;
  readonly total: number | null;
  readonly grade: string | null;
  readonly tools: ToolsSeen | undefined;
  readonly terms: readonly TermsSeen[];
  readonly notes: readonly Note[];
}

/** The sign of each mark. */
export const markSigns = {
  passed: '✓',
  failed: '✗',
  error: '!',
  'not-measured': '?',
  unscored: '·',
} as const satisfies Record<Mark, string>;

const longestText = 600;
/** Criteria whose findings a row shows in a form of their own. */
const toldApart = new Set(['tool-usage', 'keywords', 'entities', 'error-handling']);

/** Draws the small row of a report from everything known of a trial. */
export function questionRow(run: Run, result: Result): QuestionRow {
  return {
    mark: markOf(run, result),
    id: result.case.id,
    attempts: run.attempts > 1 ? [result.trial.attempt] : [],
    category: result.case.category ?? uncategorized,
    question: firstUnits(questionOf(result.case), longestText),
    total: result.scorecard?.total ?? null,
    grade: result.scorecard?.grade ?? null,
    tools: readTools(run, result),
    terms: readTerms(run, result),
    notes: [...errorNotes(run, result), ...criterionNotes(run, result)],
  };
}

/** What went wrong with the call itself, or with an answer that is an error report. */
export function errorNotes(run: Run, result: Result): Note[] {
  const { trial } = result;
  const error = trial.error ?? readReportedError(run, result);
  if (error !== undefined) {
    const tries = trial.retries > 0 ? ` (after ${trial.retries + 1} tries)` : '';
    return [{ name: error.code, text: firstUnits(error.message, longestText) + tries, isError: true }];
  }
  if (trial.status === 'completed') return [];
  return [{ name: trial.status, text: 'no reason was recorded', isError: trial.status === 'failed' }];
}

function criterionNotes(run: Run, result: Result): Note[] {
  if (result.trial.status !== 'completed') return [];
  const { criteria = [], outcomes } = run.scorecard ?? {};
  if (outcomes !== undefined) return outcomeNotes(result.scorecard);
  return criteria.flatMap(({ name, metric, weight, required }) => {
    if (weight === 0 && !required) return [];
    const kind = metricKind(run, metric);
    const text = shortfall(
      result.verdicts[metric],
      toldApart.has(kind),
      required && kind !== 'error-handling',
    );
    return text === undefined ? [] : [{ name, text: firstUnits(text, longestText), isError: false }];
  });
}

/** A scorecard with outcomes says in words what was missed and what it cost. */
function outcomeNotes(scorecard: Result['scorecard']): Note[] {
  if (scorecard === null) return [{ name: 'outcome', text: 'not measured (no verdict)', isError: false }];
  const { total, passed, outcome, explanation } = scorecard;
  if (passed === true && total !== null && total >= 1 - 1e-9) return [];
  return [{ name: outcome ?? 'not measured', text: firstUnits(explanation, longestText), isError: false }];
}

function shortfall(
  verdict: Verdict | undefined,
  isToldApart: boolean,
  required: boolean,
): string | undefined {
  if (verdict === undefined) return 'not measured (no verdict)';
  if (verdict.status === 'failed') return `not measured (${verdict.code}: ${verdict.reason})`;
  if (verdict.status === 'not-applicable' || verdict.value >= 1 - 1e-9) return undefined;
  if (required) return `${formatPercent(verdict.value)}, and it must be met in full`;
  if (isToldApart) return undefined;
  return [formatPercent(verdict.value), verdict.explanation].filter(Boolean).join(', ');
}
