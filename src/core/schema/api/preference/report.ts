import { z } from 'zod';
import { estimateSchema } from '../../estimate.ts';
import { positiveInt, wholeNumber } from '../../json.ts';

/** The version of the format of a preference report. */
export const preferenceReportVersion = 1;

/** A target of a stored run whose answers are compared with other answers. */
export const comparedTargetSchema = z.object({
  /** The name in the report: the target's, with its run where another run has the same. */
  name: z.string(),
  run: z.string(),
  target: z.string(),
});
export type ComparedTarget = z.infer<typeof comparedTargetSchema>;

/** The result of comparing the answers of two targets to the same case. */
const preferenceOutcomeSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('decided'),
    /** The better answer; a win counts only when it has survived the swap of the answers. */
    winner: z.enum(['a', 'b', 'tie']),
    /** False when the two orders had different results: the position decided. */
    isConsistent: z.boolean(),
    /** The preferred position in each order that was asked. */
    positions: z.array(z.enum(['first', 'second', 'tie'])),
    reasons: z.array(z.string()),
    /** The ids of the judgements. */
    judgements: z.array(z.string()),
  }),
  /** The answers are the same text: a tie, for which no judge is asked. */
  z.object({ status: z.literal('identical') }),
  z.object({
    status: z.literal('not-measured'),
    /** `trial-failed`, `trial-missing`, or the code of the judge's failure. */
    code: z.string(),
    reason: z.string(),
    judgements: z.array(z.string()),
  }),
]);
export type PreferenceOutcome = z.infer<typeof preferenceOutcomeSchema>;

/** The verdict on the answers of two targets to one case, in one attempt. */
export const answerPreferenceSchema = z.object({
  caseId: z.string(),
  /** The hash of the content of the case. */
  caseHash: z.string(),
  cluster: z.string().optional(),
  attempt: positiveInt(),
  /** The names of the two targets. */
  a: z.string(),
  b: z.string(),
  /** Characters of the two answers; null where there is none. */
  lengths: z.object({ a: z.int().nullable(), b: z.int().nullable() }),
  outcome: preferenceOutcomeSchema,
});
export type AnswerPreference = z.infer<typeof answerPreferenceSchema>;

/** The comparison of two targets over all cases that both were asked. */
export const targetPreferenceSchema = z.object({
  a: z.string(),
  b: z.string(),
  /** The verdict: A is better when the interval of its win rate lies above one half. */
  verdict: z.enum(['a-better', 'b-better', 'no-visible-difference', 'not-enough-data']),
  wins: wholeNumber(),
  ties: wholeNumber(),
  losses: wholeNumber(),
  /** Ties without a question to the judge, since both answers are the same text. */
  identical: wholeNumber(),
  /** The win rate of A, with a tie as half a win. */
  winRate: estimateSchema.extend({ standardError: z.number().nullable() }),
  /** Pairs of answers that were to be compared, and how many were. */
  planned: wholeNumber(),
  measured: wholeNumber(),
  /** The reasons why pairs were not measured, with their number. */
  notMeasured: z.array(z.object({ code: z.string(), pairs: positiveInt(), reason: z.string() })),
  /** Cases that only one of the two targets was asked. */
  casesOnlyInA: wholeNumber(),
  casesOnlyInB: wholeNumber(),
  position: z.object({
    /** Pairs that were asked in both orders, and how many of them had the same result in both. */
    swapped: wholeNumber(),
    consistent: wholeNumber(),
    /** Preferences for the position that contradicted the other order; without swapping, all preferences. */
    toFirst: wholeNumber(),
    toSecond: wholeNumber(),
    /** The exact sign test that neither position is preferred; null without such preferences. */
    pValue: z.number().nullable(),
  }),
  /** The win rate of A at equal lengths; null with the reason where it is unknown. */
  lengthControlled: z.object({
    value: z.number().nullable(),
    lower: z.number().nullable(),
    upper: z.number().nullable(),
    reason: z.string().optional(),
    caution: z.string().optional(),
  }),
});
export type TargetPreference = z.infer<typeof targetPreferenceSchema>;

/** The place of a target among more than two. */
const preferenceRankSchema = z.object({
  name: z.string(),
  rank: positiveInt(),
  /** The last rank that is possible. */
  lastRank: positiveInt(),
  /** The strength on the Elo scale, with the mean of all targets at 1000. */
  elo: z.number(),
  /** The lead of the first target over this one on the Elo scale, with its interval; absent for the first one itself. */
  behind: z
    .object({ value: z.number(), lower: z.number().nullable(), upper: z.number().nullable() })
    .optional(),
});

/** A ranking of more than two targets. */
export const preferenceRankingSchema = z.object({
  targets: z.array(preferenceRankSchema),
  /** Additional wins each way, where the verdicts alone gave no finite strengths. */
  prior: z.number(),
  resamples: z.int(),
  caution: z.string().nullable(),
  /** Present, with no targets, when there is no ranking. */
  reason: z.string().optional(),
});

/** A comparison of answers that was made, from which its questions and their stored judgements follow. */
export const preferenceRuleSchema = z.lazy(() =>
  z.object({
    criterion: z.string(),
    /** `both`: every pair in both orders. `random`: once, in an order drawn from the seed. */
    order: z.enum(['both', 'random']),
    seed: z.union([z.string(), z.number()]),
    judge: z.object({
      name: z.string(),
      fingerprint: z.string(),
      models: z.array(z.string()),
      /** True when it is asked once for all attempts. */
      isSteady: z.literal(true).optional(),
      /** The judges of a panel. */
      members: z
        .array(z.object({ name: z.string(), fingerprint: z.string(), isSteady: z.literal(true).optional() }))
        .optional(),
    }),
    targets: z.array(comparedTargetSchema),
  }),
);
/** A comparison of answers that was made, from which its questions and their stored judgements follow. */
export type PreferenceRuleRecord = z.infer<typeof preferenceRuleSchema>;

/** The report of comparing answers in pairs. */
export const preferenceReportSchema = z.lazy(() =>
  z.object({
    version: z.literal(preferenceReportVersion),
    rule: preferenceRuleSchema,
    pairs: z.array(targetPreferenceSchema),
    /** Present for more than two targets. */
    ranking: preferenceRankingSchema.optional(),
    judging: z.object({
      /** Calls of the judge's models that this command made. */
      calls: wholeNumber(),
      /** Judgements that this command paid for. */
      judgements: wholeNumber(),
      /** Cost of these calls in US dollars; null when the price of one is unknown. */
      cost: z.number().nullable(),
    }),
    /** True when the command was stopped before all pairs were asked. */
    isStopped: z.boolean(),
    preferences: z.array(answerPreferenceSchema),
  }),
);
/** The report of comparing answers in pairs. */
export type PreferenceReport = z.infer<typeof preferenceReportSchema>;
