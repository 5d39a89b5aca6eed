import { z } from 'zod';
import { checkWeights } from './check-weights.ts';
import { gradingOptions } from './grades.ts';
import { type CriterionUse, defineScorecard } from './scorecard.ts';
import { weightedTotal } from './weighted-total.ts';

const weight = z.number().min(0).max(1);

/**
 * score = 0.40 · tool usage + 0.40 · response quality + 0.20 · error handling.
 * A trial that ended in an error never passes, whatever its score.
 */
export const threeComponent = defineScorecard({
  name: 'three-component',
  version: 1,
  summary: '0.40 · tool usage + 0.40 · response quality + 0.20 · error handling, graded A to F.',
  options: () =>
    z.strictObject({
      weights: z
        .strictObject({
          toolUsage: weight.default(0.4).describe('Share of using the expected tools.'),
          responseQuality: weight.default(0.4).describe('Share of saying the expected keywords.'),
          errorHandling: weight.default(0.2).describe('Share of answering without an error.'),
        })
        .prefault({})
        .describe('Weights of the three components; they add up to 1.'),
      ...gradingOptions(),
    }),
  create: ({ weights, grades, passMark }) => {
    checkWeights('three-component', Object.entries(weights));
    const criteria: CriterionUse[] = [
      criterion('tool usage', 'tool-usage', weights.toolUsage, false),
      criterion('response quality', 'keywords', weights.responseQuality, false),
      criterion('error handling', 'error-handling', weights.errorHandling, true),
    ];
    const rule = { criteria, grades, passMark };
    return { ...rule, evaluate: (verdicts) => weightedTotal(rule, verdicts) };
  },
  reweigh: (options, [toolUsage = 0, responseQuality = 0, errorHandling = 0]) => ({
    ...options,
    weights: { toolUsage, responseQuality, errorHandling },
  }),
});

function criterion(name: string, metric: string, share: number, required: boolean): CriterionUse {
  return { name, metric: { use: metric }, weight: share, required };
}
