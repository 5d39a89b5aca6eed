import { mergeOutcomes } from '../../core/trials/merge-outcomes.ts';
import {
  type Matrix,
  type MatrixCell,
  matrixCountsPath,
  type MatrixCounts,
  type MatrixList,
  matrixPath,
  type MatrixRow,
  mostColumns,
} from '../../core/schema/api/comparison/matrix.ts';
import { outcomeOfTrial, type Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { countCells } from '../../core/trials/matrix-patterns.ts';
import { attemptsOf, matrixCell, matrixHead, matrixRow, matrixTargets } from '../queries/matrix-row.ts';
import type { ReportInput } from './reporter.ts';
import { writePage } from './html-page.ts';

/** The most rows of the matrix of a report on a run, and the most characters of their answers. */
const most = { rows: 200, characters: 2_000_000 };

/** The answers of a server about a matrix, by their paths. */
type MatrixAnswers = readonly (readonly [path: string, answer: MatrixList | MatrixCounts])[];

/** The matrix of the targets of a run while its report is written. */
interface FileMatrix {
  /** Adds a question with the results of its attempts. It takes the first ones: they come worst first. */
  add(results: readonly Result[]): void;
  /** Returns what the page asks for. */
  answers(questions: number): MatrixAnswers;
}

/**
 * Creates the matrix of a report on a run; undefined for a run with one target, and for a report that was narrowed, which does not
 * have the answers of all targets.
 */
export function createFileMatrix({ run, summary, narrowing }: ReportInput): FileMatrix | undefined {
  if (run.targets.length < 2 || narrowing !== undefined) return undefined;
  const targets = matrixTargets(run, true);
  const names = targets.slice(0, mostColumns);
  const rows: MatrixRow[] = [];
  let characters = 0;
  return {
    add: (results) => {
      const [first] = results;
      if (first === undefined || rows.length === most.rows || characters > most.characters) return;
      const position = Math.floor(first.trial.ordinal / (run.targets.length * run.attempts));
      const cells = names.map((target) => cellOf({ run, target }, { position, results }));
      for (const { answer } of cells) characters += answer?.length ?? 0;
      rows.push(matrixRow({ position, case: first.case }, cells));
    },
    answers: (questions) => {
      const columns = names.map((target) => matrixHead(run, target, summary));
      const leftOut = targets.slice(mostColumns).map((target) => ({ run: run.id, target }));
      const unpaired = names.map(() => ({ cases: 0, first: [] }));
      return answersOf({ columns, leftOut, rows, counts: { unpaired } }, questions);
    },
  };
}

/** Writes a matrix as a page in one file, with the component of the dashboard. */
export function matrixHtml(matrix: Matrix): AsyncGenerator<string> {
  return writePage(toAsync(answersOf(matrix, matrix.counts.matching)));
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* await Promise.resolve(items);
}

/** Returns what the page asks for, with the counts of the rows in the file. */
function answersOf(
  {
    columns,
    leftOut,
    rows,
    counts: { unpaired },
  }: Omit<Matrix, 'counts'> & { readonly counts: Pick<MatrixCounts, 'unpaired'> },
  questions: number,
): MatrixAnswers {
  const results = rows.map(({ cells }) => ({ results: cells.map(({ result }) => result), rows: 1 }));
  const counts = countCells(results, columns.length);
  const of = questions > rows.length && { of: questions };
  return [
    [matrixPath, { columns, leftOut, rows, next: null }],
    [matrixCountsPath, { ...counts, matching: rows.length, ...of, unpaired }],
  ];
}

function cellOf(
  column: { readonly run: Run; readonly target: string },
  { position, results }: { readonly position: number; readonly results: readonly Result[] },
): MatrixCell {
  const { run } = column;
  const tried = attemptsOf(column, position).map((ordinal) =>
    results.find(({ trial }) => trial.ordinal === ordinal),
  );
  const outcomes = tried.flatMap((result) => (result === undefined ? [] : [outcomeOfTrial(run, result)]));
  const merged = outcomes.length === 0 ? null : mergeOutcomes(outcomes, run.attempts, run.caseRule);
  return matrixCell(run, tried, merged);
}
