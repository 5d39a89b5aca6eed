import { z } from 'zod';
import { useOrNameSchema } from '../../core/schema/use.ts';
import type { ScorecardResult, Verdict } from '../../core/schema/verdict.ts';
import { defineScorecard } from './scorecard.ts';

/**
 * Takes the total and the pass of one verdict as they are, such as those that another tool recorded: an answer with a
 * total of 0.7 passed there or did not, whatever our pass mark would say.
 */
export const recorded = defineScorecard({
  name: 'recorded',
  version: 1,
  summary: 'The total and the pass that another tool recorded.',
  words: 'other tool, imported total, existing score',
  example: { metric: 'recorded-score' },
  options: () =>
    z.strictObject({
      metric: useOrNameSchema.describe('The metric whose verdict is the total, such as `recorded-verdict`.'),
    }),
  create: ({ metric: named }) => {
    const metric = typeof named === 'string' ? { use: named } : named;
    const name = metric.name ?? metric.use;
    return {
      criteria: [{ name, metric, weight: 1, required: false }],
      grades: [],
      passMark: 1,
      evaluate: (verdicts) => resultOf(verdicts.get(name)),
    };
  },
});

function resultOf(verdict: Verdict | undefined): ScorecardResult {
  if (verdict?.status === 'scored' && verdict.unit === undefined) {
    const { value, passed = null, explanation = '' } = verdict;
    return { total: value, lower: value, upper: value, grade: null, passed, explanation };
  }
  const explanation =
    verdict === undefined ? 'not measured' : verdict.status === 'scored' ? 'not a share' : verdict.reason;
  return { total: null, lower: 0, upper: 1, grade: null, passed: null, explanation };
}
