import { z } from 'zod';
import { judgementSchema } from './judgement.ts';
import { resultSchema } from './result.ts';
import { runSchema } from './run.ts';
import { summarySchema } from './summary.ts';

/** Raised when a reader of older reports could misunderstand a newer one. */
export const reportVersion = 1;

/** The JSON report of a run. */
export const reportSchema = z.lazy(() =>
  z.object({
    version: z.literal(reportVersion),
    run: runSchema().omit({ summary: true }),
    summary: summarySchema,
    /** What `results` was narrowed to; the summary is that of the whole run. Missing when there is everything. */
    narrowing: z.string().optional(),
    results: z.array(resultSchema),
    /** What judges were asked about these results, and what they said: the whole of it; only where single cases are shown. */
    judgements: z.array(judgementSchema).optional(),
  }),
);
/** The JSON report of a run. */
export type Report = z.infer<typeof reportSchema>;
