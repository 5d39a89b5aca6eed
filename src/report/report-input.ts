import { withoutConditions } from '../schema/condition.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Disagreement, Summary } from '../schema/summary.ts';

/** What a report is made of: a run, its numbers, and its results one at a time so that a report of any size streams. */
export interface ReportInput {
  readonly run: Run;
  readonly summary: Summary;
  /**
   * The results in the order of the plan; can be read more than once. With ordinals, in rising order, only those at these
   * places of the plan: cheap, however large the run.
   */
  results(ordinals?: readonly number[]): AsyncIterable<Result>;
  /** Those of the judgements with some ids that the run rests on; missing where a report has no store to read from. */
  readonly judgements?: ((ids: readonly string[]) => AsyncIterable<Judgement>) | undefined;
  /**
   * What `results` was narrowed to, in the words of the command line. Only the results are: the summary
   * stays that of the whole run, and a report says so. Missing when there is everything.
   */
  readonly narrowing?: string | undefined;
  /** What a narrowed report lists in place of one question after the other: those on which metrics contradict each other. */
  readonly disagreements?: readonly Disagreement[] | undefined;
  /** The folder of the run's store, as `--store` takes it; missing where a command finds the store by itself. */
  readonly storeFolder?: string | undefined;
}

/** The names of the targets of a run that are not put under a condition. */
export function plainTargets({ targets }: Pick<Run, 'targets'>): string[] {
  return withoutConditions(targets).map(({ name }) => name);
}

/** What a report tells in full: the targets as they are. What conditions make of them has a section of its own. */
export function ofPlainTargets(input: ReportInput): ReportInput {
  const { run, summary } = input;
  const names = new Set(plainTargets(run));
  const targets = summary.targets.filter(({ target }) => names.has(target));
  return { ...input, summary: { ...summary, targets } };
}
