import type { z } from 'zod';
import { define, type Definition, type Factory } from '../core/lib/define.ts';
import type { RunHead } from '../core/schema/api/run-head.ts';
import type { Judgement } from '../core/schema/judgement.ts';
import type {
  CasedTrial,
  CaseNames,
  Outcome,
  PlannedCase,
  Result,
  ScoredTrial,
} from '../core/schema/result.ts';
import type { Run } from '../core/schema/run.ts';
import type { TrialSpec } from '../core/schema/trial.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { DocumentStore } from './documents/document-store.ts';
import type { AccountStore } from './accounts/account-store.ts';
import type { AnswerAtHand, AnswerQuery } from './feedback/choose-answer.ts';
import type { MatrixRows } from './matrix-rows.ts';
import type { SharedRecords } from './shared/shared-records.ts';
import type { TextRecords } from './texts/text-records.ts';
import type {
  ColumnQuery,
  CountQuery,
  TraitCount,
  TraitQuery,
  TrialColumns,
  TrialCount,
  TrialPage,
  TrialQuery,
} from '../core/trials/trial-queries.ts';

export type * from '../core/trials/trial-queries.ts';

/** The sharing of cases and trials between runs. */
export interface Sharing {
  /** The id of the run whose cases and trials are read: the run that they were made for, or one that shares them too. */
  readonly trialsOf?: string;
}

/** The conditions by which runs are listed; a run must meet all of them. */
export interface RunChoice {
  /** The largest number of runs; the newest are listed. */
  readonly limit?: number;
  /** The id of a run; only the runs listed after it, which are older, are listed. */
  readonly before?: string;
  readonly status?: Run['status'];
  /** The id of a run; only runs that continue it are listed. */
  readonly continues?: string;
}

/** Yields complete runs, one at a time, the newest first. */
export async function* readRuns(
  store: Pick<Store, 'listRuns' | 'readRun'>,
  choice?: RunChoice,
): AsyncGenerator<Run> {
  for (const { id } of await store.listRuns(choice)) {
    const run = await store.readRun(id);
    if (run !== undefined) yield run;
  }
}

/** The progress of a run. */
export interface ProgressCounts {
  /** The number of trials that are completed or failed. */
  readonly done: number;
  /** The number of trials that have a total. */
  readonly measured: number;
  /** The sum of these totals. */
  readonly sum: number;
}

/** The way in which trials are stored. */
export interface TrialWriting {
  /**
   * True to keep a trial that is done, when there is another answer at its place. Several processes may then make the trials
   * of one run: the first answer of a trial counts, whichever process gives it.
   */
  readonly keepsDone?: boolean;
}

/**
 * The exclusive claim of one caller on a run, or on a part of it. Disposing of it releases it; disposing of it twice does no
 * harm.
 */
export interface Claim extends AsyncDisposable {
  /**
   * Aborted once another caller has the claim, because this process was held up for too long or cut off from the store. What was
   * begun under it must then be given up. Where a claim cannot be lost, it is never aborted.
   */
  readonly lost: AbortSignal;
}

/** The holder of the lock on a question: a run, and the part of it that asks. */
export interface QuestionHolder {
  readonly runId: string;
  /** Empty for the run as a whole. */
  readonly part: string;
}

/** A fault in a store: data that is missing or has changed since it was written. */
export interface Damage {
  /** The id of the run that the data belongs to, where that is known. */
  readonly runId?: string;
  /** A description of the fault: a sentence without its full stop. */
  readonly what: string;
}

/** An undamaged record of a run. */
export type WholeRecord =
  | { readonly type: 'case'; readonly case: PlannedCase }
  | { readonly type: 'judgement'; readonly judgement: Judgement }
  | { readonly type: 'result'; readonly result: Result };

/**
 * A permanent store of runs: first the plan of a run is written, then its trials, then their scores. When the promise of a
 * write resolves, the data is stored, even if the process dies right afterwards. Rows are read in the order of the plan and
 * never all at once.
 * All methods on a run but `readRun` throw `run-not-found` for an unknown one. Methods that read throw `store-damaged` when a record
 * has changed since it was written, or when records are missing. Methods that read columns alone, and no records, notice missing
 * ones at most: `readColumns`, `countTrials`.
 */
export interface Store {
  /**
   * The location of the store for messages: the absolute path of its file, or another text such as `memory`. It contains
   * no password.
   */
  readonly address: string;
  /** The records on which the processes that use the store agree while they work. The records of a run are removed with it. */
  readonly shared: SharedRecords;
  /** The accounts of a server over this store, and its audit log. A store that only runs use has none of them. */
  readonly accounts: AccountStore;
  /** Documents of what people said and did, and of what was recorded in production. */
  readonly documents: DocumentStore;
  /** The pictures, PDFs and sounds that messages name. */
  readonly blobs: BlobStore;
  /** The cases that several runs have in common, with the results of each. */
  readonly matrix: MatrixRows;
  /** The texts of all records, for their erasure. */
  readonly texts: TextRecords;
  /** Returns whether the stored data is still there: false once the file of an open store was removed. */
  exists(): Promise<boolean>;
  /**
   * Adds a run without cases. With `sharing`, the run reads the cases and trials of another run and has only scores of its
   * own: it must have the same targets and attempts, and no cases or trials can be added to it.
   */
  createRun(run: Run, sharing?: Sharing): Promise<void>;
  /** Replaces the record of a run. */
  updateRun(run: Run): Promise<void>;
  /** Returns the record of a run; undefined when there is no such run. */
  readRun(runId: string): Promise<Run | undefined>;
  /** Lists runs, the newest first. */
  listRuns(choice?: RunChoice): Promise<RunHead[]>;
  /**
   * Claims a run, or the part of that name, for this caller alone, until the claim is disposed of or the process ends, however it
   * ends. The claim on a run and those on its parts are independent of each other.
   * Throws `run-in-progress` when another caller has claimed it.
   */
  claimRun(runId: string, part?: string): Promise<Claim>;
  /** Returns whether a caller in this process or another has claimed a run, or the part of that name. */
  isClaimed(runId: string, part?: string): Promise<boolean>;
  /**
   * Removes a run and everything that belongs to it alone, its batches included. Its trials stay while another run shares them. Its judgements
   * always stay, since they were paid for and other runs may use them; so do people's labels of its answers, review tasks,
   * certificates, feedback and proposals.
   */
  deleteRun(runId: string): Promise<void>;
  /**
   * Removes a part of a large run before it is deleted: at most so many of the rows that belong to it alone, its scores first. Returns their
   * number; 0 when only the run itself is left. The run can no longer be used.
   */
  shrinkRun(runId: string, most: number): Promise<number>;

  /** Adds cases to a plan, each at its own position. Throws `run-not-resumable` when the run shares the cases of another. */
  addCases(runId: string, cases: readonly PlannedCase[]): Promise<void>;
  /** Yields the cases of a plan, or only those at the given positions, which must be in ascending order. */
  readCases(runId: string, positions?: readonly number[]): AsyncIterable<PlannedCase>;
  /** Returns the first case of a plan with the given id; undefined when there is none. Searches the whole plan. */
  findCase(runId: string, caseId: string): Promise<PlannedCase | undefined>;
  /** Yields, in batches, the id, category and cluster of every case of a plan: the names by which results are grouped. */
  readCaseNames(runId: string): AsyncIterable<readonly CaseNames[]>;

  /**
   * Stores trials. A trial replaces an earlier one at the same place in the plan and removes its scores, in every run that
   * shares it. Returns the trials that came too late: with `keepsDone`, those whose place another trial has that is done. A
   * trial that is already stored as it is, is not late.
   * Throws `run-not-resumable` when the run shares the trials of another.
   */
  addTrials(runId: string, trials: readonly CasedTrial[], writing?: TrialWriting): Promise<CasedTrial[]>;
  /** Returns the keys of the given trials that are stored and done: completed or failed, but not cancelled. */
  findDone(runId: string, specs: readonly Pick<TrialSpec, 'key' | 'ordinal'>[]): Promise<Set<string>>;
  /** Stores the scores of stored trials, replacing the earlier scores of each trial. */
  addScores(runId: string, scored: readonly ScoredTrial[]): Promise<void>;

  /**
   * Yields every trial with its case, verdicts and scorecard result; or only those at the given places in the plan, which
   * must be in ascending order. Places without a stored trial are skipped.
   */
  readResults(runId: string, ordinals?: readonly number[]): AsyncIterable<Result>;
  /** Yields, in batches, every trial with its case but without its scores, for scoring. */
  readTrials(runId: string): AsyncIterable<readonly CasedTrial[]>;
  /** Yields, in batches, the part of every result that statistics need. */
  readOutcomes(runId: string): AsyncIterable<readonly Outcome[]>;

  /** Finds the answers of all runs that meet some conditions, of the newest run first. */
  findAnswers(query: AnswerQuery): Promise<AnswerAtHand[]>;
  /** Returns a part of the list of trials that match a filter, sorted. */
  selectTrials(runId: string, query: TrialQuery): Promise<TrialPage>;
  /** Yields, in batches and in the order of the plan, the trials that match a filter, with the values of some columns. */
  readColumns(runId: string, query?: ColumnQuery): AsyncIterable<readonly TrialColumns[]>;
  /** Counts the trials that match a filter by their values of some fields, in any order. Values without trials are not listed. */
  countTrials(runId: string, query?: CountQuery): Promise<TrialCount[]>;

  /**
   * Counts the scored trials of each target that have each trait, the most frequent first; see `traitsOf`. The first question about a run
   * that an earlier version stored reads all of its records.
   */
  countTraits(runId: string, query?: TraitQuery): Promise<TraitCount[]>;

  /** Counts the progress of a run without reading its records. */
  countProgress(runId: string): Promise<ProgressCounts>;

  /** Returns the newest answered judgement with the given key: of any run, or only of the run that `askedIn` names. */
  findJudgement(key: string, askedIn?: string): Promise<Judgement | undefined>;
  /**
   * Stores judgements permanently and records that the run uses them; null for judgements that no run uses, such as the
   * replies of a draft. A judgement that is stored already is not changed.
   */
  addJudgements(runId: string | null, judgements: readonly Judgement[]): Promise<void>;
  /** Erases the judgements that no run uses and that were asked under this name: at most so many, or all. Returns their number. */
  eraseJudgements(askedIn: string, most?: number): Promise<number>;
  /**
   * Yields the judgements that a run uses, in the order in which they were asked: those added to it and those that its
   * verdicts name; or only the ones with the given ids.
   */
  readJudgements(runId: string, ids?: readonly string[]): AsyncIterable<Judgement>;

  /**
   * Locks questions to judges, named by the keys of their judgements, for a run that is about to ask them, or for a part of it
   * that the caller has claimed. A lock is held until it is released or the run is deleted. Returns the holder of each lock, in
   * the order of the keys: this run and part, or others that locked the question before.
   */
  takeQuestions(runId: string, keys: readonly string[], part?: string): Promise<QuestionHolder[]>;
  /**
   * Releases the locks of a run and all of its parts, or of one part, on the given questions; on all questions when `keys` is left
   * out.
   */
  releaseQuestions(runId: string, keys?: readonly string[], part?: string): Promise<void>;

  /**
   * Returns a text that changes with every write, of this caller or another: while it stays the same, nothing that is read
   * has changed. It costs far less than reading. It says nothing about claims, which end without a write; it may change with
   * shared records.
   */
  readVersion(): Promise<string>;

  /** Checks all records of all runs, all judgements, baselines, labels, certificates, feedback and proposals, and yields every fault found. */
  check(): AsyncIterable<Damage>;
  /**
   * Yields the undamaged records of a run, even where other methods throw `store-damaged`: its cases, judgements and results,
   * in this order. A result whose scores are lost is returned without them.
   * @param onLost - Called with a description of each lost record.
   */
  readWhole(runId: string, onLost: (what: string) => void): AsyncIterable<WholeRecord>;

  close(): Promise<void>;
}

/**
 * The way a store is opened. `create`: it is created when there is none. `first-write`: it is created when something is first
 * written to it, where its kind can be. `existing`: nothing is created, and where there is no store, the result is an empty one.
 */
export type StoreOpening = 'create' | 'first-write' | 'existing';

/** The services that the opening of a store can draw on. */
export interface StoreNeeds {
  /** The folder of the config file, from which relative paths in the options start. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly opening: StoreOpening;
}

export type StoreDefinition<Options = never> = Definition<'store', Options, Store, StoreNeeds>;

/**
 * Declares a store: one file, one registry line (in tree) or one import in a config (out of tree). Its `create` returns at
 * once: a store that is reached over a network connects with the first call.
 */
export function defineStore<Schema extends z.ZodType>(
  definition: Omit<StoreDefinition<z.output<Schema>>, 'kind' | 'options'> & {
    readonly options: Schema | (() => Schema);
  },
): Factory<'store', z.input<Schema>, z.output<Schema>, Store, StoreNeeds> {
  return define<'store', Schema, Store, StoreNeeds>({ kind: 'store', ...definition });
}
