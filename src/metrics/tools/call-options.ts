import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { comparisonShape } from '../../schema/call-pattern.ts';

/** Options of every metric that compares calls. */
export const callOptions = lazily(() =>
  z.strictObject({
    ...comparisonShape,
    ignoreTools: z
      .array(z.string().min(1))
      .default([])
      .describe('Tools whose calls do not count, such as one that only thinks aloud.'),
  }),
);
