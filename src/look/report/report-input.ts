import { withoutConditions } from '../../core/schema/condition.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { Result } from '../../core/schema/result.ts';
import type { WorkerView } from '../../core/schema/api/worker-view.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Disagreement, Summary } from '../../core/schema/summary.ts';

/**
 * The input of a report: a run, its numbers, and its results one at a time, so that reports of any size are streamed.
 */
export interface ReportInput {
  readonly run: Run;
  readonly summary: Summary;
  /**
   * Returns the results in the order of the plan; it can be called more than once. With ordinals, in ascending order,
   * it returns only the results at these places of the plan, which is cheap however large the run is.
   */
  results(ordinals?: readonly number[]): AsyncIterable<Result>;
  /** Returns the judgements of the run with the given ids; undefined when a report has no store to read from. */
  readonly judgements?: (ids: readonly string[]) => AsyncIterable<Judgement>;
  /** Returns the bytes of a picture or another file by its hash; undefined when a report has no store to read from. */
  readonly readBlob?: (hash: string) => Promise<Uint8Array | undefined>;
  /**
   * The filter that `results` was narrowed to, as given on the command line. It applies only to the results: the
   * summary covers the whole run, and a report says so. Undefined when all results are included.
   */
  readonly narrowing?: string;
  /**
   * The disagreements that a narrowed report lists, each with its questions, in place of a plain list of questions.
   */
  readonly disagreements?: readonly Disagreement[];
  /** The processes that work on the run, when it is under way. */
  readonly workers?: readonly WorkerView[];
  /** The folder of the run's store, as `--store` takes it; undefined when a command finds the store without it. */
  readonly storeFolder?: string;
  /** The command that asks again only what did not pass, for somebody at the terminal that has just made the run. */
  readonly again?: string;
}

/** Returns the names of a run's targets without a condition. */
export function plainTargets({ targets }: Pick<Run, 'targets'>): string[] {
  return withoutConditions(targets).map(({ name }) => name);
}

/** Restricts a report to the targets without a condition. The effects of conditions have a section of their own. */
export function ofPlainTargets(input: ReportInput): ReportInput {
  const { run, summary } = input;
  const names = new Set(plainTargets(run));
  const targets = summary.targets.filter(({ target }) => names.has(target));
  return { ...input, summary: { ...summary, targets } };
}
