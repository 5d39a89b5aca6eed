import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { recallOf } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';

/** Share of the expected calls that were made, less a penalty for each other call; never below 0. */
export const toolRecall = defineMetric({
  name: 'tool-recall',
  family: 'tools',
  version: 1,
  reads: ['tools', 'calls'],
  summary: 'Share of the expected tool calls that were made.',
  options: () =>
    gradeOptions().extend({
      extraPenalty: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe('What each call beside the expected ones takes off.'),
    }),
  create: ({ extraPenalty, ...options }) =>
    createGradedMetric(options, (grades) => {
      const recall = recallOf(grades);
      return recall === null ? null : Math.max(0, recall - extraPenalty * grades.extra.length);
    }),
});
