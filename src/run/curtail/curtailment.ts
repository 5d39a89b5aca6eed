import type { Run } from '../../schema/run.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { Store } from '../../stores/store.ts';
import { type AttemptBoard, createAttemptBoard, type ScoredAttempt } from './attempt-board.ts';
import { curtailingRule } from '../../analysis/attempts/attempt-rule.ts';
import { neededTrials } from './needed-trials.ts';

/** Keeps a run from making attempts that cannot change the verdict on their case. */
export interface Curtailment {
  /**
   * Of trials that are not made yet, those of a case side by side: the ones that are needed, when they are. Ends once the
   * run is stopped.
   */
  needed(pending: AsyncIterable<TrialSpec>, stop: AbortSignal): AsyncIterable<TrialSpec>;
  /** Trials were scored. */
  tell(scored: readonly ScoredAttempt[]): void;
}

/** What curtailing works with. */
export interface CurtailmentNeeds {
  readonly store: Pick<Store, 'readResults'>;
  /** Told how many trials are not going to be made. */
  readonly onNotNeeded: (trials: number) => void;
}

/** Curtails a run by its rule; without one, every trial is needed. */
export function createCurtailment(run: Run, { store, onNotNeeded }: CurtailmentNeeds): Curtailment {
  const rule = curtailingRule(run);
  if (rule === undefined || run.scorecard === null) return everyTrial;
  const boards = new Set<AttemptBoard>();
  /** Attempts of an earlier part of the run that were scored before their case was taken up again. */
  const early = new Map<number, ScoredAttempt>();
  let wake = Promise.withResolvers<void>();
  const wakeAll = () => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };

  return {
    needed: (pending, stop) => {
      const board = createAttemptBoard(rule, onNotNeeded);
      boards.add(board);
      stop.addEventListener('abort', wakeAll, { once: true });
      return neededTrials(pending, {
        run,
        store,
        board,
        early,
        ends: stop,
        changed: async () => await wake.promise,
      });
    },
    tell: (scored) => {
      for (const attempt of scored) {
        const isOpen = Array.from(boards, (board) => board.tell(attempt)).some(Boolean);
        if (!isOpen) early.set(attempt.trial.ordinal, inShort(attempt));
      }
      wakeAll();
    },
  };
}

/** Without the answer, which may be long. */
function inShort({ trial, scorecard }: ScoredAttempt): ScoredAttempt {
  const { ordinal, attempt, status } = trial;
  const passed = scorecard && { total: scorecard.total, passed: scorecard.passed };
  return { trial: { ordinal, attempt, status }, scorecard: passed };
}

/** Of a run that is not curtailed. */
const everyTrial: Curtailment = {
  needed: (pending) => pending,
  tell: () => {},
};
