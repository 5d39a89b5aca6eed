import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';

const timeLimit = z.number().positive().max(2_147_483_647);

/** How many processes work at a time, and how long they may take to start and to end. They change no answer. */
export const poolOptions = lazily(() => ({
  processes: z.int().min(1).max(1024).default(1).describe('How many of it run side by side.'),
  inFlight: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe(
      'Questions that one process works on at the same time (`lines` only). With 1, a process whose question ' +
        'ran out of time is killed and started again, since it is still busy; with more, its late answer is dropped.',
    ),
  startupTimeLimitMs: timeLimit
    .optional()
    .describe(
      'For a bot that is slow to start (`lines` only): how long to wait for it to write `{"ready": true}`. ' +
        'Without it, nothing is waited for, and the first answer takes the start as well.',
    ),
  closeTimeLimitMs: timeLimit
    .default(2000)
    .describe('How long it may take to end when its stdin does, before it is made to.'),
}));
