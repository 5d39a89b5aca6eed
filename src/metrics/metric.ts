import type { z } from 'zod';
import { type Definition, define, type Factory } from '../lib/define.ts';
import type { Case } from '../schema/case.ts';
import type { Trial } from '../schema/trial.ts';
import type { Verdict } from '../schema/verdict.ts';

/** What a metric reads: the record of a trial and the case it belongs to. Nothing else. */
export interface MetricInput {
  readonly case: Case;
  readonly trial: Trial;
}

/** A rule that gives a verdict about one trial. */
export interface Metric {
  /**
   * Whether the metric can say something of a trial that failed, such as how long it took.
   * Otherwise a failed trial gets the verdict `failed` with the code `trial-failed`, and the metric is not asked.
   */
  readonly measuresFailures?: boolean;
  score(input: MetricInput): Verdict | Promise<Verdict>;
}

/** What Touchstone can hand to a metric. */
export type MetricNeeds = Record<never, never>;

export type MetricDefinition<Options = never> = Definition<'metric', Options, Metric, MetricNeeds>;

/** Declares a metric: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineMetric<Schema extends z.ZodType>(
  definition: Omit<MetricDefinition<z.output<Schema>>, 'kind' | 'options'> & { readonly options: Schema },
): Factory<'metric', z.input<Schema>, z.output<Schema>, Metric, MetricNeeds> {
  return define<'metric', Schema, Metric, MetricNeeds>({ kind: 'metric', ...definition });
}
