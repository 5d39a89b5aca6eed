import { z } from 'zod';
import { judgementSchema } from '../judgement.ts';
import { resultSchema } from '../result.ts';
import { runSchema } from '../run.ts';
import { summarySchema } from '../summary.ts';
import { workerViewSchema } from './worker-view.ts';

/** The version of the report format; raised when a reader of older reports could misunderstand a newer one. */
export const reportVersion = 1;

/** The JSON report of a run. */
export const reportSchema = z.lazy(() =>
  z.object({
    version: z.literal(reportVersion),
    run: runSchema().omit({ summary: true }),
    summary: summarySchema,
    /**
     * The filter that `results` was narrowed to, while the summary covers the whole run. Absent when all results are
     * included.
     */
    narrowing: z.string().optional(),
    /**
     * Expectations of the cases that no metric reads, in the words of the headline: the scores do not cover it, and a gate is not
     * measured. Absent when the scores cover all.
     */
    unread: z.array(z.string()).min(1).optional(),
    results: z.array(resultSchema),
    /** The processes that work on the run, as they have last reported themselves; present only while it is under way. */
    workers: z.array(workerViewSchema).optional(),
    /** The judgements behind these results in full; present only when the report shows single cases. */
    judgements: z.array(judgementSchema).optional(),
  }),
);
/** The JSON report of a run. */
export type Report = z.infer<typeof reportSchema>;
