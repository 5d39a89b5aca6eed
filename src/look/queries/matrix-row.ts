import { weighAttempts } from '../../decide/analysis/attempts.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import { pairedTextLength } from '../../core/schema/api/comparison/paired-case.ts';
import {
  type MatrixCell,
  type MatrixHead,
  type MatrixRow,
  matrixQuestionLength,
} from '../../core/schema/api/comparison/matrix.ts';
import { toTargetHead } from '../../core/schema/api/to-run-head.ts';
import { listedQuestion, uncategorized } from '../../core/schema/case.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { outcomeOfTrial, type PlannedCase, type Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary } from '../../core/schema/summary.ts';
import { traitsOf } from '../../core/trials/trial-traits.ts';
import { whatWasMissing } from '../report/rows/what-was-missing.ts';

/**
 * Returns the targets of a run that are columns of a matrix: the targets without a condition, or with one where the run is the only one and
 * has no other target to compare with.
 */
export function matrixTargets({ targets }: Pick<Run, 'targets'>, isAlone: boolean): string[] {
  const plain = withoutConditions(targets);
  return (isAlone && plain.length === 1 ? targets : plain).map(({ name }) => name);
}

/** Returns the head of a column, with the headline of its target as far as there is a summary. */
export function matrixHead(
  { id, name, createdAt, attempts }: Run,
  target: string,
  summary: Summary | undefined,
): MatrixHead {
  const ofTarget = summary?.targets.find((each) => each.target === target);
  const headline = ofTarget === undefined ? null : toTargetHead(ofTarget);
  return { run: id, target, name, createdAt, attempts, headline };
}

/** Returns the row of a question with the cells of all columns. */
export function matrixRow(
  { position, case: testCase }: Pick<PlannedCase, 'position' | 'case'>,
  cells: MatrixCell[],
): MatrixRow {
  const { id, category = uncategorized } = testCase;
  const question = firstUnits(listedQuestion(testCase), matrixQuestionLength);
  return { position, caseId: id, category, question, cells };
}

/** Returns the ordinals of the attempts of a column at the case at a position. */
export function attemptsOf(
  { run: { targets, attempts }, target }: { readonly run: Run; readonly target: string },
  position: number,
): number[] {
  const first = (position * targets.length + targets.findIndex(({ name }) => name === target)) * attempts;
  return Array.from({ length: attempts }, (_, index) => first + index);
}

/**
 * Returns the cell of a column: the result of the first attempt that turned out as all of them together.
 * @param tried - The results of all attempts, undefined for one that was not made.
 * @param outcome - The result of all attempts together.
 */
export function matrixCell(
  run: Run,
  tried: readonly (Result | undefined)[],
  outcome: MatrixCell['result'],
): MatrixCell {
  const attempts = tried.map((result) => (result === undefined ? null : outcomeOfTrial(run, result)));
  const made = tried.flatMap((result) => result ?? []);
  const shown = made.find((result) => outcomeOfTrial(run, result) === outcome) ?? made[0];
  const answer = shown?.trial.answer ?? null;
  return {
    result: outcome,
    total: meanTotal(run, made),
    ordinal: shown?.trial.ordinal ?? null,
    answer: answer === null ? null : firstUnits(answer, pairedTextLength),
    answerLength: answer?.length ?? 0,
    reason: shown === undefined || outcome === 'passed' ? null : reasonOf(run, shown),
    missedTools: shown === undefined || outcome === 'passed' ? [] : missedToolsOf(run, shown),
    attempts,
  };
}

/** Returns the mean score of attempts, weighted where attempts stop as soon as their case is settled, as comparisons have it. */
function meanTotal(run: Run, made: readonly Result[]): number | null {
  const passed = made.map(({ trial, scorecard }) =>
    trial.status === 'completed' && scorecard?.total !== null ? (scorecard?.passed ?? null) : null,
  );
  const weights = weighAttempts(run)?.(passed).weights ?? [];
  let [sum, weight] = [0, 0];
  for (const [at, { trial, scorecard }] of made.entries()) {
    const total = trial.status === 'completed' ? (scorecard?.total ?? null) : null;
    if (total === null) continue;
    sum += total * (weights[at] ?? 1);
    weight += weights[at] ?? 1;
  }
  return weight === 0 ? null : sum / weight;
}

/** The most missed tools that a cell names. */
const mostMissed = 3;

/** Returns the first expected tools that an attempt did not call, as filters name them. */
function missedToolsOf(run: Run, result: Result): string[] {
  const missed = traitsOf(run, result).filter(({ field }) => field === 'missingTool');
  return missed.slice(0, mostMissed).map(({ value }) => value);
}

/** Returns the first reason why an attempt did not pass, as one text. */
function reasonOf(run: Run, result: Result): string | null {
  const [first] = whatWasMissing(run, result);
  if (first === undefined) return null;
  return first
    .map((piece) =>
      typeof piece === 'string' ? piece : piece.isText === true ? `“${piece.quoted}”` : piece.quoted,
    )
    .join('');
}
