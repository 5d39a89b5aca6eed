import { z } from 'zod';

// Every page of the dashboard loads this file, so that it imports nothing large.

const count = z.int().nonnegative();

export const feedbackCountsSchema = z.object({
  all: count,
  matched: count,
  waiting: count,
  unmatched: count,
});

/** The numbers of records of feedback. */
export const feedbackSizeSchema = z.lazy(() => z.object({ counts: feedbackCountsSchema }));

/** The numbers of proposed cases, and of the traces of which they can be proposed. */
export const proposalSizeSchema = z.object({ proposals: count, traces: count });

/** The lengths of periods. */
export const periodLengths = ['day', 'week', 'month'] as const;

/** The answers that a number is about. */
export const saidChoices = [
  'reacted',
  'every',
  'rated',
  'negative',
  'neutral',
  'positive',
  'unrated',
  'edited',
  'escalated',
] as const;
export type SaidChoice = (typeof saidChoices)[number];
