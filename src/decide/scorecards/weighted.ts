import { z } from 'zod';
import { useOrNameSchema } from '../../core/schema/use.ts';
import { gradingOptions } from './grades.ts';
import { defineScorecard } from './scorecard.ts';
import { checkNames, checkWeights, weightedTotal } from './weighted-total.ts';

/** Combines any metrics with weights that add up to 1 to a total, from 0 to 1, with a grade. */
export const weighted = defineScorecard({
  name: 'weighted',
  version: 1,
  summary: 'Your own criteria: any metrics with weights that add up to 1.',
  words: 'weights, own score, composite, combine metrics, average, total, threshold, pass mark',
  example: {
    criteria: [
      { metric: 'answer-match', weight: 0.7 },
      { metric: 'politeness', weight: 0.3 },
    ],
  },
  options: () =>
    z.strictObject({
      criteria: z
        .array(
          z.strictObject({
            name: z
              .string()
              .min(1)
              .optional()
              .describe("The name in reports; the metric's name when absent."),
            metric: useOrNameSchema.describe(
              'A metric: its name, or the name of one in `metrics`, or the name with options.',
            ),
            weight: z
              .number()
              .min(0)
              .max(1)
              .describe('Its share of the total; with 0 it is shown but does not count.'),
            required: z
              .boolean()
              .default(false)
              .describe('An attempt cannot pass unless this criterion is fully met.'),
          }),
        )
        .min(1)
        .describe('The criteria with their weights.'),
      ...gradingOptions(),
    }),
  create: ({ criteria, grades, passMark }) => {
    const named = criteria.map(({ name, metric, ...rest }) => {
      const use = typeof metric === 'string' ? { use: metric } : metric;
      return { ...rest, metric: use, name: name ?? use.name ?? use.use };
    });
    checkNames(
      'weighted',
      named.map(({ name }) => name),
    );
    checkWeights(
      'weighted',
      named.map(({ name, weight }) => [name, weight]),
    );
    const rule = { criteria: named, grades, passMark };
    return {
      ...rule,
      evaluate: (verdicts, own = passMark) => weightedTotal({ ...rule, passMark: own }, verdicts),
    };
  },
  reweigh: (options, weights) => ({
    ...options,
    criteria: options.criteria.map((criterion, index) => ({ ...criterion, weight: weights[index] ?? 0 })),
  }),
});
