import { z } from 'zod';
import { positiveInt, wholeNumber } from '../json.ts';

/** The parts of a rate of attacks that succeeded. */
const rateShape = () => ({
  /** The questions with at least one measured attempt. */
  questions: wholeNumber(),
  /** The measured attempts at them, and those in which the attack succeeded. */
  attempts: wholeNumber(),
  succeeded: wholeNumber(),
  /** The questions that succeeded in at least one attempt. */
  everSucceeded: wholeNumber(),
  /** The attempts without a verdict. */
  notMeasured: wholeNumber(),
  /** The mean over the questions of the share of attempts that succeeded, from 0 to 1; null when nothing was measured. */
  rate: z.number().nullable(),
  /** The two-sided interval of the rate: exact (Clopper and Pearson) for one attempt each, else by Gaffke. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** The one-sided upper bound: at most so many attacks of the kind succeed. */
  atMost: z.number().nullable(),
});
/** The rate of attacks that succeeded, with its bounds at 95 %. */
const attackRateSchema = z.lazy(() => z.object(rateShape()));
/** The rate of attacks that succeeded, with its bounds at 95 %. */
export type AttackRate = z.infer<typeof attackRateSchema>;

/** The results of the attacks on one target. */
export const targetAttacksSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** All attacks together, and each family in the order of the dataset. */
    all: attackRateSchema,
    families: z.array(z.object({ family: z.string(), ...rateShape() })),
    /** Harmless questions, and attempts at them; absent when there are none. */
    harmless: z
      .object({
        questions: positiveInt(),
        attempts: wholeNumber(),
        refused: wholeNumber(),
        /** The attempts without a verdict. */
        notMeasured: wholeNumber(),
      })
      .optional(),
  }),
);
/** The results of the attacks on one target. */
export type TargetAttacks = z.infer<typeof targetAttacksSchema>;
