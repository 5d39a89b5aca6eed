import { longestTimerMs } from '../../lib/waiting.ts';
import type { Run, RunStop } from '../../schema/run.ts';
import { type AccountRecord, dropMiddleSteps } from '../../schema/usage.ts';
import { type Budget, createBudget } from './budget.ts';

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

/** What a run has cost when it is stopped, in US dollars. */
interface CostStop {
  readonly spent: number;
  /** What one more trial is likely to cost, judges included. */
  readonly next: number;
  readonly maxCost: number;
}

/** Why a run was stopped that may cost so much. */
export function describeCostStop({ spent, next, maxCost }: CostStop): string {
  const limit = `its limit of ${dollars(maxCost)}`;
  if (spent > maxCost + 1e-6) return `the run has cost ${dollars(spent)}, and ${limit} is passed`;
  return `the run has cost ${dollars(spent)}, and one more trial (about ${dollars(next)}) could pass ${limit}`;
}

/** Why a run was stopped that may take so long. */
function describeTimeStop(maxDurationMs: number): string {
  return `the time limit of the run, ${maxDurationMs} ms, is over`;
}

/** Why a target is not asked any more. */
export function describeFailureStop(target: string, failures: number): string {
  return `${target} failed ${times(failures)}, and is not asked any more`;
}

/** Why no target of a run is asked any more in which they take turns. */
export function describeTurnsStop(target: string, failures: number): string {
  return `${target} failed ${times(failures)}, and without it there is nothing to compare`;
}

function times(failures: number): string {
  return failures === 1 ? 'at once' : `${failures} times in a row`;
}

function dollars(amount: number): string {
  const digits = amount >= 0.995 || amount === 0 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toFixed(Math.max(2, digits)).replace(/(\.\d\d+?)0+$/, '$1')}`;
}

/** What became of the calls on accounts in two parts of a run, one after the other. */
function joinAccounts(earlier: readonly AccountRecord[], later: readonly AccountRecord[]): AccountRecord[] {
  const joined = new Map(earlier.map((record) => [record.account, record]));
  for (const record of later) {
    const before = joined.get(record.account);
    joined.set(record.account, before === undefined ? record : join(before, record));
  }
  return [...joined.values()];
}

function join(one: AccountRecord, other: AccountRecord): AccountRecord {
  const limits = [...one.limits, ...other.limits];
  dropMiddleSteps(limits);
  return {
    account: one.account,
    requests: one.requests + other.requests,
    refused: one.refused + other.refused,
    waitedMs: one.waitedMs + other.waitedMs,
    limits,
  };
}

/** How a run is told to end early. */
export interface StopSignals {
  /** Nothing new is started; what is in flight is finished and kept. */
  readonly stop: AbortSignal;
  /** What is in flight is cancelled too. */
  readonly abort: AbortSignal;
}
