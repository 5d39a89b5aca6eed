import { z } from 'zod';

/** The version of the form in which baselines are written. */
export const baselineVersion = 1;

/** What a baseline may be called: it is the name of a file, too. */
export const baselineNameSchema = z.string().regex(/^[a-zA-Z0-9](?:[\w.-]{0,62}[a-zA-Z0-9])?$/);

/** What became of one case; a mean over its attempts. What was not measured is null. */
const baselineCaseSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** Of its content: a case that was changed is another one. */
    hash: z.string(),
    category: z.string().optional(),
    /** In [0, 1]. */
    score: z.number().nullable(),
    /** Share of the attempts that passed. */
    passed: z.number().nullable(),
    /** Mean value by the name of the metric; absent where it does not apply, or was not measured. */
    metrics: z.record(z.string(), z.number()),
    /** Share of the attempts with which a criterion that is true or false is as it should be, by its name. */
    criteria: z.record(z.string(), z.number()).optional(),
  }),
);
export type BaselineCase = z.infer<typeof baselineCaseSchema>;

/** A run boiled down to what later ones are held against. */
export const baselineSchema = z.lazy(() =>
  z.object({
    touchstoneBaseline: z.literal(baselineVersion),
    name: z.string(),
    run: z.object({
      id: z.string(),
      createdAt: z.string(),
      touchstoneVersion: z.string(),
      attempts: z.int().positive(),
    }),
    /** The rules that its numbers follow from. Numbers made by others are not comparable. */
    scorecard: z.object({ name: z.string(), fingerprint: z.string() }).nullable(),
    metrics: z.array(
      z.object({
        name: z.string(),
        version: z.int().positive(),
        fingerprint: z.string(),
        judge: z.string().optional().describe('The fingerprint of the judge that it asks.'),
      }),
    ),
    /** The fingerprint of who played the users. */
    user: z.string().optional(),
    targets: z.array(
      z.object({ name: z.string(), fingerprint: z.string(), cases: z.array(baselineCaseSchema) }),
    ),
  }),
);
export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineTarget = Baseline['targets'][number];

/** What a gate can say. `inconclusive`: measured, and too little to tell; `not-measured`: something is missing. */
export const gateOutcomeSchema = z.enum(['pass', 'fail', 'inconclusive', 'not-measured']);
export type GateOutcome = z.infer<typeof gateOutcomeSchema>;

/** What one rule of a gate said of one target, with the numbers that it rests on. */
export const ruleDecisionSchema = z.lazy(() =>
  z.object({
    /** As the configuration calls it. */
    name: z.string(),
    type: z.string(),
    target: z.string(),
    /** Absent where the rule is about all cases. */
    category: z.string().optional(),
    outcome: gateOutcomeSchema,
    /** One sentence. */
    reason: z.string(),
    /** How the numbers came about, such as `45 of 50 passed; lower bound 80.1 % (Clopper-Pearson, one-sided 95 %)`. */
    arithmetic: z.string(),
    /** What was measured: a share in [0, 1], or in the unit of the rule; null when it is not known. */
    value: z.number().nullable(),
    /** What it was held against, in the same unit; for a comparison the margin, below 0. */
    threshold: z.number().nullable(),
    /** One-sided bounds, each at the confidence; absent from a rule that asks for none. */
    lower: z.number().nullable().optional(),
    upper: z.number().nullable().optional(),
    confidence: z.number().optional(),
    /** Cases behind the value, or trials for what is counted by trials. */
    n: z.int().nonnegative(),
  }),
);
export type RuleDecision = z.infer<typeof ruleDecisionSchema>;

/** Cases that are reported and not decided on, or are again. */
export const exemptCasesSchema = z.lazy(() =>
  z.object({
    status: z.enum(['watch', 'quarantine', 'expired']),
    cases: z.int().positive(),
    /** The first of them. */
    ids: z.array(z.string()),
  }),
);
export type ExemptCases = z.infer<typeof exemptCasesSchema>;

/** How far a run was asked that ends once its gate is decided, and what that saved. */
export const sequentialDecisionSchema = z.lazy(() =>
  z.object({
    /** Whether the rest could be left; false where everything was asked, or the run ended before. */
    isDecided: z.boolean(),
    /** Greatest chance of a wrong decision. */
    error: z.number(),
    /** Of the random order of the questions. */
    seed: z.int().nonnegative(),
    /** Trials that were made, and that a whole run has. */
    asked: z.int().nonnegative(),
    planned: z.int().nonnegative(),
    /** By what the trials took that were made, without judges; null where they did not say. Absent unless it is decided. */
    saved: z
      .object({
        calls: z.int().nonnegative(),
        /** In US dollars. */
        cost: z.number().nonnegative().nullable(),
        /** Median time of a trial for each that was not made. */
        answeringMs: z.number().nonnegative().nullable(),
      })
      .optional(),
  }),
);
export type SequentialDecision = z.infer<typeof sequentialDecisionSchema>;

/** What a gate decided, and why. */
export const decisionSchema = z.lazy(() =>
  z.object({
    outcome: gateOutcomeSchema,
    reasons: z.array(z.string()),
    /** In the order of the configuration; absent from a gate without rules of its own. */
    rules: z.array(ruleDecisionSchema).optional(),
    /** Cases that were marked `watch` or `quarantine`; absent when none were, or nothing depended on it. */
    exempt: z.array(exemptCasesSchema).optional(),
    /** Absent from a gate that has everything asked. */
    sequential: sequentialDecisionSchema.optional(),
  }),
);
/** What a gate decided, and why. */
export type Decision = z.infer<typeof decisionSchema>;
