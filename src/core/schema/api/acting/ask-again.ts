import { z } from 'zod';

/** The most questions that are asked again at once: their ids are part of a command line. */
const mostQuestions = 1000;

/** The questions of a run to ask again. */
export const askAgainSchema = z.lazy(() =>
  z.object({
    /** The ids of the questions. */
    ids: z.array(z.string().min(1).max(1000)).min(1).max(mostQuestions),
    /** The names of the targets to ask. */
    targets: z.array(z.string().min(1)).min(1),
    /** The limit of the cost in US dollars. */
    maxCost: z.number().positive().optional(),
  }),
);

/** The plan of asking questions again. */
export const askAgainPlanSchema = z.object({
  /** The command line that does the same. */
  command: z.string(),
  /** The questions, targets, calls and costs, in the words of `--dry-run`. */
  text: z.string(),
});
export type AskAgainPlan = z.infer<typeof askAgainPlanSchema>;
