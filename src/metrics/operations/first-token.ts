import { z } from 'zod';
import { defineMetric } from '../metric.ts';

/** Time to the first piece of the answer in milliseconds, of targets that stream; also of a call that failed later. */
export const firstToken = defineMetric({
  name: 'first-token',
  family: 'operations',
  version: 1,
  quantity: { unit: 'ms', limits: ['maxMs'] },
  summary: 'Milliseconds until the first piece of the answer came, for targets that stream.',
  options: () =>
    z.strictObject({
      maxMs: z.number().positive().optional().describe('The verdict passes up to this many milliseconds.'),
    }),
  create: ({ maxMs }) => ({
    measuresFailures: true,
    score: ({ trial }) => {
      const value = trial.latency?.firstTokenMs;
      if (value === undefined) {
        return { status: 'not-applicable', reason: 'no time to the first token was recorded with the trial' };
      }
      const passed = maxMs === undefined ? undefined : value <= maxMs;
      return { status: 'scored', value, unit: 'ms', passed };
    },
  }),
});
