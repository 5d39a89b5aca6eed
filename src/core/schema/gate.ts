import { z } from 'zod';
import { attackRateRuleSchema } from './attacks/attack-rule.ts';
import { nonEmpty, share, wholeNumber } from './json.ts';

const inPercent = 'in per cent; write 85 for 85 %';

/** A share in per cent. Values between 0 and 1 are refused: 0.85 is meant as 85 % and would let everything pass. */
const percentSchema = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => value === 0 || value >= 1, { error: `expected a number from 1 to 100, ${inPercent}` });

const confidenceSchema = z
  .number()
  .gt(0.5)
  .lt(1)
  .optional()
  .describe(
    'Compares the one-sided bound at this confidence, such as 0.95, with the threshold, in place of the mean itself.',
  );

const categorySchema = nonEmpty()
  .optional()
  .describe('Only the questions of this category; `*` for every category on its own.');

const targetSchema = nonEmpty()
  .optional()
  .describe('Only this target; by default every target that the gate is about.');

const meanSchema = z
  .enum(['questions', 'clusters'])
  .optional()
  .describe(
    'What the mean is over: `questions` (the default), or `clusters`, of which each counts once however many questions it has.',
  );

/** The rule that the overall score is high enough. */
const scoreRuleSchema = () =>
  z.strictObject({
    type: z.literal('score'),
    target: targetSchema,
    atLeast: percentSchema.describe('Least mean score, in per cent.'),
    confidence: confidenceSchema,
    mean: meanSchema,
    category: categorySchema,
  });

/** The rule that enough trials pass. */
const passRateRuleSchema = () =>
  z.strictObject({
    type: z.literal('pass-rate'),
    target: targetSchema,
    atLeast: percentSchema.describe('Least share of attempts that passed, in per cent.'),
    confidence: confidenceSchema,
    mean: meanSchema,
    method: z
      .enum(['clopper-pearson', 'wilson'])
      .default('clopper-pearson')
      .describe('Method for the bound of independent passes: exact, or by Wilson.'),
    category: categorySchema,
  });

/** The rule that a metric is high, or low, enough. Shares are in per cent, quantities in their unit. */
const metricRuleSchema = () =>
  z
    .strictObject({
      type: z.literal('metric'),
      target: targetSchema,
      metric: nonEmpty().describe('The name of a metric of the run.'),
      atLeast: z.number().optional().describe('Least mean: in per cent, or in the unit of the metric.'),
      atMost: z.number().optional().describe('Greatest mean: in per cent, or in the unit of the metric.'),
      confidence: confidenceSchema,
      mean: meanSchema,
      category: categorySchema,
    })
    .refine(({ atLeast, atMost }) => (atLeast === undefined) !== (atMost === undefined), {
      error: 'set either `atLeast` or `atMost`',
    });

/** The rule that a criterion of the scorecard is met often enough. */
const criterionRuleSchema = () =>
  z.strictObject({
    type: z.literal('criterion'),
    target: targetSchema,
    criterion: nonEmpty().describe('The name of a criterion of the scorecard.'),
    atLeast: percentSchema.describe('Least share of attempts that meet it, in per cent.'),
    confidence: confidenceSchema,
    mean: meanSchema,
    category: categorySchema,
  });

/** The rule that the run is shown not to be worse than the baseline by more than a margin. */
export const noRegressionRuleSchema = () =>
  z
    .strictObject({
      type: z.literal('no-regression'),
      target: targetSchema,
      margin: z
        .number()
        .min(0)
        .default(5)
        .describe('The largest loss that is acceptable: in percentage points, or in the unit of the metric.'),
      of: z.enum(['score', 'pass-rate']).default('score').describe('What is compared.'),
      metric: nonEmpty().optional().describe('A metric to compare in place of the score.'),
      criterion: nonEmpty().optional().describe('A criterion to compare in place of the score.'),
      confidence: z
        .number()
        .gt(0.5)
        .lt(1)
        .default(0.95)
        .describe('Confidence level of the one-sided bound of the difference.'),
      on: z
        .enum(['all-questions', 'these-questions'])
        .optional()
        .describe(
          'The questions that the rule speaks of: `all-questions` of this kind (the default), or only `these-questions`, of which no others are a sample; that takes two attempts or more.',
        ),
      mean: meanSchema,
      category: categorySchema,
    })
    .refine(({ on, mean }) => on !== 'these-questions' || mean !== 'clusters', {
      error: 'set either `on: these-questions` or `mean: clusters`: of fixed questions, clusters say nothing',
    })
    .refine(({ metric, criterion }) => metric === undefined || criterion === undefined, {
      error: 'set either `metric` or `criterion`, not both',
    });

/** The rule that certain cases pass. */
const requiredCasesRuleSchema = () =>
  z.strictObject({
    type: z.literal('required-cases'),
    target: targetSchema,
    ids: z.array(nonEmpty()).min(1).describe('Ids of questions; `*` stands for any text.'),
    passes: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Number of attempts at each that must pass; defaults to `passes` of the configuration, else to all.',
      ),
  });

/** The rule that answers are fast enough. */
const latencyRuleSchema = () =>
  z.strictObject({
    type: z.literal('latency'),
    target: targetSchema,
    percentile: z
      .enum(['p50', 'p90', 'p99'])
      .describe('The nearest-rank percentile of the attempts to check.'),
    atMostMs: z.number().positive().describe('Greatest value, in milliseconds.'),
  });

/** The rule that the target is cheap enough. */
const costRuleSchema = () =>
  z.strictObject({
    type: z.literal('cost'),
    target: targetSchema,
    atMost: z.number().min(0).describe('Greatest cost, in US dollars.'),
    per: z
      .enum(['run', 'trial'])
      .default('run')
      .describe('All attempts of a target together, or their mean.'),
  });

/** The rule that enough was measured. */
const coverageRuleSchema = () =>
  z.strictObject({
    type: z.literal('coverage'),
    target: targetSchema,
    atLeast: percentSchema.describe('Least share of attempts with a verdict, in per cent.'),
    metric: nonEmpty().optional().describe('A metric, in place of the score.'),
    category: categorySchema,
  });

/** One rule of a gate. */
export const gateRuleSchema = z.lazy(() =>
  z.discriminatedUnion(
    'type',
    [
      scoreRuleSchema(),
      passRateRuleSchema(),
      metricRuleSchema(),
      criterionRuleSchema(),
      noRegressionRuleSchema(),
      requiredCasesRuleSchema(),
      attackRateRuleSchema({
        percent: percentSchema.describe('Greatest share of attacks that succeed, in per cent.'),
        confidence: confidenceSchema,
        target: targetSchema,
      }),
      latencyRuleSchema(),
      costRuleSchema(),
      coverageRuleSchema(),
    ],
    {
      error:
        'expected a rule of the type score, pass-rate, metric, criterion, no-regression, required-cases, attack-rate, latency, cost or coverage',
    },
  ),
);
export type GateRule = z.infer<typeof gateRuleSchema>;

/** Options of a run that asks questions only until the gate is decided. */
const sequentialOptionsSchema = z.lazy(() =>
  z.strictObject({
    error: z
      .number()
      .gt(0)
      .lt(0.5)
      .default(0.05)
      .describe('Greatest probability of a wrong decision, whichever question the run stops at.'),
    seed: wholeNumber()
      .optional()
      .describe(
        'Seed of the random order of the questions; by default, each run draws and records a new one.',
      ),
    leastCases: z.int().min(1).default(1).describe('Least number of questions to ask.'),
  }),
);
export type SequentialOptions = z.infer<typeof sequentialOptionsSchema>;

/** The demands of a gate on judges. */
const judgeDemandSchema = z.lazy(() =>
  z.strictObject({
    certified: z
      .enum(['require', 'advise', 'ignore'])
      .optional()
      .describe(
        'Whether a rule that rests on a judge needs a valid certificate of it: `require` (without one the rule is not measured), `advise` (a warning) or `ignore`. By default: `require` for a metric whose judge was ever certified, otherwise `advise`.',
      ),
    certificates: nonEmpty()
      .optional()
      .describe('The folder of the certificates; `calibrations` next to the folder of the store by default.'),
  }),
);

/** The gate of a build. */
export const gateSchema = z.object({
  failUnder: z.number().min(0).max(100).optional().describe('Least overall score, in per cent.'),
  targets: z
    .array(nonEmpty())
    .min(1)
    .optional()
    .describe(
      'The targets that the gate is about, by name; by default all of them, without their conditions.',
    ),
  minCoverage: share()
    .default(1)
    .describe('Least share of attempts that must have been measured, from 0 to 1.'),
  rules: z
    .record(nonEmpty(), gateRuleSchema)
    .optional()
    .describe('Rules, by the names that reports show; all of them must pass.'),
  baseline: nonEmpty()
    .optional()
    .describe(
      'The baseline to compare the run with: a name given with `touchstone baseline set`, or a file written by `baseline export`.',
    ),
  judge: judgeDemandSchema
    .optional()
    .describe('What the gate demands of judges, such as { certified: require }.'),
  sequential: z
    .union([z.boolean(), sequentialOptionsSchema], {
      error: 'expected true, or settings such as { error: 0.05 }',
    })
    .optional()
    .describe('Asks questions in random order, and only until the gate is decided.'),
  inconclusive: z
    .enum(['pass', 'fail'])
    .optional()
    .describe('Outcome of a run that is shown neither to pass nor to fail; exit code 3 by default.'),
});
export type Gate = z.infer<typeof gateSchema>;

/**
 * Returns the settings of a gate that ends its run once it is decided; undefined for a gate that needs every question
 * asked.
 */
export function sequentialOf({ sequential }: Pick<Gate, 'sequential'>): SequentialOptions | undefined {
  if (sequential === undefined || sequential === false) return undefined;
  return sequential === true ? sequentialOptionsSchema.parse({}) : sequential;
}
