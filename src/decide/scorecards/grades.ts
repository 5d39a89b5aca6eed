import { z } from 'zod';
import { lazily } from '../../core/lib/lazily.ts';
import type { Grade } from '../../core/schema/verdict.ts';

/** The tolerance of comparisons with totals, so that 0.4 + 0.4 · 0.25 + 0.2 reaches 0.7. */
export const tolerance = 1e-9;

/** The grades of the source documents. */
const letterGrades: readonly Grade[] = [
  { grade: 'A', from: 0.9, meaning: 'excellent', action: 'keep it that way' },
  { grade: 'B', from: 0.8, meaning: 'good', action: 'minor improvements are possible' },
  { grade: 'C', from: 0.7, meaning: 'acceptable', action: 'review the questions that failed' },
  {
    grade: 'D',
    from: 0.6,
    meaning: 'needs investigation',
    action: 'find out what goes wrong before you ship it',
  },
  { grade: 'F', from: 0, meaning: 'poor', action: 'there are significant issues; do not ship it' },
];

/** The options of every scorecard with a pass mark and grades. */
export const gradingOptions = lazily(() => ({
  passMark: z.number().min(0).max(1).default(0.7).describe('Least total that passes.'),
  grades: z
    .array(
      z.strictObject({
        grade: z.string().min(1).describe('The name in reports: a letter or a word.'),
        from: z.number().min(0).max(1).describe('The least total with this grade, from 0 to 1.'),
        meaning: z.string().default('').describe('The meaning, for readers of the report.'),
        action: z.string().min(1).optional().describe('What to do about a run whose score is in its range.'),
      }),
    )
    .min(1)
    .refine(
      (grades) => grades.some((grade) => grade.from === 0),
      'one grade must begin at 0, so that every total has a grade',
    )
    .default([...letterGrades])
    .describe('Grades and the least total of each.'),
}));

/** Returns the grade with the highest mark that a total reaches. */
export function gradeOf(total: number, grades: readonly Grade[]): string {
  const reached = grades.filter((grade) => total >= grade.from - tolerance);
  return reached.reduce((best, grade) => (grade.from > best.from ? grade : best)).grade;
}
