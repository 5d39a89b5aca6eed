import { z } from 'zod';

/** A review task, as lists show it. */
const reviewRowSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** The ids of its rubrics. */
  rubrics: z.array(z.string()),
  /** The id of the run whose answers are labelled. */
  run: z.string(),
  items: z.int().positive(),
  /** A day, such as 2026-12-31. */
  due: z.string().optional(),
  status: z.enum(['open', 'closed']),
});
export type ReviewRow = z.infer<typeof reviewRowSchema>;

/** A question about single answers that an earlier task asked, in its newest words. */
const askedQuestionSchema = z.object({ rubric: z.string(), question: z.string() });
export type AskedQuestion = z.infer<typeof askedQuestionSchema>;

/** The review tasks of the store, the newest first. */
export const reviewListSchema = z.object({
  tasks: z.array(reviewRowSchema),
  /** The questions that a new task can ask again. */
  questions: z.array(askedQuestionSchema),
  /** True when the person may create tasks. */
  mayCreate: z.boolean(),
  /** The name that the server knows: of the person who is signed in, or who started it. */
  person: z.string().optional(),
});
export type ReviewList = z.infer<typeof reviewListSchema>;
