import type { Dataset } from '../datasets/dataset.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Case } from '../schema/case.ts';
import type { Weights } from '../schema/estimate.ts';
import type { Expectation } from '../schema/expectation.ts';
import type { CaseRule } from '../schema/expected.ts';
import type { Gate, GitState, Run, RunMetric, RunScorecard, RunUser } from '../schema/run.ts';
import type { AccountRecord } from '../schema/usage.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import type { Target } from '../targets/target.ts';
import type { User } from '../users/user.ts';

/** A target ready to be called, with what the run remembers of it. */
export type LiveTarget = Run['targets'][number] & { readonly target: Target };

/** A user ready to talk, with what the run remembers of it. */
export type LiveUser = RunUser & { readonly user: User };

/** Who talks to the targets in cases of several turns. */
export interface Users {
  /** Plays the users that have a script. */
  readonly scripted: User;
  /** Plays those that have a goal; undefined when the configuration names nobody who can. */
  readonly simulated?: LiveUser | undefined;
}

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
  /** What was found while the pieces were put together and is worth saying before anything is called. */
  readonly notices?: readonly string[];
  readonly users: Users;
  readonly metrics: readonly LiveMetric[];
  readonly scorecard: LiveScorecard | null;
  readonly attempts: number;
  /** By which the attempts at a case make it pass or fail; undefined where each counts for itself. */
  readonly caseRule?: CaseRule | undefined;
  readonly seed: number;
  /** Whether targets take turns on every case, so that the time of day favours none. */
  readonly isInterleaved?: true;
  readonly settings: Run['settings'];
  /** Tells what is checked out in git where the config is; never throws. Absent where that is not to be recorded. */
  readonly readGit?: (() => Promise<GitState | undefined>) | undefined;
  /** Begins to watch the accounts that calls go through; what it gives tells what became of them since. */
  readonly watchAccounts?: (() => () => readonly AccountRecord[]) | undefined;
  /** Whether what judges answered in earlier runs counts, or everything is asked again. */
  readonly reusesJudgements: boolean;
  readonly gate: Gate;
  /** Whether a row whose id has been there before is left out, and counted, in place of refused. */
  readonly skipsDuplicates?: boolean | undefined;
  /** Expectations that no metric has to read. */
  readonly unread?: readonly Expectation[] | undefined;
  /** What each category counts in the weighted numbers; undefined where there are none. */
  readonly weights?: Weights | undefined;
  /** Takes the secrets that are known out of all that is kept; absent where none are. */
  readonly secrets?: SecretRedactor | undefined;
}
