import { z } from 'zod';
import { sides } from '../../../lib/filter/filter.ts';
import { targetHeadSchema } from '../run-head.ts';
import { trialOutcomeSchema } from '../trial-row.ts';
import { positiveInt, wholeNumber } from '../../json.ts';

/** The largest number of columns of a matrix. */
export const mostColumns = sides.length;

/** The greatest number of characters of a question in a matrix. */
export const matrixQuestionLength = 2_000;

/** A column of a matrix: a target of a run. */
const matrixColumnSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    target: z.string(),
    /** The name of the run, if it has one. */
    name: z.string().optional(),
    createdAt: z.string(),
    attempts: positiveInt(),
    /** The headline of the target, of all questions of its run; null until the run has a summary. */
    headline: targetHeadSchema.nullable(),
  }),
);
/** A column of a matrix: a target of a run. */
export type MatrixHead = z.infer<typeof matrixColumnSchema>;

/** The answer of a column to a question, with its result: all attempts as one, with the answer of one of them. */
export const matrixCellSchema = z.lazy(() =>
  z.object({
    /** The result of all attempts together; null where nothing was asked yet. */
    result: trialOutcomeSchema.nullable(),
    /** The mean score of the attempts; null when none has one. */
    total: z.number().nullable(),
    /** The place in the plan of the attempt that is shown: the first that turned out as the cell; null without attempts. */
    ordinal: wholeNumber().nullable(),
    /** The beginning of its answer; null without one. */
    answer: z.string().nullable(),
    /** The number of characters of the whole answer. */
    answerLength: wholeNumber(),
    /** The first reason why it did not pass; null where it did. */
    reason: z.string().nullable(),
    /** The first of the expected tools that it did not call; empty where it passed. */
    missedTools: z.array(z.string()),
    /** The results of all attempts, in order; null for one that was not made. */
    attempts: z.array(trialOutcomeSchema.nullable()),
  }),
);
/** The answer of a column to a question, with its result. */
export type MatrixCell = z.infer<typeof matrixCellSchema>;

/** A question with the answers of all columns. */
export const matrixRowSchema = z.lazy(() =>
  z.object({
    /** The position of the case in the plan of the first column, from 0. */
    position: wholeNumber(),
    /** The id and the category of the case in the run of the first column. */
    caseId: z.string(),
    category: z.string(),
    /** The beginning of the question. */
    question: z.string(),
    /** In the order of the columns. */
    cells: z.array(matrixCellSchema),
  }),
);
/** A question with the answers of all columns. */
export type MatrixRow = z.infer<typeof matrixRowSchema>;

/** A part of a matrix: the questions that all columns were asked. */
export const matrixListSchema = z.lazy(() =>
  z.object({
    columns: z.array(matrixColumnSchema),
    /** The targets that were asked for as well, beyond the most that a matrix shows. */
    leftOut: z.array(z.object({ run: z.string(), target: z.string() })),
    rows: z.array(matrixRowSchema),
    /** The place after which the list goes on; null at its end. */
    next: z.string().nullable(),
  }),
);
/** A part of a matrix: the questions that all columns were asked. */
export type MatrixList = z.infer<typeof matrixListSchema>;

const count = wholeNumber();

/** The number of rows of a matrix, of those with each pattern, and what does not pair. */
export const matrixCountsSchema = z.lazy(() =>
  z.object({
    /** The rows that match the filter. */
    matching: count,
    /** All rows; of a file, those that are in it. */
    all: count,
    /** The rows of the matrix that a file is of; absent where it has all of them, and for a server. */
    of: count.optional(),
    /** Of all rows: those where some columns pass and others fail, those where all fail, those where not all pass, and those where one alone fails. */
    differ: count,
    allFail: count,
    notAllPass: count,
    /** In the order of the columns. */
    onlyFails: z.array(count),
    /** The questions of each column that not all others have. */
    unpaired: z.array(z.object({ cases: count, first: z.array(z.string()) })),
  }),
);
/** The number of rows of a matrix, of those with each pattern, and what does not pair. */
export type MatrixCounts = z.infer<typeof matrixCountsSchema>;

/** The answers of several targets or runs to the questions that all of them were asked, and the counts of all rows. */
export interface Matrix extends Pick<MatrixList, 'columns' | 'leftOut' | 'rows'> {
  readonly counts: MatrixCounts;
  /** The order of the rows, such as `mean`; absent for the order of the dataset. */
  readonly sort?: string;
}

/** The paths of the answers of a matrix in one file: the rows, and their counts. */
export const matrixPath = '/matrix';
export const matrixCountsPath = '/matrix/counts';

/** Writes columns as an address and `findColumns` have them: commas and percent signs in the name of a target are encoded. */
export function writeColumns(columns: readonly Pick<MatrixHead, 'run' | 'target'>[]): string {
  return columns
    .map(({ run, target }) => `${run}:${target.replaceAll('%', '%25').replaceAll(',', '%2C')}`)
    .join(',');
}
