import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Measures the cost of the target's calls for a trial in US dollars; also for a trial that failed, which is paid for too.
 * Not applicable when the target reported no cost and the price of its model is unknown.
 */
export const cost = defineMetric({
  name: 'cost',
  family: 'operations',
  version: 2,
  quantity: { unit: 'USD', limits: ['max'] },
  summary: 'US dollars that the target cost, failures included.',
  words: 'price, dollars, money, spend, budget, expensive, usage, price of a call, cost per question',
  example: { max: 0.01 },
  options: () =>
    z.strictObject({
      max: z.number().min(0).optional().describe('The verdict passes up to this many US dollars.'),
    }),
  create: ({ max }) => ({
    measuresFailures: true,
    score: ({ trial: { cost: value } }) => {
      if (value === undefined) return notApplicable('no cost was reported with the attempt');
      return { status: 'scored', value, unit: 'USD', passed: max === undefined ? undefined : value <= max };
    },
  }),
});
