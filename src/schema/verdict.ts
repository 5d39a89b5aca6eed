import { z } from 'zod';
import { jsonSchema } from './json.ts';

const sideSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    /** The outcome or grade; null when there is none, or it cannot be known. */
    mark: z.string().nullable(),
    passed: z.boolean().nullable(),
  }),
);

/** How one stored answer comes out under two rules. */
const scoreChangeSchema = z.lazy(() =>
  z.object({
    caseId: z.string(),
    target: z.string(),
    attempt: z.int().positive(),
    before: sideSchema,
    after: sideSchema,
  }),
);
export type ScoreChange = z.infer<typeof scoreChangeSchema>;

/** What another rule makes of the answers of one target. */
const targetChangesSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Answers that have a total under both rules. */
    compared: z.int().nonnegative(),
    /** Means over these; null when there are none. */
    meanBefore: z.number().nullable(),
    meanAfter: z.number().nullable(),
    passedBefore: z.int().nonnegative(),
    passedAfter: z.int().nonnegative(),
    /** How many answers had each outcome or grade, before and after. */
    marks: z.array(z.object({ mark: z.string(), before: z.int(), after: z.int() })),
  }),
);

/** What another rule makes of the stored answers of a run, without asking anything. */
const scoreChangesSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    weights: z.array(z.object({ criterion: z.string(), before: z.number(), after: z.number() })),
    targets: z.array(targetChangesSchema),
    /** Answers whose outcome, grade or pass is another one, in the order of the plan. */
    flips: z.array(scoreChangeSchema),
    /** All flips, of which only the first are listed when there are very many. */
    flipCount: z.int().nonnegative(),
  }),
);
export type ScoreChanges = z.infer<typeof scoreChangesSchema>;

/** A metric with a weight. Weights of a scorecard add up to 1; a criterion of weight 0 is shown, not counted. */
export const criterionSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The name of the metric in this run. */
    metric: z.string(),
    weight: z.number().min(0).max(1),
    /** A trial cannot pass unless this criterion is fully met. */
    required: z.boolean(),
    /** Least value of the metric with which the criterion is true, where it is true or false. */
    atLeast: z.number().optional(),
    /** Greatest value of the metric with which the criterion is true, where it is true or false. */
    atMost: z.number().optional(),
    /** To be true is bad, and takes the weight off the score. Such weights do not count among those that add up to 1. */
    negative: z.literal(true).optional(),
    /** The best outcome that a trial can have that does not meet this criterion. */
    caps: z.string().optional(),
  }),
);
export type Criterion = z.infer<typeof criterionSchema>;

/** A grade goes to every total of at least `from`. */
export const gradeSchema = z.lazy(() =>
  z.object({
    grade: z.string(),
    from: z.number(),
    meaning: z.string(),
    /** What to do about a score in its range. */
    action: z.string().optional(),
  }),
);
/** A grade goes to every total of at least `from`. */
export type Grade = z.infer<typeof gradeSchema>;

/**
 * An outcome goes to every total of at least `from` (of more than `above`, where that is given) for which the criterion
 * `when` is met. Of several rules the first that holds counts.
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
 * What a scorecard says of one trial. When a weighted criterion was not measured, `total` is null and
 * `lower` and `upper` are what it would be had all such criteria failed or been met.
 */
export const scorecardResultSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    lower: z.number(),
    upper: z.number(),
    grade: z.string().nullable(),
    /** Absent from a scorecard without outcomes; null when it cannot be known. */
    outcome: z.string().nullable().optional(),
    /** null when it cannot be known. */
    passed: z.boolean().nullable(),
    explanation: z.string(),
    /** The total with each sample of the judge by itself; absent where it was asked once. */
    samples: z.array(z.number()).min(2).optional(),
  }),
);
/**
 * What a scorecard says of one trial. When a weighted criterion was not measured, `total` is null and
 * `lower` and `upper` are what it would be had all such criteria failed or been met.
 */
export type ScorecardResult = z.infer<typeof scorecardResultSchema>;

/** What the verdicts of a metric say when they are high, by which metrics can agree or contradict each other. */
export const metricFamilies = {
  wording: 'the answer reads like the expected one, word for word or nearly',
  similarity: 'the answer is about the same as the expected one',
  content: 'the answer holds the words, names and numbers that it should',
  judged: 'a judge finds the answer right, or to the point',
  grounding: 'what the answer says stands in its sources',
  conduct: 'the answer refuses what it should and says nothing that it must not',
  style: 'the tone or the form of the sentences',
  format: 'the answer can be read by a program',
  tools: 'the tools were used as expected',
  retrieval: 'the documents that matter were found',
  recorded: 'what was recorded with the answer says that it is good',
  operations: 'time, length, errors: how the answer came about',
} as const;

/** The family of a metric. */
export const metricFamilySchema = z.enum(Object.keys(metricFamilies) as [MetricFamily, ...MetricFamily[]]);
/** What the verdicts of a metric say when they are high, by which metrics can agree or contradict each other. */
export type MetricFamily = keyof typeof metricFamilies;

const judgements = z
  .array(z.string())
  .optional()
  .describe('Ids of the judgements it rests on, with the whole prompt and reply of each.');

const sampleSchema = z.object({ value: z.number(), passed: z.boolean().optional() });

/** What one sample of a judge would have given by itself. */
export type VerdictSample = z.infer<typeof sampleSchema>;

/**
 * A metric's answer about one trial. Only a `scored` verdict has a value: reading one without asking for the
 * status first does not compile, so what was not measured cannot turn into a number by accident.
 */
export const verdictSchema = z.lazy(() =>
  z.discriminatedUnion('status', [
    z.object({
      status: z.literal('scored'),
      /** In [0, 1], or a measured quantity when `unit` is given. */
      value: z.number(),
      unit: z.string().optional(),
      passed: z.boolean().optional(),
      /** A class beside the value, kebab-case, such as how an agent dealt with a fault: counted, not averaged. */
      label: z.string().optional(),
      explanation: z.string().optional(),
      evidence: jsonSchema.optional(),
      /** What each sample of the judge would have given by itself; absent where it was asked once. */
      samples: z.array(sampleSchema).min(2).optional(),
      judgements,
    }),
    z.object({ status: z.literal('not-applicable'), reason: z.string() }),
    z.object({ status: z.literal('failed'), code: z.string(), reason: z.string(), judgements }),
  ]),
);
export type Verdict = z.infer<typeof verdictSchema>;

/** A verdict without its words: what is needed to count and to average. */
export type VerdictNumbers =
  | {
      status: 'scored';
      value: number;
      unit?: string | undefined;
      passed?: boolean | undefined;
      label?: string | undefined;
      samples?: readonly VerdictSample[] | undefined;
    }
  | { status: 'not-applicable' }
  | { status: 'failed'; code?: string | undefined };

/** The verdicts on a trial, by metric. */
export type VerdictsByMetric = Readonly<Record<string, VerdictNumbers>>;

/** Whether something is true of one of the verdicts on a trial. Asked of every trial, so it makes no list of them. */
export function someVerdict(verdicts: VerdictsByMetric, test: (verdict: VerdictNumbers) => boolean): boolean {
  for (const name in verdicts) if (test(verdicts[name] as VerdictNumbers)) return true;
  return false;
}

/** The code of a verdict that is missing because the trial says nothing of the target: who played the user was at fault. */
export const spoiltCode = 'trial-spoilt';

/** Whether a verdict is missing because of who played the user. */
export function isSpoilt(verdict: VerdictNumbers): boolean {
  return verdict.status === 'failed' && verdict.code === spoiltCode;
}

/**
 * Whether a verdict is missing because the judge failed: no fault of the trial, and worth asking again. The codes of such
 * verdicts begin with `judge-`.
 */
export function isJudgeFault(verdict: VerdictNumbers): boolean {
  return verdict.status === 'failed' && verdict.code?.startsWith('judge-') === true;
}

/** What keeps the verdicts on a trial from being whole, the worst of it; undefined where nothing does. */
export function gapIn(verdicts: VerdictsByMetric): 'spoilt' | 'judge-fault' | 'no-verdict' | undefined {
  let gap: 'judge-fault' | 'no-verdict' | undefined = 'no-verdict';
  for (const name in verdicts) {
    const verdict = verdicts[name] as VerdictNumbers;
    if (isSpoilt(verdict)) return 'spoilt';
    if (gap !== 'judge-fault') gap = isJudgeFault(verdict) ? 'judge-fault' : undefined;
  }
  return gap;
}

/** Ids of the judgements that verdicts rest on. */
export function judgementsOf(verdicts: Readonly<Record<string, Verdict>>): string[] {
  return Object.values(verdicts).flatMap((verdict) =>
    verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []),
  );
}
