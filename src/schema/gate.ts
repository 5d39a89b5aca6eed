import { z } from 'zod';
import { gateRuleSchema } from './gate-rule.ts';

/** How questions are asked only until the gate is decided. */
const sequentialOptionsSchema = z.lazy(() =>
  z.strictObject({
    error: z
      .number()
      .gt(0)
      .lt(0.5)
      .default(0.05)
      .describe('Greatest chance that the gate is decided wrongly, at whichever question it stops.'),
    seed: z
      .int()
      .nonnegative()
      .optional()
      .describe('Of the random order of the questions; a new one for each run when left out, and recorded.'),
    leastCases: z.int().min(1).default(1).describe('Cases that are asked in any case.'),
  }),
);
export type SequentialOptions = z.infer<typeof sequentialOptionsSchema>;

/** The rule for a build. */
export const gateSchema = z.object({
  failUnder: z.number().min(0).max(100).optional().describe('Least overall score, in per cent.'),
  minCoverage: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Least share of trials that must have been measured, from 0 to 1.'),
  rules: z
    .record(z.string().min(1), gateRuleSchema)
    .optional()
    .describe('Rules by the names that reports give them; all of them must hold.'),
  baseline: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What the run is held against: a name that `touchstone baseline set` gave, or a file that `baseline export` wrote.',
    ),
  sequential: z
    .union([z.boolean(), sequentialOptionsSchema], {
      error: 'expected true, or settings such as { error: 0.05 }',
    })
    .optional()
    .describe('Asks in a random order, and only until the gate is decided.'),
  inconclusive: z
    .enum(['pass', 'fail'])
    .optional()
    .describe('What becomes of a run that is neither shown to pass nor to fail; exit code 3 when left out.'),
});
export type Gate = z.infer<typeof gateSchema>;

/** The settings of a gate that ends its run once it is decided; undefined for one that has everything asked. */
export function sequentialOf({ sequential }: Pick<Gate, 'sequential'>): SequentialOptions | undefined {
  if (sequential === undefined || sequential === false) return undefined;
  return sequential === true ? sequentialOptionsSchema.parse({}) : sequential;
}
