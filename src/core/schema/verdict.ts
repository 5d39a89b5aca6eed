import { z } from 'zod';
import { jsonSchema, positiveInt, share, wholeNumber } from './json.ts';

const judgements = z
  .array(z.string())
  .optional()
  .describe('Ids of the judgements that it is based on, which contain the whole prompt and reply.');

const sampleSchema = z.object({ value: z.number(), passed: z.boolean().optional() });

/** The verdict that one sample of a judge gives on its own. */
export type VerdictSample = z.infer<typeof sampleSchema>;

/**
 * A metric's answer about one trial. Only a `scored` verdict has a value: reading the value without checking the
 * status does not compile, so an unmeasured verdict cannot become a number by accident.
 */
export const verdictSchema = z.lazy(() =>
  z.discriminatedUnion('status', [
    z.object({
      status: z.literal('scored'),
      /** A share in [0, 1], or a measured quantity when `unit` is given. */
      value: z.number(),
      unit: z.string().optional(),
      passed: z.boolean().optional(),
      /** A class besides the value, kebab-case, such as how an agent handled a fault: counted, not averaged. */
      label: z.string().optional(),
      explanation: z.string().optional(),
      evidence: jsonSchema.optional(),
      /** The verdict of each sample of the judge on its own; absent when it was asked once. */
      samples: z.array(sampleSchema).min(2).optional(),
      judgements,
    }),
    z.object({ status: z.literal('not-applicable'), reason: z.string() }),
    z.object({
      status: z.literal('failed'),
      code: z.string(),
      reason: z.string(),
      /** Details that are known all the same, such as the parts of the verdict that were measured. */
      evidence: jsonSchema.optional(),
      judgements,
    }),
  ]),
);
export type Verdict = z.infer<typeof verdictSchema>;

/** A verdict without its texts: the part needed to count and to average. */
export type VerdictNumbers =
  | {
      status: 'scored';
      value: number;
      unit?: string;
      passed?: boolean;
      label?: string;
      samples?: readonly VerdictSample[];
    }
  | { status: 'not-applicable' }
  | { status: 'failed'; code?: string };

/** The verdicts on a trial, by metric. */
export type VerdictsByMetric = Readonly<Record<string, VerdictNumbers>>;

/**
 * Returns whether one of the verdicts on a trial passes a test. It runs for every trial, so it builds no list of
 * verdicts.
 */
export function someVerdict(verdicts: VerdictsByMetric, test: (verdict: VerdictNumbers) => boolean): boolean {
  for (const name in verdicts) if (test(verdicts[name] as VerdictNumbers)) return true;
  return false;
}

/** The code of a verdict on a trial whose texts were erased. */
export const erasedCode = 'trial-erased';

/**
 * The code of a verdict that is missing because the simulated user was at fault, so that the trial says nothing about
 * the target.
 */
export const invalidatedCode = 'trial-spoilt';

/** Returns whether a verdict is missing because the simulated user was at fault. */
export function isInvalidated(verdict: VerdictNumbers): boolean {
  return verdict.status === 'failed' && verdict.code === invalidatedCode;
}

/**
 * Returns whether a verdict is missing because the judge failed: that is no fault of the trial, and another attempt
 * may succeed. The codes of such verdicts begin with `judge-`.
 */
export function isJudgeFault(verdict: VerdictNumbers): boolean {
  return verdict.status === 'failed' && verdict.code?.startsWith('judge-') === true;
}

/** Returns the worst reason why the verdicts on a trial are incomplete; undefined when they are complete. */
export function gapIn(verdicts: VerdictsByMetric): 'invalidated' | 'judge-fault' | 'no-verdict' | undefined {
  let gap: 'judge-fault' | 'no-verdict' | undefined = 'no-verdict';
  for (const name in verdicts) {
    const verdict = verdicts[name] as VerdictNumbers;
    if (isInvalidated(verdict)) return 'invalidated';
    if (gap !== 'judge-fault') gap = isJudgeFault(verdict) ? 'judge-fault' : undefined;
  }
  return gap;
}

/** Returns whether a verdict passed: what it says itself, else whether its value is at least one half; null without a verdict. */
export function passedBy(verdict: VerdictNumbers | undefined): boolean | null {
  if (verdict?.status !== 'scored') return null;
  if (verdict.passed !== undefined) return verdict.passed;
  return verdict.unit === undefined ? verdict.value >= 0.5 : null;
}

/** Returns the ids of the judgements that verdicts are based on. */
export function judgementsOf(verdicts: Readonly<Record<string, Verdict>>): string[] {
  return Object.values(verdicts).flatMap((verdict) =>
    verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []),
  );
}

/** A metric with a weight. Weights of a scorecard add up to 1; a criterion of weight 0 is shown but not counted. */
export const criterionSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The name of the metric in this run. */
    metric: z.string(),
    weight: share(),
    /** A trial cannot pass unless this criterion is fully met. */
    required: z.boolean(),
    /** The least value of the metric that makes a boolean criterion true. */
    atLeast: z.number().optional(),
    /** The greatest value of the metric that makes a boolean criterion true. */
    atMost: z.number().optional(),
    /**
     * A criterion that is bad when true: its weight is subtracted from the score, and does not count among the
     * weights that add up to 1.
     */
    negative: z.literal(true).optional(),
    /** The best outcome that a trial can have when it does not meet this criterion. */
    caps: z.string().optional(),
  }),
);
export type Criterion = z.infer<typeof criterionSchema>;

/** A grade, given to every total of at least `from`. */
export const gradeSchema = z.lazy(() =>
  z.object({
    grade: z.string(),
    from: z.number(),
    meaning: z.string(),
    /** The recommended action for a score in its range. */
    action: z.string().optional(),
  }),
);
/** A grade, given to every total of at least `from`. */
export type Grade = z.infer<typeof gradeSchema>;

/**
 * A rule for an outcome: it applies to every total of at least `from` (more than `above`, if set) when the criterion
 * `when` is met. The first rule that applies decides.
 */
export const outcomeRuleSchema = z.lazy(() =>
  z.object({
    outcome: z.string(),
    from: z.number(),
    above: z.number().optional(),
    /** The name of a criterion. */
    when: z.string().optional(),
    meaning: z.string(),
  }),
);
export type OutcomeRule = z.infer<typeof outcomeRuleSchema>;

/**
 * The result of a scorecard for one trial. When a weighted criterion was not measured, `total` is null and `lower`
 * and `upper` are the totals if all such criteria were failed or met.
 */
export const scorecardResultSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    lower: z.number(),
    upper: z.number(),
    grade: z.string().nullable(),
    /** The outcome; absent from a scorecard without outcomes, null when it is unknown. */
    outcome: z.string().nullable().optional(),
    /** True when the trial passed; null when that is unknown. */
    passed: z.boolean().nullable(),
    /** The pass mark of the case, which replaced the one of the scorecard; absent from a case without one. */
    passMark: share().optional(),
    explanation: z.string(),
    /** The total of each sample of the judge on its own; absent when it was asked once. */
    samples: z.array(z.number()).min(2).optional(),
  }),
);
/**
 * The result of a scorecard for one trial. When a weighted criterion was not measured, `total` is null and `lower`
 * and `upper` are the totals if all such criteria were failed or met.
 */
export type ScorecardResult = z.infer<typeof scorecardResultSchema>;

/** The changes that another rule makes to the stored results of a run, without calling anything. */
const scoreChangesSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    weights: z.array(z.object({ criterion: z.string(), before: z.number(), after: z.number() })),
    targets: z.array(targetChangesSchema),
    /** Answers whose outcome, grade or pass changes, in the order of the plan. */
    flips: z.array(scoreChangeSchema),
    /** The number of flips; only the first are listed when there are very many. */
    flipCount: wholeNumber(),
  }),
);
export type ScoreChanges = z.infer<typeof scoreChangesSchema>;

/** The changes that another rule makes to the results of one target. */
const targetChangesSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Answers that have a total under both rules. */
    compared: wholeNumber(),
    /** Means over these answers; null when there are none. */
    meanBefore: z.number().nullable(),
    meanAfter: z.number().nullable(),
    passedBefore: wholeNumber(),
    passedAfter: wholeNumber(),
    /** Number of answers with each outcome or grade, before and after. */
    marks: z.array(z.object({ mark: z.string(), before: z.int(), after: z.int() })),
  }),
);

/** The result of one stored answer under two rules. */
const scoreChangeSchema = z.lazy(() =>
  z.object({
    caseId: z.string(),
    target: z.string(),
    attempt: positiveInt(),
    before: sideSchema,
    after: sideSchema,
  }),
);
export type ScoreChange = z.infer<typeof scoreChangeSchema>;

const sideSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    /** The outcome or grade; null when there is none or it is unknown. */
    mark: z.string().nullable(),
    passed: z.boolean().nullable(),
  }),
);
