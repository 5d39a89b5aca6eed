import { z } from 'zod';
import { correctionMethodSchema } from './estimate.ts';
import { amount, positiveInt, wholeNumber } from './json.ts';

/**
 * The outcomes of a gate. `inconclusive`: measured, but the data do not suffice to decide; `not-measured`: something
 * is missing.
 */
export const gateOutcomeSchema = z.enum(['pass', 'fail', 'inconclusive', 'not-measured']);
export type GateOutcome = z.infer<typeof gateOutcomeSchema>;

/** The decision of one rule about one target, with the numbers behind it. */
export const ruleDecisionSchema = z.lazy(() =>
  z.object({
    /** The name of the rule in the configuration. */
    name: z.string(),
    type: z.string(),
    target: z.string(),
    /** The category; absent when the rule covers all cases. */
    category: z.string().optional(),
    /** Present when the decision is about the questions of the run alone, and says nothing of others. */
    on: z.literal('these-questions').optional(),
    outcome: gateOutcomeSchema,
    /** The reason in one sentence. */
    reason: z.string(),
    /**
     * The computation behind the numbers, such as `45 of 50 passed; lower bound 80.1 % (Clopper-Pearson, one-sided 95
     * %)`.
     */
    arithmetic: z.string(),
    /** The measured value: a share in [0, 1], or a quantity in the unit of the rule; null when it is unknown. */
    value: z.number().nullable(),
    /** The threshold in the same unit; for a comparison the margin, below 0. */
    threshold: z.number().nullable(),
    /** One-sided bounds, each at the confidence; absent from a rule that uses none. */
    lower: z.number().nullable().optional(),
    upper: z.number().nullable().optional(),
    confidence: z.number().optional(),
    /** Present when the value is corrected by the certificate of a judge: what the judge says, and the labels behind the correction. */
    correction: z
      .object({ said: z.number(), method: correctionMethodSchema, labels: wholeNumber() })
      .optional(),
    /** Number of cases behind the value, or of trials for a rule that counts trials. */
    n: wholeNumber(),
  }),
);
export type RuleDecision = z.infer<typeof ruleDecisionSchema>;

/** Cases that the gate exempts, or whose exemption has expired. */
export const exemptCasesSchema = z.lazy(() =>
  z.object({
    status: z.enum(['watch', 'quarantine', 'expired']),
    cases: positiveInt(),
    /** The first ids. */
    ids: z.array(z.string()),
  }),
);
export type ExemptCases = z.infer<typeof exemptCasesSchema>;

/** The progress of a run that ends once its gate is decided, and the savings. */
export const sequentialDecisionSchema = z.lazy(() =>
  z.object({
    /** True when the remaining trials were skipped; false when all were made, or the run ended earlier. */
    isDecided: z.boolean(),
    /** Greatest probability of a wrong decision. */
    error: z.number(),
    /** Seed of the random order of the questions. */
    seed: wholeNumber(),
    /** Trials made, and trials that the whole run has. */
    asked: wholeNumber(),
    planned: wholeNumber(),
    /**
     * Savings, estimated from the trials that were made, without judges; null when they reported nothing. Absent
     * unless the gate is decided.
     */
    saved: z
      .object({
        calls: wholeNumber(),
        /** Cost in US dollars. */
        cost: amount().nullable(),
        /** Median time of a trial, times the number of trials not made. */
        answeringMs: amount().nullable(),
      })
      .optional(),
  }),
);
export type SequentialDecision = z.infer<typeof sequentialDecisionSchema>;

/** A judged metric without a valid certificate, on which rules of a gate rest. */
export const uncertifiedJudgeSchema = z.lazy(() =>
  z.object({
    metric: z.string(),
    judge: z.string(),
    /** True when the rules are not measured without a certificate, false when a warning is all. */
    isRequired: z.boolean(),
    /** The names of the rules that rest on it; `failUnder` for the threshold. */
    rules: z.array(z.string()).min(1),
    /** Which judge, which metric, why, and the command that mends it. */
    message: z.string(),
  }),
);
export type UncertifiedJudge = z.infer<typeof uncertifiedJudgeSchema>;

/** The decision of a gate with its reasons. */
export const decisionSchema = z.lazy(() =>
  z.object({
    outcome: gateOutcomeSchema,
    reasons: z.array(z.string()),
    /** Decisions of the rules in the order of the configuration; absent from a gate without rules of its own. */
    rules: z.array(ruleDecisionSchema).optional(),
    /** The least overall score for each target, where it is decided by a rate that is corrected by the certificate of a judge. */
    threshold: z.array(ruleDecisionSchema).min(1).optional(),
    /** Cases marked `watch` or `quarantine`; absent when there are none, or when nothing depended on them. */
    exempt: z.array(exemptCasesSchema).optional(),
    /** Absent from a gate that has every question asked. */
    sequential: sequentialDecisionSchema.optional(),
    /** Judges without a valid certificate; absent when no rule rests on one. */
    uncertified: z.array(uncertifiedJudgeSchema).min(1).optional(),
  }),
);
/** The decision of a gate with its reasons. */
export type Decision = z.infer<typeof decisionSchema>;

/** The result of the test that B is not worse than A by more than a margin. */
export const regressionCheckSchema = z.lazy(() =>
  z.object({
    margin: amount(),
    decision: z.enum(['pass', 'fail', 'inconclusive', 'not-measured']),
    /** One-sided bounds of B minus A on the verdict's measure, oriented so that higher is better. */
    lower: z.number().nullable(),
    upper: z.number().nullable(),
    confidence: z.number(),
    method: z.string(),
    /** The reason why nothing was decided, if it is not in the numbers. */
    reason: z.string().optional(),
    /**
     * If there are fewer pairs (or clusters) than needed: the number without any loss that would show that a rare
     * loss did not go unseen.
     */
    needed: positiveInt().optional(),
  }),
);
export type RegressionCheck = z.infer<typeof regressionCheckSchema>;

/** The same test on the questions of the two runs alone, where chance is only in the attempts. */
export const fixedRegressionCheckSchema = z.lazy(() =>
  regressionCheckSchema.unwrap().extend({
    /** The questions that it is about, and nothing else. */
    questions: wholeNumber(),
    /** The attempts at each question in A and in B. */
    attempts: z.tuple([positiveInt(), positiveInt()]),
  }),
);
export type FixedRegressionCheck = z.infer<typeof fixedRegressionCheckSchema>;

/** The version of the form in which baselines are written. */
export const baselineVersion = 1;

/** The pattern of a baseline's name, which is also a file name. */
export const baselineNameSchema = z.string().regex(/^[a-zA-Z0-9](?:[\w.-]{0,62}[a-zA-Z0-9])?$/);

/** The results of one case, each a mean over its attempts. Anything not measured is null. */
const baselineCaseSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** Hash of the content: a case with changed content is a different case. */
    hash: z.string(),
    category: z.string().optional(),
    /** A share in [0, 1]. */
    score: z.number().nullable(),
    /** Share of the attempts that passed. */
    passed: z.number().nullable(),
    /** Mean values by metric name; absent where the metric does not apply or was not measured. */
    metrics: z.record(z.string(), z.number()),
    /** Share of the attempts that met each boolean criterion, by its name. */
    criteria: z.record(z.string(), z.number()).optional(),
    /**
     * The number of measured attempts and their sample variance, by the subject: `score`, `passed`, `metric NAME`, `criterion NAME`.
     * Absent from a run of one attempt, from one that stops attempts early, and from baselines of earlier versions.
     */
    spread: z.record(z.string(), z.tuple([positiveInt(), amount()])).optional(),
    /** Hash of the answer and its transcript, in a run of one attempt. */
    answer: z.string().optional(),
  }),
);
export type BaselineCase = z.infer<typeof baselineCaseSchema>;

/** The numbers of questions that a target was asked a second time, and that it then answered the same. */
const repeatsSchema = z.object({ asked: wholeNumber(), equal: wholeNumber() });
export type Repeats = z.infer<typeof repeatsSchema>;

/** The numbers of a run with which later runs are compared. */
export const baselineSchema = z.lazy(() =>
  z.object({
    touchstoneBaseline: z.literal(baselineVersion),
    name: z.string(),
    run: z.object({
      id: z.string(),
      createdAt: z.string(),
      touchstoneVersion: z.string(),
      attempts: positiveInt(),
    }),
    /** The scorecard behind the numbers. Numbers of other scorecards are not comparable. */
    scorecard: z.object({ name: z.string(), fingerprint: z.string() }).nullable(),
    metrics: z.array(
      z.object({
        name: z.string(),
        version: positiveInt(),
        fingerprint: z.string(),
        judge: z.string().optional().describe('Fingerprint of its judge.'),
      }),
    ),
    /** The fingerprint of the simulated user. */
    user: z.string().optional(),
    targets: z.array(
      z.object({
        name: z.string(),
        fingerprint: z.string(),
        /** Present when its answers were recorded. */
        isRecorded: z.literal(true).optional(),
        repeats: repeatsSchema.optional().describe('Present when it is said to be deterministic.'),
        cases: z.array(baselineCaseSchema),
      }),
    ),
  }),
);
export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineTarget = Baseline['targets'][number];
