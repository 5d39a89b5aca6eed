import { z } from 'zod';
import { withName } from '../../core/lib/define.ts';
import { useOrNameSchema } from '../../core/schema/use.ts';
import type { ScorecardResult } from '../../core/schema/verdict.ts';
import { evaluateMarks } from './binary-weighted/evaluate.ts';
import { createOutcomeRules, outcomeOptions } from './binary-weighted/outcome-rules.ts';
import type { BinaryCriterion } from './binary-weighted/read-marks.ts';
import { tolerance } from './grades.ts';
import { defineScorecard } from './scorecard.ts';
import { checkNames, checkWeights } from './weighted-total.ts';

const criterionSchema = z.lazy(() =>
  z.strictObject({
    name: z.string().min(1).optional().describe("The name in reports; the metric's name when absent."),
    metric: useOrNameSchema.describe(
      'The metric that decides whether the criterion is true: `check`, `function`, `question`, any other, or the name of one in `metrics`.',
    ),
    weight: z
      .number()
      .min(0)
      .max(1)
      .describe('Its share of the score; with 0 it is shown and can be a condition, but does not count.'),
    atLeast: z
      .number()
      .optional()
      .describe('The criterion is true when the value of the metric is at least this.'),
    atMost: z
      .number()
      .optional()
      .describe('The criterion is true when the value of the metric is at most this.'),
    required: z.boolean().default(false).describe('An attempt cannot pass unless this criterion is met.'),
    caps: z
      .string()
      .min(1)
      .optional()
      .describe('The best outcome that an attempt can have without meeting this criterion.'),
    negative: z
      .boolean()
      .default(false)
      .describe(
        'Marks a criterion that should be false: when true, its weight is subtracted from the score, which never falls below 0.',
      ),
    whenTrue: z
      .string()
      .min(1)
      .optional()
      .describe('The phrase for explanations when the criterion is true: "the right people were invited".'),
    whenFalse: z
      .string()
      .min(1)
      .optional()
      .describe('The phrase for explanations when the criterion is false: "the wrong people were invited".'),
  }),
);

/**
 * Scores criteria that are true or false by weights that add up to 1: the score is the sum of the weights of the true
 * ones, from 0 to 1, and the score with conditions decides the outcome. Source: "Binary weighted evaluations".
 */
export const binaryWeighted = defineScorecard({
  name: 'binary-weighted',
  version: 1,
  summary:
    'Criteria that are true or false: the weights of the true ones add up to a score, which decides the outcome.',
  words: 'checklist, points, true or false, criteria with weights, rubric, pass mark',
  example: {
    criteria: [{ name: 'booked', weight: 1, metric: { use: 'check', path: 'state.booked', truthy: true } }],
  },
  options: () =>
    z.strictObject({
      criteria: z
        .array(criterionSchema)
        .min(1)
        .describe('The criteria with their weights; four to seven are enough.'),
      ...outcomeOptions,
    }),
  create: ({ criteria, ...settings }) => {
    const named = criteria.map(toCriterion);
    checkNames(
      'binary-weighted',
      named.map(({ name }) => name),
    );
    checkWeights(
      'binary-weighted',
      named.filter(({ negative }) => negative !== true).map(({ name, weight }) => [name, weight]),
    );
    const outcomes = createOutcomeRules(settings, named);
    const { rules, passes } = outcomes;
    return {
      criteria: named.map(({ whenTrue: _true, whenFalse: _false, ...criterion }) => criterion),
      grades: [],
      outcomes: rules,
      passMark: Math.min(...rules.filter(({ outcome }) => passes.includes(outcome)).map(({ from }) => from)),
      evaluate: (verdicts, own) => {
        const result = evaluateMarks(named, outcomes, verdicts);
        return own === undefined ? result : { ...result, passed: passesFrom(own, result) };
      },
    };
  },
  reweigh: (options, weights) => ({
    ...options,
    criteria: options.criteria.map((criterion, index) => ({ ...criterion, weight: weights[index] ?? 0 })),
  }),
});

function toCriterion({
  name: given,
  metric,
  negative,
  atLeast,
  atMost,
  caps,
  ...rest
}: z.output<typeof criterionSchema>): BinaryCriterion {
  const use = typeof metric === 'string' ? { use: metric } : metric;
  const name = given ?? use.name ?? use.use;
  return {
    ...rest,
    name,
    metric: use.name === undefined && given !== undefined ? withName(use, given) : use,
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
    ...(caps !== undefined && { caps }),
    ...(negative && { negative }),
  };
}

/** Returns whether a score passes from the pass mark of its case; null when that is not known. */
function passesFrom(passMark: number, { lower, upper }: ScorecardResult): boolean | null {
  if (lower >= passMark - tolerance) return true;
  return upper < passMark - tolerance ? false : null;
}
