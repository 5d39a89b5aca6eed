import type { Dataset } from '../datasets/dataset.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Weights } from '../../core/schema/estimate.ts';
import type { Expectation } from '../../core/schema/expectation.ts';
import type { CaseRule } from '../../core/schema/expected.ts';
import type { GitState } from '../../core/schema/git-state.ts';
import type { Run, RunMetric, RunScorecard, RunUser } from '../../core/schema/run.ts';
import type { ToolResult } from '../../core/schema/tools/tool-result.ts';
import type { ListedServer, QuestionCounts } from '../../core/schema/tools/listed-server.ts';
import type { ToolsReport } from '../../core/schema/tools/tools-report.ts';
import type { RunTools } from '../../core/schema/tools/run-tools.ts';
import type { Store } from '../../stores/store.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { RefusedAccount } from '../../core/schema/api/waiting-view.ts';
import type { AccountRecord } from '../../core/schema/usage.ts';
import type { Scorecard } from '../../decide/scorecards/scorecard.ts';
import type { Target } from '../targets/target.ts';
import type { User } from '../users/user.ts';
import type { CaseCheckRules } from './prepare/case-check-rules.ts';

/** A target that is ready to be called, with its record in the run. */
export type ResolvedTarget = Run['targets'][number] & { readonly target: Target };

/** A user that is ready to talk, with its record in the run. */
export type ResolvedUser = RunUser & { readonly user: User };

/** The users that talk to the targets in cases of several turns. */
export interface Users {
  /** The user that plays scripts. */
  readonly scripted: User;
  /** The user that pursues goals; undefined when the config names none. */
  readonly simulated?: ResolvedUser;
}

/** A metric that is ready to score, with its record in the run. */
export type ResolvedMetric = RunMetric & { readonly metric: Metric };

/** A scorecard that is ready to evaluate, with its record in the run. */
export type ResolvedScorecard = RunScorecard & Pick<Scorecard, 'evaluate'>;

/** The name, the note and the tags of a run, and the command line that asks its questions. */
export type RunLabel = Pick<Run, 'name' | 'note' | 'tags' | 'command'>;

/** The tools of the targets of a run. */
export interface EvaluationTools {
  /** The record of them in the run, when it begins. */
  readonly record: RunTools;
  /** True where real tools may act: again, when an attempt is asked again. */
  readonly mayAct: boolean;
  /** True where every server gets the same idempotency key again: only functions may act twice. */
  readonly isKeyed: boolean;
  /** The servers with a fixed port of this machine, which one process alone can have. */
  readonly fixedPorts: readonly string[];
  /**
   * Lists what the servers offer, and checks the names of tools in the config. Returns notices about servers that cannot be listed.
   * Throws `config-invalid` for a name that no server lists, and `target-unreachable`.
   */
  learn(): Promise<readonly string[]>;
  /** Returns why a result that a question brings along cannot answer any call; undefined where it can, as far as is known. */
  problemOf(result: ToolResult): string | undefined;
  /** Returns the tools that really act and may change something, as far as they are listed. */
  acting(): readonly string[];
  /** Returns the line of a plan: which tools a run uses, and whether they really act. */
  describe(counts: QuestionCounts): string;
  /** Starts or reaches all servers, and lists what they offer. */
  list(): Promise<ListedServer[]>;
  /** Returns what came to this process. */
  report(): ToolsReport;
  /** Does what is left to do when all attempts are made, such as writing what was recorded. Returns what the run records of it. */
  finish(run: Run, needs: FinishNeeds): Promise<RunTools>;
}

/** The surroundings of the end of a run with tools. */
export interface FinishNeeds {
  readonly store: Store;
  /** The reports of the other processes that worked on the run. */
  readonly others: readonly ToolsReport[];
  notify(message: string): void;
}

/** Everything that a run works with: a config after every name in it has been resolved. */
export interface Evaluation {
  readonly description: string | undefined;
  /** The name, the note, the tags and the command line that the run gets. */
  readonly label?: RunLabel;
  /** The run of which only the cases that did not pass are asked again. */
  readonly failedOf?: string;
  readonly dataset: Dataset;
  /** Returns true for the cases of the dataset that are asked. */
  readonly selects: (testCase: Case) => boolean;
  /** The largest number of cases that are asked; Infinity for all. */
  readonly limit: number;
  readonly targets: readonly ResolvedTarget[];
  /** The tools of the targets, where they pass through Touchstone. */
  readonly tools?: EvaluationTools;
  /** Messages about the config that the user should see before anything is called. */
  readonly notices?: readonly string[];
  readonly users: Users;
  readonly metrics: readonly ResolvedMetric[];
  readonly scorecard: ResolvedScorecard | null;
  /** The rules for the checks that cases bring along; without them, these are not checked. */
  readonly caseChecks?: CaseCheckRules;
  readonly attempts: number;
  /**
   * The rule by which the attempts at a case decide whether it passes; undefined when each attempt counts by itself.
   */
  readonly caseRule?: CaseRule;
  readonly seed: number;
  /** True when targets take turns on every case, so that the time of day favours none of them. */
  readonly isInterleaved?: true;
  readonly settings: Run['settings'];
  /** Reads the git state of the config's folder, and never throws. Absent when the state is not to be recorded. */
  readonly readGit?: () => Promise<GitState | undefined>;
  /**
   * Begins to watch the accounts that calls go through. The returned function reads what has happened to them since.
   */
  readonly watchAccounts?: () => () => readonly AccountRecord[];
  /** Returns the refusals of servers that hold up calls now. */
  readonly readRefused?: () => readonly RefusedAccount[];
  /** True when the judgements of earlier runs are reused, false when every question is asked again. */
  readonly reusesJudgements: boolean;
  /** True when judges get no pictures and other files. */
  readonly hidesFiles?: boolean;
  readonly gate: Gate;
  /** True when a row with an id that occurred before is skipped and counted, in place of being refused. */
  readonly skipsDuplicates?: boolean;
  /** Expectations that are allowed to have no metric that reads them. */
  readonly unread?: readonly Expectation[];
  /** The weight of each category in the weighted numbers; undefined when there are none. */
  readonly weights?: Weights;
  /** Removes the known secrets from everything that is stored; absent when there are none. */
  readonly secrets?: SecretRedactor;
}
