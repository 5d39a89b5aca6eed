import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Measures how long the target took, in milliseconds; also for a trial that failed. Not applicable to recorded answers
 * without a time.
 */
export const latency = defineMetric({
  name: 'latency',
  family: 'operations',
  aspect: 'answer-time',
  version: 1,
  quantity: { unit: 'ms', limits: ['maxMs'] },
  summary: 'Milliseconds that the target took, failures included.',
  words: 'speed, how fast, response time, slow, duration, performance, milliseconds, p95, timeout',
  example: { maxMs: 2000 },
  options: () =>
    z.strictObject({
      maxMs: z.number().positive().optional().describe('The verdict passes up to this many milliseconds.'),
    }),
  create: ({ maxMs }) => ({
    measuresFailures: true,
    score: ({ trial }) => {
      if (trial.latency === undefined)
        return notApplicable(
          trial.batch === undefined ? 'no time was recorded with the attempt' : 'answered in a batch',
        );
      const value = trial.latency.totalMs;
      return {
        status: 'scored',
        value,
        unit: 'ms',
        passed: maxMs === undefined ? undefined : value <= maxMs,
      };
    },
  }),
});
