import type { z } from 'zod';
import { define, type Definition, type Factory, type NamedUse } from '../../core/lib/define.ts';
import type { Criterion, Grade, OutcomeRule, ScorecardResult, Verdict } from '../../core/schema/verdict.ts';

/** A metric with a weight, before the metric is created. */
export interface CriterionUse extends Readonly<Omit<Criterion, 'metric'>> {
  readonly metric: NamedUse;
}

/** A set of criteria with the rule that turns their verdicts into a total, a grade or an outcome, and a pass. */
export interface Scorecard {
  readonly criteria: readonly CriterionUse[];
  readonly grades: readonly Grade[];
  /** Absent when trials have no outcome. */
  readonly outcomes?: readonly OutcomeRule[];
  readonly passMark: number;
  /**
   * Evaluates verdicts by the names of their criteria. It is pure: equal verdicts always have the same result.
   * @param passMark - The pass mark of the case, in place of the one of the scorecard.
   */
  evaluate(verdicts: ReadonlyMap<string, Verdict>, passMark?: number): ScorecardResult;
}

/** A scorecard as it is registered: its name, its options, and how it is created from them. */
export type ScorecardDefinition<Options = never> = Definition<
  'scorecard',
  Options,
  Scorecard,
  Record<never, never>
> & {
  /**
   * Returns the same options with other weights, in the order of the criteria. Absent when weights cannot be changed
   * from outside.
   */
  readonly reweigh?: (options: Options, weights: readonly number[]) => Options;
};

/** Declares a scorecard: one file, one registry line (in tree) or one import in a config (out of tree). */
export function defineScorecard<Schema extends z.ZodType>(
  definition: Omit<ScorecardDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'scorecard', z.input<Schema>, z.output<Schema>, Scorecard, Record<never, never>> {
  return define<'scorecard', Schema, Scorecard, Record<never, never>>({ kind: 'scorecard', ...definition });
}
