import type { Executor, TrialMaker } from '../executors/executor.ts';
import type { Queue } from '../queues/queue.ts';
import type { WaitingView } from '../../core/schema/api/waiting-view.ts';
import type { WorkerView } from '../../core/schema/api/worker-view.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { Run, RunEnvironment, RunStop } from '../../core/schema/run.ts';
import type { ScoredTrial } from '../../core/schema/result.ts';
import type { Trial } from '../../core/schema/trial.ts';
import type { AccountRecord } from '../../core/schema/usage.ts';
import type { Store } from '../../stores/store.ts';
import type { BatchPace } from './batches/batch-work.ts';
import type { CallDesk } from './batches/call-desk.ts';
import type { CallLimits } from './call/within-limits.ts';
import type { Evaluation } from './evaluation.ts';
import type { Budget } from './limits/budget.ts';
import type { LimitsFactory } from './limits/run-limits.ts';
import type { StopSignals } from './limits/run-control.ts';
import type { LoadNotice } from './prepare/load.ts';
import type { PlanPart } from './prepare/plan-parts.ts';

export type { PlanPart };

/**
 * Callbacks on the progress of a run. Whatever has cost money is on disk before a callback hears of it, so it cannot be
 * lost any more.
 */
export interface RunObserver {
  /** There is something that the user should know of. */
  onNotice?(notice: LoadNotice): void;
  /** The run is resumed: these trials were made before and are not going to be made again. */
  onKept?(trials: readonly ScoredTrial[]): void;
  /** The plan is frozen; nothing has been called yet. */
  onPlanned?(run: Run): void;
  /** So many more trials are being made; a negative number has been recorded. */
  onCalling?(change: number): void;
  /** So many more answers are being judged; a negative number has been. */
  onJudging?(change: number): void;
  /** Other processes of the run wait for this; undefined when it is nothing. */
  onWaiting?(waiting: WaitingView | undefined): void;
  /** A trial has been recorded, in this part of the run or an earlier one, and is going to be scored. */
  onRecorded?(trial: Trial): void;
  /** A limit of the run was reached, or a target is not asked any more. */
  onStopped?(stop: RunStop): void;
  /** Judges were asked, and their judgements are stored. */
  onJudged?(judgements: readonly Judgement[]): void;
  /** Trials were called, recorded and scored; their scores are about to be stored. */
  onScored?(trials: readonly ScoredTrial[]): void;
  /** This many trials are not going to be made, since the verdict on their case is settled. */
  onNotNeeded?(trials: number): void;
  /**
   * This process begins to help with a run that another one has planned.
   * @param traceparent - The span of the run, as W3C Trace Context writes it; undefined when no process sends one.
   */
  onJoined?(run: Run, traceparent: string | undefined): void;
  /** This process begins to work on a part of the plan (true), or has ended (false). It begins one before the last has ended. */
  onPart?(part: PlanPart, isUnderWay: boolean): void;
  /** The workers of the run, as they have last reported themselves, and the number of parts of the plan that are left. */
  onWorkers?(workers: readonly WorkerView[], partsLeft: number): void;
  /** The calls on accounts that this process has made so far. */
  onAccounts?(accounts: readonly AccountRecord[]): void;
  /** An answer came too late: after its call was given up, or after another process had stored one. */
  onLate?(): void;
}

/** The surroundings of a run: where it is stored, how it is executed, and who hears of it. */
export interface RunNeeds {
  readonly store: Store;
  readonly executor: Executor;
  /** Creates the trial maker of some targets. By default, the targets are asked from this process. */
  readonly createTrialMaker?: (needs: TrialMakerNeeds) => TrialMaker;
  /** Creates the limits of the run. By default, they count in this process alone. */
  readonly createLimits?: LimitsFactory;
  /** Removes what an earlier part of the run has left of its limits, before they are created. */
  readonly resetLimits?: (runId: string) => Promise<void>;
  /** Called before the first call, when the run has its id. A run that may not begin ends with what it throws. */
  readonly admit?: (runId: string) => Promise<void>;
  /** True when other processes make trials of the run as well: the first answer to a trial counts. */
  readonly keepsDone?: boolean;
  /** Other processes that make and score the trials of the run before this one makes what they have left. */
  readonly fleet?: Fleet;
  /** Opens the queue of a run, from which its processes take parts of the plan. By default, they look for them in the store. */
  readonly openQueue?: (runId: string) => Promise<Queue>;
  /** The surroundings of this process, which workers compare with the surroundings of the run. */
  readonly environment?: RunEnvironment;
  /** The folder in which workers keep answers while the store is away. By default, answers that cannot be stored are lost. */
  readonly spool?: string;
  /** Returns the span of the run, as W3C Trace Context writes it, for the processes that help with it. */
  readonly traceparentOf?: (run: Run) => string | undefined;
  readonly observer: RunObserver;
  readonly signals: StopSignals;
  /** True when batches are submitted and not waited for. */
  readonly isDetached?: boolean;
  /** The pauses of batches; the usual ones by default. */
  readonly batchPace?: BatchPace;
  /**
   * True to continue an earlier run even when targets, metrics or other rules were edited since: a new run then reuses the
   * answers that still belong to its targets, and scores them by its own rules.
   */
  readonly allowsEdits?: boolean;
}

/** Other processes that make and score the trials of a run. */
export interface Fleet {
  /**
   * Lets the processes work on a planned run, and passes their progress on. Resolves when they have done what they can, or have
   * ended; it never rejects because of one of them. What is left is made by the caller.
   */
  work(run: Run, needs: FleetNeeds): Promise<void>;
}

/** The surroundings of a fleet. */
export interface FleetNeeds {
  readonly observer: RunObserver;
  readonly signals: StopSignals;
}

/** The participants of a queue of trials, and the limits of each trial. */
export interface TrialMakerNeeds extends Pick<Evaluation, 'targets' | 'users' | 'secrets'> {
  readonly limits: CallLimits & { readonly stop: AbortSignal };
  /** The calls that batches answer; missing where none do. */
  readonly calls?: CallDesk;
}

/** Signals of a run that cannot be stopped from outside. */
export const neverStopped: StopSignals = {
  stop: new AbortController().signal,
  abort: new AbortController().signal,
};

/** Returns an observer that passes every event on to the given one, for a wrapper that adds to some of them. */
export function passEvents(observer: RunObserver): Required<RunObserver> {
  return {
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (trials) => observer.onKept?.(trials),
    onPlanned: (run) => observer.onPlanned?.(run),
    onCalling: (change) => observer.onCalling?.(change),
    onJudging: (change) => observer.onJudging?.(change),
    onWaiting: (waiting) => observer.onWaiting?.(waiting),
    onRecorded: (trial) => observer.onRecorded?.(trial),
    onStopped: (stop) => observer.onStopped?.(stop),
    onJudged: (judgements) => observer.onJudged?.(judgements),
    onScored: (trials) => observer.onScored?.(trials),
    onNotNeeded: (trials) => observer.onNotNeeded?.(trials),
    onJoined: (run, traceparent) => observer.onJoined?.(run, traceparent),
    onPart: (part, isUnderWay) => observer.onPart?.(part, isUnderWay),
    onWorkers: (workers, partsLeft) => observer.onWorkers?.(workers, partsLeft),
    onAccounts: (accounts) => observer.onAccounts?.(accounts),
    onLate: () => observer.onLate?.(),
  };
}

/** Returns an observer that counts what the run spends, and passes everything on to the given observer. */
export function countSpending(observer: RunObserver, budget: Budget): Required<RunObserver> {
  const passed = passEvents(observer);
  return {
    ...passed,
    onKept: (trials) => {
      for (const { trial } of trials) budget.addKept(trial);
      budget.addScored(trials.length);
      passed.onKept(trials);
    },
    onJudged: (judgements) => {
      budget.addJudgements(judgements);
      passed.onJudged(judgements);
    },
    onScored: (trials) => {
      budget.addScored(trials.length);
      passed.onScored(trials);
    },
  };
}
