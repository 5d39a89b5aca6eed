import type { Executor } from '../executors/executor.ts';
import type { TrialMaker } from '../executors/trial-maker.ts';
import type { Judgement } from '../schema/judgement.ts';
import type { Run, RunStop } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/result.ts';
import type { Trial } from '../schema/trial.ts';
import type { Store } from '../stores/store.ts';
import type { CallLimits } from './call/within-limits.ts';
import type { Evaluation } from './evaluation.ts';
import type { StopSignals } from './limits/run-control.ts';
import type { LoadNotice } from './prepare/load.ts';

/** Told how a run goes on. Nothing that it is told of and that was paid for can be lost any more. */
export interface RunObserver {
  onNotice?(notice: LoadNotice): void;
  /** A run is taken up again: these trials were made before, and are not going to be made again. */
  onKept?(trials: readonly ScoredTrial[]): void;
  /** The plan is frozen; nothing has been called yet. */
  onPlanned?(run: Run): void;
  /** A trial is begun (1) or has been recorded (-1). */
  onCalling?(change: 1 | -1): void;
  /** A trial has been recorded, in this part of the run or an earlier one, and is going to be scored. */
  onRecorded?(trial: Trial): void;
  /** A limit of the run was reached, or a target is not asked any more. */
  onStopped?(stop: RunStop): void;
  /** A judge was asked, and what it said is kept. */
  onJudged?(judgements: readonly Judgement[]): void;
  /** Trials were called, recorded and scored; their scores are soon kept. */
  onScored?(trials: readonly ScoredTrial[]): void;
  /** So many trials are not going to be made, since the verdict on their case is settled. */
  onNotNeeded?(trials: number): void;
}

/** Where a run takes place. */
export interface RunNeeds {
  readonly store: Store;
  readonly executor: Executor;
  /** Creates what makes the trials of some targets; they are asked from this process when left out. */
  readonly createTrialMaker?: ((needs: TrialMakerNeeds) => TrialMaker) | undefined;
  readonly observer: RunObserver;
  readonly signals: StopSignals;
}

/** The participants of a queue of trials, and the bounds of each trial. */
export interface TrialMakerNeeds extends Pick<Evaluation, 'targets' | 'users' | 'secrets'> {
  readonly limits: CallLimits & { readonly stop: AbortSignal };
}

/** A run that cannot be stopped from outside. */
export const neverStopped: StopSignals = {
  stop: new AbortController().signal,
  abort: new AbortController().signal,
};
