import { z } from 'zod';
import { withName } from '../lib/define.ts';
import { useOrNameSchema } from '../schema/use.ts';
import { evaluateMarks } from './binary-weighted/evaluate.ts';
import { createOutcomeRules, outcomeOptions } from './binary-weighted/outcome-rules.ts';
import type { BinaryCriterion } from './binary-weighted/read-marks.ts';
import { defineScorecard } from './scorecard.ts';
import { checkNames, checkWeights } from './weighted-total.ts';

const criterionSchema = z.lazy(() =>
  z.strictObject({
    name: z.string().min(1).optional().describe("What reports call it; the metric's name when left out."),
    metric: useOrNameSchema.describe(
      'The metric that says whether it is true: `check`, `function`, `question` or any other.',
    ),
    weight: z
      .number()
      .min(0)
      .max(1)
      .describe('Its share of the score; 0 shows it, and makes it a condition, without counting it.'),
    atLeast: z.number().optional().describe('True when the value of the metric is not less.'),
    atMost: z.number().optional().describe('True when the value of the metric is not more.'),
    required: z.boolean().default(false).describe('A trial cannot pass unless this is met.'),
    caps: z
      .string()
      .min(1)
      .optional()
      .describe('The best outcome that a trial can have that does not meet this.'),
    negative: z
      .boolean()
      .default(false)
      .describe('True is bad: takes its weight off the score, which never falls below 0.'),
    whenTrue: z
      .string()
      .min(1)
      .optional()
      .describe('What to say when it is true: "the right people were invited".'),
    whenFalse: z
      .string()
      .min(1)
      .optional()
      .describe('What to say when it is false: "the wrong people were invited".'),
  }),
);

/**
 * Criteria that are true or false, with weights that add up to 1: the score is the sum of the weights of the true ones, and
 * the score, with conditions, decides on the outcome. After "Binary weighted evaluations".
 */
export const binaryWeighted = defineScorecard({
  name: 'binary-weighted',
  version: 1,
  summary:
    'Criteria that are true or false: the weights of the true ones add up to a score, which decides on an outcome.',
  options: () =>
    z.strictObject({
      criteria: z
        .array(criterionSchema)
        .min(1)
        .describe('What is judged, and how much each part weighs: four to seven are enough.'),
      ...outcomeOptions,
    }),
  create: ({ criteria, ...given }) => {
    const named = criteria.map(toCriterion);
    checkNames(
      'binary-weighted',
      named.map(({ name }) => name),
    );
    checkWeights(
      'binary-weighted',
      named.filter(({ negative }) => negative !== true).map(({ name, weight }) => [name, weight]),
    );
    const outcomes = createOutcomeRules(given, named);
    const { rules, passes } = outcomes;
    return {
      criteria: named.map(({ whenTrue: _true, whenFalse: _false, ...criterion }) => criterion),
      grades: [],
      outcomes: rules,
      passMark: Math.min(...rules.filter(({ outcome }) => passes.includes(outcome)).map(({ from }) => from)),
      evaluate: (verdicts) => evaluateMarks(named, outcomes, verdicts),
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
