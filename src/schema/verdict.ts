import { z } from 'zod';
import { jsonSchema } from './json.ts';

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
