import { z } from 'zod';
import { estimateSchema } from './estimate.ts';

/** The version of the form in which comparisons are written. */
export const runComparisonVersion = 1;

/** One of the runs that are compared, with the target that is looked at. */
export const comparedSideSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    target: z.string(),
    createdAt: z.string(),
    description: z.string().optional(),
    sources: z.array(z.string()),
    cases: z.int().nonnegative(),
    attempts: z.int().positive(),
  }),
);
export type ComparedSide = z.infer<typeof comparedSideSchema>;

/** Something that two runs differ in beside their answers, so that numbers may differ for another reason. */
export const comparisonNoticeSchema = z.lazy(() =>
  z.object({
    kind: z.enum([
      'unfinished',
      'unread',
      'same-answers',
      'same-target',
      'dataset',
      'metric',
      'judge',
      'scorecard',
      'user',
      'version',
    ]),
    /** What it is about, such as the name of a metric; missing where it is the whole run. */
    name: z.string().optional(),
    message: z.string(),
  }),
);
export type ComparisonNotice = z.infer<typeof comparisonNoticeSchema>;

/** Cases by id, of which only the first are listed when there are very many. */
export const listedCasesSchema = z.lazy(() =>
  z.object({ count: z.int().nonnegative(), ids: z.array(z.string()) }),
);
export type ListedCases = z.infer<typeof listedCasesSchema>;

/** Which cases of two runs belong together: those whose content is the same. */
export const casePairingSchema = z.lazy(() =>
  z.object({
    pairs: z.int().nonnegative(),
    onlyA: listedCasesSchema,
    onlyB: listedCasesSchema,
    /** Ids that both runs have, under which they asked different things; among `onlyA` and among `onlyB`. */
    edited: listedCasesSchema,
    /** Clusters among the pairs; missing when no two pairs share one. */
    clusters: z.int().positive().optional(),
  }),
);
export type CasePairing = z.infer<typeof casePairingSchema>;

/** How large a difference a comparison could have seen. */
export const sensitivitySchema = z.lazy(() =>
  z.object({
    /** The smallest true difference that is found with the power. */
    detectable: z.number().positive(),
    power: z.number(),
    confidence: z.number(),
    /** How many questions smaller differences would take. */
    plans: z.array(z.object({ difference: z.number().positive(), questions: z.int().positive() })),
  }),
);
export type Sensitivity = z.infer<typeof sensitivitySchema>;

/** Run B against run A on one measure, paired by case: a case counts once, with the mean of its attempts. */
export const runDifferenceSchema = z.object({
  measure: z.enum([
    'score',
    'passed',
    'errors',
    'criterion',
    'metric',
    'category',
    'latency',
    'input-tokens',
    'output-tokens',
    'cost',
  ]),
  /** The criterion, metric or category; for the others the same as `measure`. */
  name: z.string(),
  /** Missing for shares in [0, 1]. */
  unit: z.string().optional(),
  /** Which way is better; null where neither is. */
  better: z.enum(['higher', 'lower']).nullable(),
  /** Means over the pairs that both runs measured; null without any. */
  meanA: z.number().nullable(),
  meanB: z.number().nullable(),
  /** B minus A. */
  difference: estimateSchema,
  /** Two-sided; null where it cannot be told. */
  pValue: z.number().nullable(),
  /** The same, corrected for the tests of its family. */
  adjustedPValue: z.number().nullable(),
  /** Pairs on which B is higher than A, lower, or equal. */
  higher: z.int().nonnegative(),
  lower: z.int().nonnegative(),
  equal: z.int().nonnegative(),
  /** Pairs it is about; those that are not in `difference.n` are counted below. */
  pairs: z.int().nonnegative(),
  /** Pairs that only A has a number for, only B, or neither: not measured, or not applicable. */
  onlyA: z.int().nonnegative(),
  onlyB: z.int().nonnegative(),
  neither: z.int().nonnegative(),
  /** What the corrected p-value says at the level of the comparison. */
  finding: z.enum(['better', 'worse', 'different', 'not-visible', 'too-few']),
  /** null where the differences show no spread. */
  sensitivity: sensitivitySchema.nullable(),
  /** Measured by another rule in A than in B. */
  isRuleChanged: z.literal(true).optional(),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

const flipSideSchema = z.lazy(() =>
  z.object({
    /** Share of the measured attempts that passed. */
    passed: z.number(),
    total: z.number().nullable(),
    /** An attempt that came out as most did. */
    attempt: z.int().positive(),
    answer: z.string().nullable(),
  }),
);

/** A case that passed in one run and not in the other; of several attempts the majority counts. */
export const flipSchema = z.lazy(() =>
  z.object({
    change: z.enum(['worse', 'better']),
    caseId: z.string(),
    category: z.string(),
    question: z.string(),
    a: flipSideSchema,
    b: flipSideSchema,
    /** The metrics whose values moved on the two attempts shown. */
    metrics: z.array(
      z.object({ name: z.string(), unit: z.string().optional(), a: z.number(), b: z.number() }),
    ),
  }),
);
export type Flip = z.infer<typeof flipSchema>;

/** What can be said of B against A, on the one measure that was chosen before looking. */
export const comparisonVerdictSchema = z.lazy(() =>
  z.object({
    outcome: z.enum(['better', 'worse', 'no-visible-difference', 'not-enough-data']),
    measure: runDifferenceSchema.shape.measure,
    name: z.string(),
    /** False when pairs that were not measured could change the outcome, had they all come out the other way. */
    isCertain: z.boolean(),
  }),
);
export type ComparisonVerdict = z.infer<typeof comparisonVerdictSchema>;

/** Whether B is shown not to be worse than A by more than a margin. */
export const regressionCheckSchema = z.lazy(() =>
  z.object({
    margin: z.number().nonnegative(),
    decision: z.enum(['pass', 'fail', 'inconclusive', 'not-measured']),
    /** One-sided bounds of B minus A on the verdict's measure, turned so that higher is better. */
    lower: z.number().nullable(),
    upper: z.number().nullable(),
    confidence: z.number(),
    method: z.string(),
    /** Why nothing was decided, where that is not for the numbers. */
    reason: z.string().optional(),
    /** Where there are fewer: pairs, or clusters, that have to be without any loss to show that a rare one did not stay unseen. */
    needed: z.int().positive().optional(),
  }),
);
export type RegressionCheck = z.infer<typeof regressionCheckSchema>;

/** A setting of a target that is another in B. */
export const targetChangeSchema = z.lazy(() =>
  z.object({
    /** The path inside the target, such as `model` or `with.topK`. */
    setting: z.string(),
    /** As JSON, from shortly before where both part, shortened; null where it is not set, or a secret. */
    a: z.string().nullable(),
    b: z.string().nullable(),
    isSecret: z.literal(true).optional(),
  }),
);
export type TargetChange = z.infer<typeof targetChangeSchema>;

/** Two runs, or two targets of them, paired by case. */
export const pairComparisonSchema = z.lazy(() =>
  z.object({
    a: comparedSideSchema,
    b: comparedSideSchema,
    notices: z.array(comparisonNoticeSchema),
    /** In which settings the targets differ; missing for one and the same target, empty where only files behind it do. */
    targetChanges: z.array(targetChangeSchema).optional(),
    /** Both were asked in one run, side by side and in turns. */
    isInterleaved: z.literal(true).optional(),
    pairing: casePairingSchema,
    verdict: comparisonVerdictSchema,
    regression: regressionCheckSchema.optional(),
    /** The verdict's measure first. */
    differences: z.array(runDifferenceSchema),
    /** Pairs of which one run alone knows whether they passed: in the other it was an error, or not measured. */
    notMeasured: z.object({ inA: listedCasesSchema, inB: listedCasesSchema }),
    /** Cases that passed in A and not in B, and the other way round. */
    flipsToWorse: z.int().nonnegative(),
    flipsToBetter: z.int().nonnegative(),
    /** The first of them in full, those to the worse first. */
    flips: z.array(flipSchema),
  }),
);
export type PairComparison = z.infer<typeof pairComparisonSchema>;

/** A run in a ranking, the best first. */
export const rankedRunSchema = z.lazy(() =>
  z.object({
    /** The best place it could have: behind all runs that are visibly better. */
    rank: z.int().positive(),
    /** The worst place it could have: before all runs that are visibly worse. */
    lastRank: z.int().positive(),
    run: z.string(),
    target: z.string(),
    /** This run minus the first of the ranking; null for that one itself. */
    toLeader: estimateSchema.nullable(),
    adjustedPValue: z.number().nullable(),
  }),
);
export type RankedRun = z.infer<typeof rankedRunSchema>;

/** What `touchstone compare` found. */
export const runComparisonSchema = z.lazy(() =>
  z.object({
    version: z.literal(runComparisonVersion),
    /** Each run against the first, target by target. */
    comparisons: z.array(pairComparisonSchema).min(1),
    /** Tests that are corrected together: the measures that verdicts rest on, and all others. */
    corrected: z.object({
      method: z.literal('holm'),
      verdicts: z.int().nonnegative(),
      others: z.int().nonnegative(),
    }),
    /** Of more than two runs, the best first; missing otherwise. */
    ranking: z.array(rankedRunSchema).optional(),
  }),
);
/** What `touchstone compare` found. */
export type RunComparison = z.infer<typeof runComparisonSchema>;
