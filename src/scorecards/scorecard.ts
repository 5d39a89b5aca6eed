import type { z } from 'zod';
import { type Definition, define, type Factory, type NamedUse } from '../lib/define.ts';
import type { Grade, ScorecardResult } from '../schema/scorecard-result.ts';
import type { Verdict } from '../schema/verdict.ts';

/** A metric with a weight, before the metric is built. */
export interface CriterionUse {
  readonly name: string;
  readonly metric: NamedUse;
  /** Weights of a scorecard add up to 1; weight 0 is shown, not counted. */
  readonly weight: number;
  /** A trial cannot pass unless this criterion is fully met. */
  readonly required: boolean;
}

/** Criteria, and the rule that turns their verdicts into a total, a grade and a pass. */
export interface Scorecard {
  readonly criteria: readonly CriterionUse[];
  readonly grades: readonly Grade[];
  readonly passMark: number;
  /** Pure: the same verdicts, by the name of the criterion, always give the same result. */
  evaluate(verdicts: ReadonlyMap<string, Verdict>): ScorecardResult;
}

export type ScorecardDefinition<Options = never> = Definition<
  'scorecard',
  Options,
  Scorecard,
  Record<never, never>
>;

/** Declares a scorecard: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineScorecard<Schema extends z.ZodType>(
  definition: Omit<ScorecardDefinition<z.output<Schema>>, 'kind' | 'options'> & { readonly options: Schema },
): Factory<'scorecard', z.input<Schema>, z.output<Schema>, Scorecard, Record<never, never>> {
  return define<'scorecard', Schema, Scorecard, Record<never, never>>({ kind: 'scorecard', ...definition });
}
