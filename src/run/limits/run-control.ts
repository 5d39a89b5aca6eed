import { longestTimerMs } from '../../lib/waiting.ts';
import type { AccountRecord } from '../../schema/account-record.ts';
import type { Run } from '../../schema/run.ts';
import type { RunStop } from '../../schema/run-stop.ts';
import { type Budget, createBudget } from './budget.ts';
import type { StopSignals } from './stop-signals.ts';
import { joinAccounts } from '../record/join-accounts.ts';
import { describeCostStop, describeTimeStop } from './stop-messages.ts';

/** What keeps a run within its limits, and remembers what did not go as planned. */
export interface RunControl {
  /** Those from outside, and its own once a limit is reached. */
  readonly signals: StopSignals;
  readonly budget: Budget;
  /** Records why the run stopped early. Without a target, nothing new is started any more. */
  stop(stop: RunStop): void;
  /** The same work; where it fails, nothing new is started any more, and what waits for its outcome waits no longer. */
  guard<Given extends readonly unknown[], Made>(work: (...given: Given) => Made): (...given: Given) => Made;
  takeRepeat(): boolean;
  onLate(): void;
  /** The run with all that is to be remembered. */
  finish(run: Run): Run;
  /** Stops all clocks. */
  release(): void;
}

/** What a control works with. */
export interface ControlNeeds {
  readonly signals: StopSignals;
  readonly onStopped: (stop: RunStop) => void;
  /** Whether judges are asked about trials. */
  readonly areJudged: boolean;
  /** What has become of the calls on accounts since the run began. */
  readonly readAccounts: () => readonly AccountRecord[];
}

/** Begins to watch over a run. */
export function createRunControl(
  { maxCost, maxDurationMs, maxRunRetries = Infinity }: Run['settings'],
  { signals, onStopped, areJudged, readAccounts }: ControlNeeds,
): RunControl {
  const own = new AbortController();
  const stop = AbortSignal.any([signals.stop, own.signal]);
  const stops: RunStop[] = [];
  let [repeats, lateAnswers] = [0, 0];
  const end = (why: RunStop) => {
    if (own.signal.aborted) return;
    stops.push(why);
    if (why.target === undefined) own.abort();
    onStopped(why);
  };
  const timer =
    maxDurationMs === undefined || maxDurationMs > longestTimerMs
      ? undefined
      : setTimeout(() => end({ reason: 'time', message: describeTimeStop(maxDurationMs) }), maxDurationMs);
  const onSpent = (spent: number, next: number) =>
    end({ reason: 'cost', message: describeCostStop({ spent, next, maxCost: maxCost ?? 0 }) });
  return {
    signals: { stop, abort: signals.abort },
    budget: createBudget(maxCost, { stop, areJudged, onSpent }),
    stop: end,
    guard: guarding(() => own.abort()),
    takeRepeat: () => (repeats += 1) <= maxRunRetries,
    onLate: () => {
      lateAnswers += 1;
    },
    finish: ({ stops: _earlier, ...run }) => {
      const late = (run.lateAnswers ?? 0) + lateAnswers;
      const accounts = joinAccounts(run.accounts ?? [], readAccounts());
      return {
        ...run,
        ...(stops.length > 0 && { stops }),
        ...(accounts.length > 0 && { accounts }),
        ...(late > 0 && { lateAnswers: late }),
      };
    },
    release: () => clearTimeout(timer),
  };
}

function guarding(onFault: () => void): RunControl['guard'] {
  return (work) =>
    (...given) => {
      try {
        const made = work(...given);
        if (made instanceof Promise) made.catch(onFault);
        return made;
      } catch (error) {
        onFault();
        throw error;
      }
    };
}
