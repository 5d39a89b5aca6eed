import { z } from 'zod';
import { positiveInt, wholeNumber } from '../json.ts';

/** The weights of a finding: an error stops a run or makes its numbers wrong, a warning weakens them, a note informs. */
export const lintSeverities = ['error', 'warning', 'note'] as const;
export type LintSeverity = (typeof lintSeverities)[number];

/** A place in a file of a dataset. Lines and columns count from 1. */
const lintPlaceShape = {
  file: z.string(),
  line: positiveInt().optional(),
  column: positiveInt().optional(),
  /** The id of the case that is there. */
  caseId: z.string().optional(),
};

/** One finding about a dataset: what a rule found, where, and what to do about it. */
export const lintFindingSchema = z.lazy(() =>
  z.object({
    rule: z.string(),
    severity: z.enum(lintSeverities),
    ...lintPlaceShape,
    /** A sentence on what was found, with the actual value. */
    message: z.string(),
    /** The action to take. */
    remedy: z.string(),
    /** The place of another case that the finding is about, such as the first of two duplicates. */
    related: z.object(lintPlaceShape).optional(),
  }),
);
export type LintFinding = z.infer<typeof lintFindingSchema>;

/** All findings about a dataset, errors first. */
export const lintReportSchema = z.lazy(() =>
  z.object({
    sources: z.array(z.string()),
    /** The files that the dataset must share no question with; absent when none were given. */
    against: z.array(z.string()).optional(),
    /** The number of cases that could be read. */
    cases: wholeNumber(),
    counts: z.object({
      error: wholeNumber(),
      warning: wholeNumber(),
      note: wholeNumber(),
    }),
    /** The rules that were switched off. */
    skipped: z.array(z.string()),
    findings: z.array(lintFindingSchema),
  }),
);
export type LintReport = z.infer<typeof lintReportSchema>;
