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

/** The review tasks of the store, the newest first. */
export const reviewListSchema = z.object({ tasks: z.array(reviewRowSchema) });
