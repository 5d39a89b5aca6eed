import { defineMetric } from '../metric.ts';
import { recallOf } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';
import { share } from '../../../core/schema/json.ts';

/**
 * Computes the share of the expected tool calls that were made, from 0 to 1, less an optional penalty for each other
 * call. Not applicable when no call is expected.
 */
export const toolRecall = defineMetric({
  name: 'tool-recall',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'Share of the expected tool calls that were made.',
  words: 'missing tools, function calling, agent, tool selection, forgot to call',
  options: () =>
    gradeOptions().extend({
      extraPenalty: share().default(0).describe('The penalty for each call that was not expected.'),
    }),
  create: ({ extraPenalty, ...options }) =>
    createGradedMetric(options, (grades) => {
      const recall = recallOf(grades);
      return recall === null ? null : Math.max(0, recall - extraPenalty * grades.extra.length);
    }),
});
