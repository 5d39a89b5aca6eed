import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';

/** How fast a server may be asked. They change no answer, so another value is no other target. */
export const limitOptions = lazily(() => ({
  maxConcurrency: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Most questions that it can work on at the same time; no more are sent.'),
  requestsPerMinute: z
    .number()
    .positive()
    .optional()
    .describe('Most requests a minute to this server, from all parts of the run together.'),
  tokensPerMinute: z
    .number()
    .positive()
    .optional()
    .describe('Most tokens a minute to this server, estimated from what is sent until `usage` says more.'),
  maxWaitMs: z
    .number()
    .min(0)
    .optional()
    .describe(
      'Most milliseconds that one question waits after refusals (429, 503 with Retry-After); 300,000 when left out.',
    ),
}));
