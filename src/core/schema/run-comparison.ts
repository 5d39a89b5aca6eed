import { z } from 'zod';
import { fixedRegressionCheckSchema, regressionCheckSchema } from './decision.ts';
import { estimateSchema } from './estimate.ts';
import { positiveInt, wholeNumber } from './json.ts';

/** The version of the format of comparisons. */
export const runComparisonVersion = 1;

/** One of the compared runs, with the compared target. */
export const comparedSideSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** The name of the run; absent when it has none. */
    name: z.string().optional(),
    target: z.string(),
    createdAt: z.string(),
    description: z.string().optional(),
    sources: z.array(z.string()),
    cases: wholeNumber(),
    attempts: positiveInt(),
  }),
);
export type ComparedSide = z.infer<typeof comparedSideSchema>;

/** A difference between two runs other than their answers, which may explain differing numbers. */
export const comparisonNoticeSchema = z.lazy(() =>
  z.object({
    kind: z.enum([
      'tools',
      'unfinished',
      'unread',
      'same-answers',
      'same-target',
      'dataset',
      'metric',
      'judge',
      'certificate',
      'scorecard',
      'user',
      'version',
    ]),
    /** The subject, such as the name of a metric; absent when it is the whole run. */
    name: z.string().optional(),
    message: z.string(),
  }),
);
export type ComparisonNotice = z.infer<typeof comparisonNoticeSchema>;

/** Cases by id; only the first ids are listed when there are very many. */
export const listedCasesSchema = z.lazy(() => z.object({ count: wholeNumber(), ids: z.array(z.string()) }));
export type ListedCases = z.infer<typeof listedCasesSchema>;

/** The pairing of the cases of two runs: cases with the same content belong together. */
const casePairingSchema = z.lazy(() =>
  z.object({
    pairs: wholeNumber(),
    onlyA: listedCasesSchema,
    onlyB: listedCasesSchema,
    /** Ids that occur in both runs with different content; they are also among `onlyA` and among `onlyB`. */
    edited: listedCasesSchema,
    /** Clusters among the pairs; absent when no two pairs share one. */
    clusters: positiveInt().optional(),
  }),
);

/** The size of the differences that a comparison can detect. */
export const sensitivitySchema = z.lazy(() =>
  z.object({
    /** The smallest true difference that is detected with the given power. */
    detectable: z.number().positive(),
    power: z.number(),
    confidence: z.number(),
    /** The number of questions that smaller differences would need. */
    plans: z.array(z.object({ difference: z.number().positive(), questions: positiveInt() })),
  }),
);
export type Sensitivity = z.infer<typeof sensitivitySchema>;

/**
 * The difference of run B from run A on one measure, paired by case: a case counts once, with the mean of its
 * attempts.
 */
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
  /** The criterion, metric or category; otherwise the same as `measure`. */
  name: z.string(),
  /** The unit; absent for shares in [0, 1]. */
  unit: z.string().optional(),
  /** The direction that is better; null when neither is. */
  better: z.enum(['higher', 'lower']).nullable(),
  /** Means over the pairs that both runs measured; null when there are none. */
  meanA: z.number().nullable(),
  meanB: z.number().nullable(),
  /** B minus A. */
  difference: estimateSchema,
  /** The two-sided p-value; null when it cannot be computed. */
  pValue: z.number().nullable(),
  /** The p-value corrected for the tests of its family. */
  adjustedPValue: z.number().nullable(),
  /** The p-value of the sign test, that as many questions are higher as lower; only where means of scores are compared. */
  signPValue: z.number().nullable().optional(),
  adjustedSignPValue: z.number().nullable().optional(),
  /** Number of pairs in which B is higher than A, lower, or equal. */
  higher: wholeNumber(),
  lower: wholeNumber(),
  equal: wholeNumber(),
  /** Number of pairs that the measure concerns; those not in `difference.n` are counted below. */
  pairs: wholeNumber(),
  /** Number of pairs with a value in A only, in B only, or in neither: not measured, or not applicable. */
  onlyA: wholeNumber(),
  onlyB: wholeNumber(),
  neither: wholeNumber(),
  /** The finding of the corrected p-values; of the sign test, `…-on-most`: rare losses or gains could outweigh it. */
  finding: z.enum([
    'better',
    'worse',
    'different',
    'better-on-most',
    'worse-on-most',
    'not-visible',
    'too-few',
    'not-comparable',
  ]),
  /** The sensitivity; null when the differences have no spread. */
  sensitivity: sensitivitySchema.nullable(),
  /** True when A and B measured it by different rules. */
  isRuleChanged: z.literal(true).optional(),
  /** Present when it rests on a certified judge: `corrected` to what people would say, `refused` and null, or as the judge says. */
  judged: z.enum(['refused', 'corrected', 'uncorrected']).optional(),
  /** As the judge says, where a certified judge decides it. */
  said: z
    .object({ meanA: z.number().nullable(), meanB: z.number().nullable(), difference: z.number().nullable() })
    .optional(),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

/** Returns the key of a measure in an address: `score`, `metric.keywords`, `category.taxes`. */
export function measureKey({ measure, name }: Pick<RunDifference, 'measure' | 'name'>): string {
  return measure === name ? measure : `${measure}.${name}`;
}

const flipSideSchema = z.lazy(() =>
  z.object({
    /** Share of the measured attempts that passed. */
    passed: z.number(),
    total: z.number().nullable(),
    /** An attempt with the outcome of the majority. */
    attempt: positiveInt(),
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
    /** The metrics whose values differ between the two attempts shown. */
    metrics: z.array(
      z.object({ name: z.string(), unit: z.string().optional(), a: z.number(), b: z.number() }),
    ),
  }),
);
export type Flip = z.infer<typeof flipSchema>;

/** The conclusion about B compared with A, on the one measure chosen before looking at the data. */
const comparisonVerdictSchema = z.lazy(() =>
  z.object({
    outcome: z.enum([
      'better',
      'worse',
      'better-on-most',
      'worse-on-most',
      'no-visible-difference',
      'not-enough-data',
      'not-comparable',
    ]),
    measure: runDifferenceSchema.shape.measure,
    name: z.string(),
    /**
     * False when the pairs that were not measured could change the outcome if they had all come out the other way.
     */
    isCertain: z.boolean(),
  }),
);

/** A setting of a target that differs in B. */
export const targetChangeSchema = z.lazy(() =>
  z.object({
    /** The path inside the target, such as `model` or `with.topK`. */
    setting: z.string(),
    /**
     * The values as JSON, shortened, from shortly before the first difference; null when the setting is absent or a
     * secret.
     */
    a: z.string().nullable(),
    b: z.string().nullable(),
    isSecret: z.literal(true).optional(),
  }),
);
export type TargetChange = z.infer<typeof targetChangeSchema>;

/** A comparison of two runs, or of two targets of them, paired by case. */
export const pairComparisonSchema = z.lazy(() =>
  z.object({
    a: comparedSideSchema,
    b: comparedSideSchema,
    notices: z.array(comparisonNoticeSchema),
    /**
     * The settings in which the targets differ; absent for the same target, empty when only files behind it differ.
     */
    targetChanges: z.array(targetChangeSchema).optional(),
    /** True when both were called in one run, side by side and in turns. */
    isInterleaved: z.literal(true).optional(),
    pairing: casePairingSchema,
    verdict: comparisonVerdictSchema,
    regression: regressionCheckSchema.optional(),
    /** The test on these questions alone; present with `regression` for shares. */
    regressionOnThese: fixedRegressionCheckSchema.optional(),
    /** The differences, with the verdict's measure first. */
    differences: z.array(runDifferenceSchema),
    /** Pairs with a known pass or failure in one run only: the other run has an error, or did not measure it. */
    notMeasured: z.object({ inA: listedCasesSchema, inB: listedCasesSchema }),
    /** Number of cases that passed in A and not in B, and vice versa. */
    flipsToWorse: wholeNumber(),
    flipsToBetter: wholeNumber(),
    /** Number of cases that passed in both runs, and that failed in both; of several attempts the majority counts. */
    passedInBoth: wholeNumber(),
    failedInBoth: wholeNumber(),
    /** The first flips in full, those to the worse first. */
    flips: z.array(flipSchema),
  }),
);
export type PairComparison = z.infer<typeof pairComparisonSchema>;

/** A run in a ranking, in which the best comes first. */
export const rankedRunSchema = z.lazy(() =>
  z.object({
    /** The best possible rank: behind all runs that are visibly better. */
    rank: positiveInt(),
    /** The worst possible rank: before all runs that are visibly worse. */
    lastRank: positiveInt(),
    run: z.string(),
    target: z.string(),
    /** This run minus the first of the ranking; null for the first itself. */
    toLeader: estimateSchema.nullable(),
    adjustedPValue: z.number().nullable(),
  }),
);
export type RankedRun = z.infer<typeof rankedRunSchema>;

/** The result of `touchstone compare`. */
export const runComparisonSchema = z.lazy(() =>
  z.object({
    version: z.literal(runComparisonVersion),
    /** Comparisons of each run with the first, target by target. */
    comparisons: z.array(pairComparisonSchema).min(1),
    /** Numbers of tests that are corrected together: the measures of the verdicts, and all others. */
    corrected: z.object({
      method: z.literal('holm'),
      verdicts: wholeNumber(),
      others: wholeNumber(),
    }),
    ranking: z.array(rankedRunSchema).optional(),
  }),
);
export type RunComparison = z.infer<typeof runComparisonSchema>;
