import type { Judgement } from '../schema/judgement.ts';
import type { CasedTrial, CaseNames, Outcome, PlannedCase, Result, ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { TrialSpec } from '../schema/trial.ts';

/** What `addScores` keeps: verdicts and scorecard result, by the trial they are about. */
export type ScoresOfTrial = Pick<ScoredTrial, 'trial' | 'verdicts' | 'scorecard'>;

/** Whose cases and trials a run reads as its own: the id of the run that they were made for, or of one that shares them. */
export interface Sharing {
  readonly trialsOf?: string;
}

/** What a list shows of a run, without what it was made with and its numbers. */
export type RunHead = Pick<
  Run,
  'id' | 'status' | 'createdAt' | 'finishedAt' | 'description' | 'continues' | 'rescoredFrom'
>;

/** Which runs are listed; all of it must hold. */
export interface RunChoice {
  /** Only the newest so many. */
  readonly limit?: number | undefined;
  /** Only those that are listed behind the run with this id. */
  readonly before?: string | undefined;
  readonly status?: Run['status'] | undefined;
  /** Only those that go on with the run with this id. */
  readonly continues?: string | undefined;
}

/** Reads runs whole, one at a time, the newest first. */
export async function* readRuns(
  store: Pick<Store, 'listRuns' | 'readRun'>,
  choice?: RunChoice,
): AsyncGenerator<Run> {
  for (const { id } of await store.listRuns(choice)) {
    const run = await store.readRun(id);
    if (run !== undefined) yield run;
  }
}

/** How far a run is. */
export interface ProgressCounts {
  /** Trials that are completed or failed. */
  readonly done: number;
  /** Trials that have a total. */
  readonly measured: number;
  /** The sum of these totals. */
  readonly sum: number;
}

/** A run that one caller has for itself; disposing of it, once or more often, lets others have it. */
export type Claim = AsyncDisposable;

/** Something in a store that is not as it was written. */
export interface Damage {
  /** The run it belongs to, where that is known. */
  readonly runId?: string;
  /** A sentence without its full stop. */
  readonly what: string;
}

/** A record of a run that is as it was written. */
export type WholeRecord =
  | { readonly type: 'case'; readonly case: PlannedCase }
  | { readonly type: 'judgement'; readonly judgement: Judgement }
  | { readonly type: 'result'; readonly result: Result };

/**
 * Keeps runs for ever: the plan, then trials, then scores. When a promise resolves, what it was given is kept, whatever
 * happens to the process afterwards. Rows are read in the order of the plan and never all at once.
 * Except for `readRun`, methods throw `run-not-found` for a run that is not there. Methods that read throw `store-damaged`
 * rather than return what is not as it was written, or less than was kept.
 */
export interface Store {
  /** The folder that it is kept in, where there is one: baselines of a gate are named from there. */
  readonly folder?: string;
  /**
   * Adds a run, without its cases; or one that shares the cases and trials of another, with scores of its own. Such a run
   * has the targets and attempts of the other one, and gets no cases or trials itself.
   */
  createRun(run: Run, sharing?: Sharing): Promise<void>;
  /** Replaces the record of a run. */
  updateRun(run: Run): Promise<void>;
  readRun(runId: string): Promise<Run | undefined>;
  /** Lists runs, the newest first. */
  listRuns(choice?: RunChoice): Promise<RunHead[]>;
  /**
   * Takes a run for this caller alone, until the claim is disposed of or the process ends, however it ends.
   * Throws `run-in-progress` when another caller has it.
   */
  claimRun(runId: string): Promise<Claim>;
  /** Says whether a caller has a run, of this process or of another. */
  isClaimed(runId: string): Promise<boolean>;
  /**
   * Removes a run with all that belongs to it alone: trials stay while another run shares them. Its judgements stay: other
   * runs may rest on them, and they were paid for.
   */
  deleteRun(runId: string): Promise<void>;

  /** Adds cases to a plan, each at a position of its own. Throws `run-not-resumable` when the run shares another's. */
  addCases(runId: string, cases: readonly PlannedCase[]): Promise<void>;
  /** The cases of a plan; or only those at some positions, which are given in rising order. */
  readCases(runId: string, positions?: readonly number[]): AsyncIterable<PlannedCase>;
  /** The first case of a plan with an id; undefined when there is none. Looks through the whole plan. */
  findCase(runId: string, caseId: string): Promise<PlannedCase | undefined>;
  /** Of every case of a plan the names under which it is counted, some at a time. */
  readCaseNames(runId: string): AsyncIterable<readonly CaseNames[]>;

  /**
   * Keeps trials; one at the same place of the plan replaces the earlier one together with its scores, in every run that
   * shares it. Throws `run-not-resumable` when the run shares the trials of another.
   */
  addTrials(runId: string, trials: readonly CasedTrial[]): Promise<void>;
  /** The keys of those trials that are kept and done: completed or failed, not cancelled. */
  findDone(runId: string, specs: readonly Pick<TrialSpec, 'key' | 'ordinal'>[]): Promise<Set<string>>;
  /** Keeps scores of trials that are kept; they replace the earlier scores of the trial. */
  addScores(runId: string, scored: readonly ScoresOfTrial[]): Promise<void>;

  /**
   * Every trial with its case and all that was said of it; or only those at some places of the plan, which are given in
   * rising order. A place where no trial is kept is passed over.
   */
  readResults(runId: string, ordinals?: readonly number[]): AsyncIterable<Result>;
  /** Every trial with its case, some at a time: to be scored, whatever was said of them. */
  readTrials(runId: string): AsyncIterable<readonly CasedTrial[]>;
  /** Every result, some at a time, only as much as numbers are made of. */
  readOutcomes(runId: string): AsyncIterable<readonly Outcome[]>;

  /** Counts how far a run is, without reading its records. */
  countProgress(runId: string): Promise<ProgressCounts>;

  /** The newest judgement with this key that has an answer, whichever run asked, or of those that one run asked. */
  findJudgement(key: string, askedIn?: string): Promise<Judgement | undefined>;
  /** Keeps judgements for ever and notes that the run rests on them. One that is there already stays as it is. */
  addJudgements(runId: string, judgements: readonly Judgement[]): Promise<void>;
  /**
   * The judgements that a run rests on: those it was given, and those its verdicts name. In the order in which they were
   * asked; or only those with some ids.
   */
  readJudgements(runId: string, ids?: readonly string[]): AsyncIterable<Judgement>;

  /**
   * Takes questions to judges, by the keys of their judgements, for a run that is about to ask them. One that a run has
   * taken stays with it until it is released or the run is deleted. Returns the id of the run that has each, in the same
   * order: the run itself, or the one that had it already.
   */
  takeQuestions(runId: string, keys: readonly string[]): Promise<string[]>;
  /** Lets others take questions that a run has; all of them when none are named. */
  releaseQuestions(runId: string, keys?: readonly string[]): Promise<void>;

  /** Looks through all that is kept, of all runs, for what is not as it was written. */
  check(): AsyncIterable<Damage>;
  /**
   * Reads what is whole of a run, also where other methods throw `store-damaged`: its cases, judgements and results, in this
   * order. A result whose scores are lost comes without them.
   * @param onLost - Called with the name of each record that is lost.
   */
  readWhole(runId: string, onLost: (what: string) => void): AsyncIterable<WholeRecord>;

  close(): Promise<void>;
}
