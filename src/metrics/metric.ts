import { z } from 'zod';
import type { Judge, JudgeContext, JudgeQuestion } from '../judges/judge.ts';
import { UnmeasurableError } from '../lib/compute-within.ts';
import { define, type Definition, type Factory, type NamedUse } from '../lib/define.ts';
import { pathSteps } from '../lib/objects.ts';
import type { Case } from '../schema/case.ts';
import { type Expectation, expectations } from '../schema/expectation.ts';
import type { Json } from '../schema/json.ts';
import type { Trial } from '../schema/trial.ts';
import type { MetricFamily, Verdict } from '../schema/verdict.ts';

/** What a metric reads: the record of a trial and the case it belongs to. Nothing else. */
export interface MetricInput {
  readonly case: Case;
  readonly trial: Trial;
}

/** What a metric that waits works with: when to stop, and where what its judge says is kept. The same for a whole trial. */
export type MetricContext = JudgeContext;

/** A rule that gives a verdict about one trial. */
export interface Metric {
  /**
   * Whether the metric can say something of a trial that failed, such as how long it took.
   * Otherwise a failed trial gets the verdict `failed` with the code `trial-failed`, and the metric is not asked.
   */
  readonly measuresFailures?: boolean;
  /**
   * Whether the metric judges who played the user, not the target: then it is asked of spoilt trials too, and a trial that
   * it does not pass is spoilt, so that no other metric scores it.
   */
  readonly judgesUser?: boolean;
  /** For a metric that waits, such as for a judge: trials that it may work on at a time. Absent for one that computes. */
  readonly concurrency?: number;
  /** The judge that it asks. */
  readonly judge?: Judge;
  /** What makes its verdicts what they are beside its options, such as the content of a file: another one is another metric. */
  readonly identity?: Json;
  /** Gets ready, before the first question is asked. Throws `TouchstoneError`. A metric that was not opened gets ready later. */
  open?(): Promise<void>;
  /** Ends what it started. */
  close?(): Promise<void>;
  /** At most what it would ask its judge about a trial: for the price of a run that has not been made. */
  questions?(input: MetricInput): readonly JudgeQuestion[];
  /**
   * In a run there always is a context; one that computes needs none.
   * Rejects only when the signal is aborted: then the trial stays without scores, to be scored later.
   */
  score(input: MetricInput, context?: MetricContext): Verdict | Promise<Verdict>;
}

/** What Touchstone can hand to a metric. A metric that cannot do without one of them says so when it is made. */
export interface MetricNeeds {
  /** The embedding model of the configuration, where there is one, as a judge that scores how near two texts are in meaning. */
  readonly embedder?: ((limits: { readonly timeLimitMs: number }) => Judge) | undefined;
  /** The judge that an option names, or that of the configuration when none is named; undefined when there is neither. */
  readonly judge?: ((use?: NamedUse | string) => Judge | undefined) | undefined;
  /** The folder that paths in its options are relative to. */
  readonly folder?: string | undefined;
  /** The metric that an option names. */
  readonly metric?: ((use: NamedUse | string) => Metric) | undefined;
}

/** A metric as it is registered: its name, its options and how it is made of them. */
export type MetricDefinition<Options = never> = Definition<'metric', Options, Metric, MetricNeeds> & {
  /**
   * What high verdicts say, so that it is noticed when metrics contradict each other. Left out where only the user knows,
   * or where more is not better: then the metric contradicts nothing.
   */
  readonly family?: MetricFamily;
  /**
   * Which expectations of a case its verdict depends on, so that a run knows before the first call what no metric checks.
   * A metric that does not say so counts as reading none.
   */
  readonly reads?: readonly Expectation[] | ((options: Options) => readonly Expectation[]);
  /**
   * For a metric of a quantity with a unit, such as milliseconds: the unit, and the options of which any one lets a value
   * pass or fail. Without a limit such a metric has no place among weighted criteria.
   */
  readonly quantity?: { readonly unit: string; readonly limits: readonly string[] };
};

/** Returns the expectations that a path of a case leads to: `expected.answer` to the answer, `expected` to all of them. */
export function expectationsAt(path: string): readonly Expectation[] {
  const [root, part] = pathSteps(path);
  if (root === 'case' && part !== undefined) return expectationsAt(path.replace(/^case\.?/, ''));
  if (root !== 'expected') return [];
  return part === undefined ? expectations : expectations.filter((name) => name === part);
}

/** Declares a metric: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineMetric<Schema extends z.ZodType>(
  definition: Omit<MetricDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'metric', z.input<Schema>, z.output<Schema>, Metric, MetricNeeds> {
  return define<'metric', Schema, Metric, MetricNeeds>({ kind: 'metric', ...definition });
}

/** What becomes of a case that leaves an expectation out, as an option of the metrics of the three components. */
export const nothingExpectedOption = z
  .enum(['not-applicable', 'full'])
  .default('not-applicable')
  .describe(
    'What a case gets that does not say what it expects: `not-applicable`, or `full` marks as in the source systems. An empty list says that nothing is needed, and always gets full marks.',
  );

/** Says that an answer is not compared with what was expected, since every part of one would be held against every part of the other. */
export function tooLong(given: number, wanted: number, unit: 'characters' | 'words'): UnmeasurableError {
  const lengths = [given, wanted].map((length) => length.toLocaleString('en')).join(' and ');
  return new UnmeasurableError('too-long', `${lengths} ${unit} are too many to be compared one by one`);
}
