import { z } from 'zod';
import { caseVerdicts } from './case-rule.ts';
import { estimateSchema } from './estimate.ts';

/** Cases whose attempts came out alike: so many of the measured attempts passed. */
export const reliabilityGroupSchema = z.lazy(() =>
  z.object({
    passed: z.int().nonnegative(),
    /** Attempts that were measured; the same for all cases of the group. */
    measured: z.int().positive(),
    cases: z.int().positive(),
    /** By the rule of the run; absent where it has none. */
    verdict: z.enum(caseVerdicts).optional(),
    /** The first of them. */
    ids: z.array(z.string()),
  }),
);
export type ReliabilityGroup = z.infer<typeof reliabilityGroupSchema>;

/** How cases came out by the rule of the run: so many of their attempts have to pass. */
export const caseRuleSummarySchema = z.lazy(() =>
  z.object({
    passes: z.int().positive(),
    isCurtailed: z.boolean(),
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** Attempts that are missing could still turn the verdict. */
    undecided: z.int().nonnegative(),
    /** Of the cases that are decided, those that passed. */
    share: estimateSchema,
    /** Planned attempts that were not made, since the verdict on their case was settled. */
    notNeeded: z.int().nonnegative(),
  }),
);
export type CaseRuleSummary = z.infer<typeof caseRuleSummarySchema>;

/**
 * How far a target can be relied on when each case is tried several times. A case counts for `k` when at least `k` of its
 * attempts were measured, by its own number of measured attempts; the estimate's `n` says how many cases that are.
 */
export const reliabilitySchema = z.lazy(() =>
  z.object({
    /** Attempts planned for each case. */
    attempts: z.int().min(2),
    /** Absent where every attempt counts for itself. */
    rule: caseRuleSummarySchema.optional(),
    levels: z.array(
      z.object({
        k: z.int().positive(),
        /** pass@k: at least one of k attempts passes. */
        any: estimateSchema,
        /** pass^k: all of k attempts pass. */
        all: estimateSchema,
      }),
    ),
    /** Cases by how many of their attempts passed: the flaky ones first, then those that never pass, then those that always do. */
    groups: z.array(reliabilityGroupSchema),
    /** Cases of which no attempt was measured. */
    unmeasured: z.int().nonnegative(),
  }),
);
export type Reliability = z.infer<typeof reliabilitySchema>;
