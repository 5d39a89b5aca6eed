import { z } from 'zod';
import { isOwnFault, messageOf } from '../../core/errors.ts';
import type { Judge, JudgeContext, JudgeQuestion } from '../judges/judge.ts';
import { UnmeasurableError } from '../../core/lib/compute-within.ts';
import { define, type Definition, type Factory, type NamedUse } from '../../core/lib/define.ts';
import { pathSteps } from '../../core/lib/objects.ts';
import type { Case } from '../../core/schema/case.ts';
import { type Expectation, expectations } from '../../core/schema/expectation.ts';
import type { Json } from '../../core/schema/json.ts';
import type { MetricAspect, MetricFamily, MetricPart } from '../../core/schema/metric.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** All that a metric reads: the record of a trial and the case it belongs to. */
export interface MetricInput {
  readonly case: Case;
  readonly trial: Trial;
}

/**
 * The context of a metric that waits: the abort signal, and the store in which the judge's replies are saved. All
 * metrics of a trial share one.
 */
export type MetricContext = JudgeContext;

/** A rule that gives a verdict about one trial. */
export interface Metric {
  /**
   * True when the metric also applies to a failed trial, as latency does. Otherwise a failed trial gets the verdict
   * `failed` with the code `trial-failed`, and the metric is not called.
   */
  readonly measuresFailures?: boolean;
  /**
   * True when the metric judges the simulated user and not the target. It is then called for invalid trials too, and a
   * trial that does not pass it is invalid: no other metric scores that trial.
   */
  readonly judgesUser?: boolean;
  /**
   * The number of trials that a waiting metric, such as one that asks a judge, may work on at a time. Absent for a
   * metric that computes.
   */
  readonly concurrency?: number;
  /** The judge that the metric asks. */
  readonly judge?: Judge;
  /**
   * The data that determine the verdicts in addition to the options, such as the content of a file. A metric with
   * another identity counts as another metric.
   */
  readonly identity?: Json;
  /** The expectations that it reads in addition to the ones in its definition, such as those that only a judge can check. */
  readonly alsoReads?: readonly Expectation[];
  /** The aspect that it measures, where its options say so; by default the one of its definition. */
  readonly aspect?: MetricAspect;
  /**
   * Prepares the metric before the first trial is scored. Throws `TouchstoneError`. A metric that was not opened
   * prepares itself when it is first called.
   */
  open?(): Promise<void>;
  /** Releases what the metric started. */
  close?(): Promise<void>;
  /** Returns the most that the metric would ask its judge about a trial; the estimate of a run's price uses it. */
  questions?(input: MetricInput): readonly JudgeQuestion[];
  /**
   * Returns the metrics that the metric applies to a trial, each with what it is applied to, for a metric that consists
   * of others, which may have judges of their own. The estimate of a run's price uses it in place of `questions`.
   */
  parts?(input: MetricInput): readonly { readonly metric: Metric; readonly input: MetricInput }[];
  /**
   * Returns the verdict on a trial. A run always passes a context; a metric that computes needs none. Rejects only when
   * the signal is aborted: the trial then stays without scores and is scored later.
   */
  score(input: MetricInput, context?: MetricContext): Verdict | Promise<Verdict>;
}

/** The services that a metric can use. A metric that cannot work without one of them throws when it is created. */
export interface MetricNeeds {
  /**
   * The embedding model of the configuration as a judge that scores how similar two texts are in meaning; absent when
   * none is configured.
   */
  readonly embedder?: (limits: { readonly timeLimitMs: number }) => Judge;
  /**
   * Returns the judge that an option names, or the one of the configuration when no name is given; undefined when there
   * is neither.
   */
  readonly judge?: (use?: NamedUse | string) => Judge | undefined;
  /** The folder that relative paths in the options start from. */
  readonly folder?: string;
  /** Returns the metric that an option names. */
  readonly metric?: (use: NamedUse | string) => Metric;
  /** The metrics that the checks of cases can name. */
  readonly caseMetrics?: CaseMetrics;
}

/**
 * The metrics that the checks of cases can name. A case is data, often from someone else: its checks may use the judge
 * and the embedding model of the configuration, but name no code, no file and no judge of their own.
 */
export interface CaseMetrics {
  /** Returns the metric that a check names. Equal checks have the same. Throws for one that cannot be used. */
  find(use: NamedUse): CaseMetric;
  /** The versions of the metrics that were changed since their first, by name. */
  readonly versions: Readonly<Record<string, number>>;
}

/** A metric that a check of a case names. */
export interface CaseMetric {
  readonly metric: Metric;
  /** True when the metric has an option `threshold`, which then decides what passes. */
  readonly hasThreshold: boolean;
  /** The expectations of the case that the metric reads. */
  readonly reads: readonly Expectation[];
}

/** A metric as it is registered: its name, its options, and how it is created from them. */
export type MetricDefinition<Options = never> = Definition<'metric', Options, Metric, MetricNeeds> & {
  /**
   * The kind of statement that a high value makes about an answer, such as `grounding`. Reports use it to find metrics
   * that contradict each other. Absent where only the user knows what a high value means, or where more is not better:
   * such a metric contradicts nothing.
   */
  readonly family?: MetricFamily;
  /**
   * The aspect of an answer that the metric measures, such as `expected-tools`, for a metric that reports treat in a way
   * of their own: they list its missing tools, or count the error reports that it finds. Absent for all other metrics.
   */
  readonly aspect?: MetricAspect;
  /** The parts of a verdict, under `parts` in its evidence, that have an aspect of their own. */
  readonly parts?: readonly MetricPart[];
  /**
   * The expectations of a case that the verdict depends on. A run reports before the first call which expectations no
   * metric checks. A metric without this property counts as reading none.
   */
  readonly reads?:
    | readonly Expectation[]
    | ((
        options: Options,
        readsOf: (use: NamedUse | string) => readonly Expectation[],
      ) => readonly Expectation[]);
  /**
   * Returns the texts of its options that an answer must contain, or must not, each with its path in the options: the
   * rules for datasets read them in the checks of cases.
   */
  readonly texts?: (options: Options) => readonly SoughtText[];
  /** True when its options name code to run. The checks of cases cannot use such a metric. */
  readonly runsCode?: true;
  /**
   * For a measured quantity such as milliseconds: its unit, and the options of which any one is a limit that lets a
   * value pass or fail. Without a limit, such a metric cannot be a weighted criterion.
   */
  readonly quantity?: { readonly unit: string; readonly limits: readonly string[] };
};

/** A text in the options of a metric. */
export interface SoughtText {
  readonly text: string;
  readonly path: readonly PropertyKey[];
  /** True when the answer must not contain it. */
  readonly isForbidden: boolean;
  /** True when something else may do in its place. */
  readonly isAlternative: boolean;
}

/**
 * Returns the expectations that a path of a case leads to: `expected.answer` to the answer, `expected` to all of them.
 */
export function expectationsAt(path: string): readonly Expectation[] {
  const [root, part] = pathSteps(path);
  if (root === 'case' && part !== undefined) return expectationsAt(path.replace(/^case\.?/, ''));
  if (root !== 'expected') return [];
  return part === undefined ? expectations : expectations.filter((name) => name === part);
}

/**
 * Declares a metric: one file, one registry line (in tree) or one import in a config (out of tree). Analysis and reports
 * identify no metric by its name: beyond its verdicts they use what the definition declares under `family`, `aspect`,
 * `parts`, `reads` and `quantity`, which each run records. `aspect: 'no-error'`, for instance, makes reports count the
 * verdicts that do not pass as error reports.
 */
export function defineMetric<Schema extends z.ZodType>(
  definition: Omit<MetricDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'metric', z.input<Schema>, z.output<Schema>, Metric, MetricNeeds> {
  return define<'metric', Schema, Metric, MetricNeeds>({ kind: 'metric', ...definition });
}

/** The option of the three-component metrics for a case that does not state the expectation. */
export const nothingExpectedOption = z
  .enum(['not-applicable', 'full'])
  .default('not-applicable')
  .describe(
    'The verdict on a question that states no such expectation: `not-applicable`, or `full` marks as in the source systems. An empty list states that nothing is needed, and always gets full marks.',
  );

/**
 * Returns the error for an answer that is too long to compare: each of its parts would be compared with each part of
 * the expected text.
 */
export function tooLong(given: number, wanted: number, unit: 'characters' | 'words'): UnmeasurableError {
  const lengths = [given, wanted].map((length) => length.toLocaleString('en')).join(' and ');
  return new UnmeasurableError('too-long', `${lengths} ${unit} are too many to be compared one by one`);
}

/**
 * Returns the verdict of a metric on a trial. An error of the metric becomes its verdict and never stops the others;
 * fails only when the signal is aborted, or when Touchstone itself is at fault, such as its store that cannot be used.
 */
export async function scoreSafely(
  metric: Pick<Metric, 'score'>,
  input: MetricInput,
  context?: MetricContext,
): Promise<Verdict> {
  try {
    return checkVerdict(await metric.score(input, context));
  } catch (thrown) {
    context?.signal.throwIfAborted();
    if (isOwnFault(thrown)) throw thrown;
    return failedVerdict(thrown);
  }
}

function checkVerdict(verdict: Verdict): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const isInRange = verdict.unit !== undefined || (verdict.value >= 0 && verdict.value <= 1);
  if (Number.isFinite(verdict.value) && isInRange) return verdict;
  const reason = `the metric gave ${verdict.value}; a value without a unit lies between 0 and 1`;
  return { status: 'failed', code: 'metric-out-of-range', reason };
}

function failedVerdict(thrown: unknown): Verdict {
  const code = thrown instanceof UnmeasurableError ? thrown.code : 'metric-threw';
  return { status: 'failed', code, reason: messageOf(thrown) };
}
