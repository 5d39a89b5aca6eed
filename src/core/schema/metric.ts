import { z } from 'zod';
import { positiveInt, wholeNumber } from './json.ts';

/**
 * The families of metrics, each with the meaning of a high verdict: metrics agree or contradict each other by family.
 */
export const metricFamilies = {
  wording: 'the answer reads like the expected one, word for word or nearly',
  similarity: 'the answer is about the same as the expected one',
  content: 'the answer contains the words, names and numbers that it should',
  judged: 'a judge finds the answer right, or to the point',
  grounding: 'what the answer says is in its sources',
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
/**
 * The families of metrics, each with the meaning of a high verdict: metrics agree or contradict each other by family.
 */
export type MetricFamily = keyof typeof metricFamilies;

/**
 * The aspects of an answer that reports treat in a way of their own, each with the meaning of a high verdict and the
 * parts of a verdict that reports read. An aspect is narrower than a family: a metric may declare both.
 */
export const metricAspects = {
  'correct-answer': 'the answer means the same as the expected one',
  'expected-answer': 'the answer agrees with the expected one: by words, unless a judge compares them',
  'expected-terms':
    'the answer contains the expected terms; `evidence` lists those `found` and those `missing`',
  'expected-tools':
    'the expected tools were used; `evidence` lists the tools `expected`, those `used` and those `missing`',
  'expected-calls': 'all expected calls were made',
  'all-documents': 'all relevant documents were found',
  'any-document': 'at least one relevant document was found',
  'expected-refusal': 'the answer is a refusal exactly when one is expected',
  'safe-answer': 'the answer does no harm',
  'polite-answer': 'the answer is polite',
  'no-error':
    'the target answered, and not with an error report; with `passed: false` it did not, and `evidence.error` is the code',
  'answer-time': 'no statement about quality: the value is the time of the whole answer in milliseconds',
  'handled-fault':
    'the user was helped or informed in spite of a fault in a tool; `label` is `recovered`, `told-user`, `gave-up`, `misled` or `made-up`',
  'own-checks':
    'the answer passes the checks that its question brings along; `evidence.checks` lists the result of each',
  'resisted-injection':
    'the answer does not follow instructions planted in the results of tools; 0 when it does',
  'resisted-attack':
    'the attack of the question has not succeeded; `label` is `resisted` or `succeeded`, and `answered` or `refused` for a harmless question',
} as const;

/** An aspect of an answer that reports treat in a way of their own. */
export type MetricAspect = keyof typeof metricAspects;
/** An aspect of an answer that reports treat in a way of their own. */
export const metricAspectSchema = z.enum(Object.keys(metricAspects) as [MetricAspect, ...MetricAspect[]]);

/** A part of a metric's verdict, by its name under `parts` in the evidence, with the aspect that it measures. */
export const metricPartSchema = z.object({ name: z.string(), aspect: metricAspectSchema });
/** A part of a metric's verdict, by its name under `parts` in the evidence, with the aspect that it measures. */
export type MetricPart = z.infer<typeof metricPartSchema>;

/** The properties of quantities in a unit. */
interface UnitTraits {
  /** The direction that is better; absent when neither is. */
  readonly better?: 'lower' | 'higher';
  /** The way in which reports write a value; a number with its unit when absent. */
  readonly format?: 'duration' | 'money';
}

/** The units of quantities that cannot be negative. Nothing is known of quantities in other units. */
const units: ReadonlyMap<string, UnitTraits> = new Map(
  Object.entries({
    ms: { better: 'lower', format: 'duration' },
    s: {},
    USD: { better: 'lower', format: 'money' },
    tokens: { better: 'lower' },
    characters: {},
    words: {},
    gain: { better: 'higher' },
    'edits/word': { better: 'lower' },
    turns: {},
    calls: {},
  } as const),
);

/** Returns the better direction of values in a unit, or of shares when there is none; null when neither is better. */
export function betterIn(unit: string | undefined): 'higher' | 'lower' | null {
  return unit === undefined ? 'higher' : (units.get(unit)?.better ?? null);
}

/** Returns the way in which reports write quantities in a unit; undefined for a number with its unit. */
export function formatIn(unit: string): UnitTraits['format'] {
  return units.get(unit)?.format;
}

/** Returns whether quantities in a unit cannot be negative. */
export function isNeverNegative(unit: string): boolean {
  return units.has(unit);
}

/** The record of a metric in a run. Runs of 0.1.0 recorded no aspects. */
interface RecordedMetric {
  readonly use: { readonly use: string };
  readonly aspect?: MetricAspect | null;
  readonly parts?: readonly MetricPart[];
}

/** Returns the aspect that a metric of a run measures; null when it declares none, and for a metric not in the run. */
export function aspectOf(metric: RecordedMetric | undefined): MetricAspect | null {
  return declaredBy(metric).aspect ?? null;
}

/** Returns the parts of a metric of a run that have an aspect of their own. */
export function declaredParts(metric: RecordedMetric | undefined): readonly MetricPart[] {
  return declaredBy(metric).parts ?? [];
}

/** Returns the metrics of a run that measure an aspect. */
export function metricsMeasuring<Metric extends RecordedMetric>(
  { metrics }: { readonly metrics: readonly Metric[] },
  aspect: MetricAspect,
): Metric[] {
  return metrics.filter((metric) => aspectOf(metric) === aspect);
}

function declaredBy(metric: RecordedMetric | undefined): Pick<RecordedMetric, 'aspect' | 'parts'> {
  if (metric === undefined) return {};
  return metric.aspect === undefined ? (declaredIn010.get(metric.use.use) ?? {}) : metric;
}

/**
 * The declarations that the metrics of 0.1.0 have today, by the name after `use:`. Its runs recorded no aspects, and later runs record
 * them all, so no metric is ever added here.
 */
export const declaredIn010: ReadonlyMap<string, Pick<RecordedMetric, 'aspect' | 'parts'>> = new Map(
  Object.entries({
    correctness: { aspect: 'correct-answer' },
    'answer-match': { aspect: 'expected-answer' },
    keywords: { aspect: 'expected-terms' },
    entities: { aspect: 'expected-terms' },
    'response-quality': {
      parts: [
        { name: 'keywords', aspect: 'expected-terms' },
        { name: 'entities', aspect: 'expected-terms' },
        { name: 'expected answer', aspect: 'expected-answer' },
      ],
    },
    'tool-usage': { aspect: 'expected-tools' },
    'tool-calls': { aspect: 'expected-calls' },
    'retrieval-recall': { aspect: 'all-documents' },
    'hit-rate': { aspect: 'any-document' },
    refusal: { aspect: 'expected-refusal' },
    safety: { aspect: 'safe-answer' },
    politeness: { aspect: 'polite-answer' },
    'error-handling': { aspect: 'no-error' },
    latency: { aspect: 'answer-time' },
    'fault-handling': { aspect: 'handled-fault' },
    'injection-resistance': { aspect: 'resisted-injection' },
  } as const),
);

/** The rank correlations of pairs of metrics on the same answers, regardless of their units. */
export const correlationsSchema = z.lazy(() =>
  z.object({
    /**
     * Number of answers with a verdict of any metric, and the number of them drawn for ranking, at random by the
     * run's seed.
     */
    trials: wholeNumber(),
    sampled: wholeNumber(),
    /** Pairs that can be ranked: both metrics vary over the answers on which both have a verdict. */
    pairs: z.array(
      z.object({
        metrics: z.tuple([z.string(), z.string()]),
        /** Spearman's coefficient: 1 for the same ranking, −1 for the reverse. */
        spearman: z.number().min(-1).max(1),
        /** Answers of the sample that both measured. */
        n: positiveInt(),
      }),
    ),
  }),
);
export type Correlations = z.infer<typeof correlationsSchema>;

/** A target that retrieved documents, and none of the expected ones in the whole run: probably their ids have different forms. */
export const neverRetrievedSchema = z.lazy(() =>
  z.object({
    /** The trials in which it retrieved something. */
    trials: positiveInt(),
    /** An expected id, and one that was retrieved. */
    expected: z.string(),
    retrieved: z.string(),
  }),
);
export type NeverRetrieved = z.infer<typeof neverRetrievedSchema>;
