import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Measures the time to the first piece of a streamed answer, in milliseconds from the start of the call; also for a
 * call that failed later. Not applicable to targets that do not stream.
 */
export const firstToken = defineMetric({
  name: 'first-token',
  family: 'operations',
  version: 1,
  quantity: { unit: 'ms', limits: ['maxMs'] },
  summary: 'Milliseconds until the first piece of the answer arrived, for targets that stream.',
  words: 'time to first token, TTFT, streaming, responsiveness, speed, latency',
  example: { maxMs: 800 },
  options: () =>
    z.strictObject({
      maxMs: z.number().positive().optional().describe('The verdict passes up to this many milliseconds.'),
    }),
  create: ({ maxMs }) => ({
    measuresFailures: true,
    score: ({ trial }) => {
      const value = trial.latency?.firstTokenMs;
      if (value === undefined)
        return notApplicable(
          trial.batch === undefined
            ? 'no time to the first token was recorded with the attempt'
            : 'answered in a batch',
        );
      const passed = maxMs === undefined ? undefined : value <= maxMs;
      return { status: 'scored', value, unit: 'ms', passed };
    },
  }),
});
