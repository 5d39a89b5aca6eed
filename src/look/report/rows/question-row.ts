import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { listedQuestion, uncategorized } from '../../../core/schema/case.ts';
import { outcomeOfTrial, type Result, type TrialOutcome } from '../../../core/schema/result.ts';
import { aspectOf, type MetricAspect } from '../../../core/schema/metric.ts';
import type { Run, RunMetric } from '../../../core/schema/run.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { formatPercent } from '../format.ts';
import type { Phrase } from '../phrase.ts';
import { nameDocuments } from './document-rows.ts';
import { sayAnswer, whatWasMissing } from './what-was-missing.ts';
import { breaksCallRule, readReportedError, readTerms, type TermsSeen } from '../read-evidence.ts';
import {
  type EvidencePart,
  findMetric,
  partsOf,
  readTools,
  type ToolsSeen,
} from '../../../core/trials/verdict-evidence.ts';

/** Largest number of rows shown with the same error. */
const mostAlike = 5;

/** Merges attempts at a question that are the same in every respect to one row. Rows are in the order of the plan. */
export function mergeAttempts(rows: readonly QuestionRow[]): QuestionRow[] {
  const merged: QuestionRow[] = [];
  for (const row of rows) {
    const alike = merged.findLastIndex((other) => isSame(other, row));
    const other = merged[alike];
    if (other === undefined) merged.push(row);
    else merged[alike] = { ...other, attempts: [...other.attempts, ...row.attempts] };
  }
  return merged;
}

function isSame(one: QuestionRow, other: QuestionRow): boolean {
  if (one.id !== other.id) return false;
  const told = (row: QuestionRow) => JSON.stringify({ ...row, attempts: [], said: '' });
  return told(one) === told(other);
}

/** Removes questions whose call failed with the same error as several questions before them. */
export function withoutRepeats(rows: readonly QuestionRow[]): QuestionRow[] {
  const counts = new Map<string, number>();
  return rows.filter(({ outcome, notes }) => {
    if (outcome !== 'error') return true;
    const key = JSON.stringify(notes);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= mostAlike;
  });
}

/** A note on one trial under a name that may come from outside: an error code, a metric, a criterion. */
export interface Note {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A short form of one trial. It is small, whatever the size of the answer. */
export interface QuestionRow {
  readonly outcome: TrialOutcome;
  readonly id: string;
  /** The attempts with this result; empty when the run asks each question once. */
  readonly attempts: readonly number[];
  readonly category: string;
  readonly question: string;
  /** The beginning of the answer on one line; empty where there is none. */
  readonly said: string;
  /** The shortcomings of the answer in everyday words, the most telling first. */
  readonly missing: readonly Phrase[];
  readonly total: number | null;
  /** The lowest share that a metric gives an answer without a total; null without one. */
  readonly lowest: number | null;
  readonly grade: string | null;
  readonly tools: ToolsSeen | undefined;
  readonly terms: readonly TermsSeen[];
  readonly notes: readonly Note[];
}

const longestText = 600;
/** The aspects whose findings a row shows separately: the tools, the terms and the error of a trial. */
const shownSeparately: readonly (MetricAspect | null)[] = ['expected-tools', 'expected-terms', 'no-error'];

/** Builds the row of a trial from its result. */
export function questionRow(run: Run, result: Result): QuestionRow {
  return {
    outcome: outcomeOfTrial(run, result),
    id: result.case.id,
    attempts: run.attempts > 1 ? [result.trial.attempt] : [],
    category: result.case.category ?? uncategorized,
    question: firstUnits(listedQuestion(result.case), longestText),
    said: sayAnswer(result),
    missing: whatWasMissing(run, result),
    total: result.scorecard?.total ?? null,
    lowest: run.scorecard === null ? lowestShare(result) : null,
    grade: result.scorecard?.grade ?? null,
    tools: readTools(run, result),
    terms: readTerms(run, result),
    notes: notesOn(run, result),
  };
}

function lowestShare({ verdicts }: Result): number | null {
  const shares = Object.values(verdicts).flatMap((verdict) =>
    verdict.status === 'scored' && verdict.unit === undefined ? [verdict.value] : [],
  );
  return shares.length === 0 ? null : Math.min(...shares);
}

/** Lists the notes on a trial; for one without a score, at least the reason. */
function notesOn(run: Run, result: Result): Note[] {
  const notes = [...errorNotes(run, result), ...criterionNotes(run, result), ...retrievedNotes(run, result)];
  if (notes.length > 0 || outcomeOfTrial(run, result) !== 'not-measured' || result.scorecard === null)
    return notes;
  return [
    { name: 'not measured', text: firstUnits(result.scorecard.explanation, longestText), isError: false },
  ];
}

/** The most documents that a note names. */
const mostDocuments = 8;

/** Names what a target retrieved where the case expects documents and did not pass. */
function retrievedNotes(run: Run, { case: testCase, trial, ...result }: Result): Note[] {
  const { documents = [] } = testCase.expected;
  if (documents.length === 0 || trial.status !== 'completed') return [];
  if (outcomeOfTrial(run, { case: testCase, trial, ...result }) === 'passed') return [];
  const text = nameDocuments(trial, mostDocuments);
  return text === undefined
    ? []
    : [{ name: 'retrieved', text: firstUnits(text, longestText), isError: false }];
}

/** Describes the error of the call itself, or of an answer that is an error report. */
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
    const text = shortfall(findMetric(run, metric), result.verdicts[metric], required);
    return text === undefined ? [] : [{ name, text: firstUnits(text, longestText), isError: false }];
  });
}

/** Describes the result of a scorecard with outcomes, whose explanation states what was missed and its cost. */
function outcomeNotes(scorecard: Result['scorecard']): Note[] {
  if (scorecard === null) return [{ name: 'outcome', text: 'not measured (no verdict)', isError: false }];
  const { total, passed, outcome, explanation } = scorecard;
  if (passed === true && total !== null && total >= 1 - 1e-9) return [];
  return [{ name: outcome ?? 'not measured', text: firstUnits(explanation, longestText), isError: false }];
}

/** Describes what a verdict lacks; undefined when it lacks nothing, or nothing but what a row shows separately. */
function shortfall(
  metric: RunMetric | undefined,
  verdict: Verdict | undefined,
  required: boolean,
): string | undefined {
  if (verdict === undefined) return 'not measured (no verdict)';
  if (verdict.status === 'failed') return `not measured (${verdict.code}: ${verdict.reason})`;
  if (verdict.status === 'not-applicable' || verdict.value >= 1 - 1e-9) return undefined;
  const aspect = aspectOf(metric);
  if (required && aspect !== 'no-error') {
    return `${formatPercent(verdict.value)}, and it must be met in full`;
  }
  if (shownSeparately.includes(aspect) && !breaksCallRule(verdict)) return undefined;
  const parts = partsOf(metric, verdict.evidence ?? null);
  if (parts.length > 0) return describeParts(parts);
  return [formatPercent(verdict.value), verdict.explanation].filter(Boolean).join(', ');
}

/** Describes what the parts of a verdict lack, except for the terms that a row shows separately. */
function describeParts(parts: readonly EvidencePart[]): string | undefined {
  const lacking = parts.filter(
    ({ aspect, value }) => value !== null && value < 1 - 1e-9 && !shownSeparately.includes(aspect),
  );
  if (lacking.length === 0) return undefined;
  return lacking
    .map(({ name, value, explanation }) => `${name}: ${explanation ?? formatPercent(value)}`)
    .join('; ');
}
