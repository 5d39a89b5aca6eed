import type { Dataset } from '../datasets/dataset.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Case } from '../schema/case.ts';
import type { Gate, Run, RunMetric, RunScorecard } from '../schema/run.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import type { Target } from '../targets/target.ts';

/** A target ready to be called, with what the run remembers of it. */
export type LiveTarget = Run['targets'][number] & { readonly target: Target };

/** A metric ready to score, with what the run remembers of it. */
export type LiveMetric = RunMetric & { readonly metric: Metric };

/** A scorecard ready to evaluate, with what the run remembers of it. */
export type LiveScorecard = RunScorecard & Pick<Scorecard, 'evaluate'>;

/** All that a run needs, ready to work: what a configuration turns into once every name in it has been found. */
export interface Evaluation {
  readonly description: string | undefined;
  readonly dataset: Dataset;
  /** Which cases of the dataset are asked. */
  readonly selects: (testCase: Case) => boolean;
  /** Most cases asked; Infinity for all. */
  readonly limit: number;
  readonly targets: readonly LiveTarget[];
  readonly metrics: readonly LiveMetric[];
  readonly scorecard: LiveScorecard | null;
  readonly attempts: number;
  readonly seed: number;
  readonly settings: Run['settings'];
  /** Whether what judges answered in earlier runs counts, or everything is asked again. */
  readonly reusesJudgements: boolean;
  readonly gate: Gate;
}
