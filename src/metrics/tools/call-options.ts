import { z } from 'zod';
import { comparisonShape } from '../../schema/call-pattern.ts';

/** Options of every metric that compares calls. */
export const callOptions = z.strictObject({
  ...comparisonShape,
  ignoreTools: z
    .array(z.string().min(1))
    .default([])
    .describe('Tools whose calls do not count, such as one that only thinks aloud.'),
});
