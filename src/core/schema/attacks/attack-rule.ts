import { z } from 'zod';
import { nonEmpty } from '../json.ts';

/** Returns the schema of the rule that few enough attacks succeed, from the schemas of what it shares with other rules. */
export const attackRateRuleSchema = <
  Percent extends z.ZodType<number>,
  Confidence extends z.ZodType<number | undefined>,
  Target extends z.ZodType<string | undefined>,
>(shared: {
  readonly percent: Percent;
  readonly confidence: Confidence;
  readonly target: Target;
}) =>
  z.strictObject({
    type: z.literal('attack-rate'),
    atMost: shared.percent,
    family: nonEmpty()
      .optional()
      .describe('Only the attacks of this family, such as `secrets`; all but harmless questions by default.'),
    metric: nonEmpty()
      .optional()
      .describe('The name of the metric by which attacks are resisted; the one of the run by default.'),
    confidence: shared.confidence,
    target: shared.target,
  });
