import { longestTimerMs } from '../../../core/lib/waiting.ts';
import type { Run, RunStop } from '../../../core/schema/run.ts';
import { type AccountRecord, dropMiddleSteps } from '../../../core/schema/usage.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Budget } from './budget.ts';
import { sumOf, tolerance } from './budget-book.ts';
import { createOwnLimits, type LimitsFactory, type RunLimits } from './run-limits.ts';

/** The control of a run: it keeps the run within its limits and remembers what did not go as planned. */
export interface RunControl extends AsyncDisposable {
  /** The signals given by the caller, joined with the control's own, which is aborted once a limit is reached. */
  readonly signals: StopSignals;
  readonly budget: Budget;
  readonly limits: RunLimits;
  /** Records why the run stopped early. Unless the reason concerns a single target, nothing new is started any more. */
  stop(stop: RunStop): void;
  /** Wraps a function so that nothing new is started any more once it throws or rejects. */
  guard<Args extends readonly unknown[], Made>(work: (...args: Args) => Made): (...args: Args) => Made;
  /** Counts an answer that came too late, with its known cost in US dollars. */
  onLate(cost?: number): void;
  /** Throws the error that made the limits unknown, if there was one. */
  throwFault(): void;
  /** Returns the run with everything that the control has recorded. */
  finish(run: Run): Run;
}

/** Signals that end a run early. */
export interface StopSignals {
  /** Once aborted, nothing new is started; calls in flight are finished and stored. */
  readonly stop: AbortSignal;
  /** Once aborted, calls in flight are cancelled too. */
  readonly abort: AbortSignal;
}

/** The caller's side of a run control. */
export interface ControlNeeds {
  readonly signals: StopSignals;
  /** Hears when a limit of the run is reached or a target is not asked any more, and of every late answer. */
  readonly observer: { onStopped?(stop: RunStop): void; onLate?(): void };
  readonly runId: string;
  /** Creates the limits of the run. By default, they count in this process alone. */
  readonly createLimits?: LimitsFactory;
}

/** Creates the control of a run, and starts the clock of its time limit. */
export function createRunControl(
  { settings, metrics, watchAccounts }: Pick<Evaluation, 'settings' | 'metrics' | 'watchAccounts'>,
  { signals, observer, runId, createLimits = createOwnLimits }: ControlNeeds,
): RunControl {
  const { maxCost, maxDurationMs } = settings;
  const areJudged = metrics.some(({ metric }) => metric.concurrency !== undefined);
  const readAccounts = watchAccounts?.() ?? (() => []);
  const own = new AbortController();
  const stop = AbortSignal.any([signals.stop, own.signal]);
  const stops: RunStop[] = [];
  let fault: { readonly error: unknown } | undefined;
  const end = (why: RunStop, isOwn = true) => {
    if (own.signal.aborted) return;
    // Each part of a run learns that a target is not asked any more.
    if (why.target !== undefined && stops.some(({ target }) => target === why.target)) return;
    stops.push(why);
    if (why.target === undefined) own.abort();
    // The process that has stopped the run reports it.
    if (isOwn) observer.onStopped?.(why);
  };
  const stopAll = (why: RunStop) => {
    if (own.signal.aborted) return;
    end(why);
    limits.announce(why);
  };
  const timer =
    maxDurationMs === undefined || maxDurationMs > longestTimerMs
      ? undefined
      : setTimeout(
          () => stopAll({ reason: 'time', message: describeTimeStop(maxDurationMs) }),
          maxDurationMs,
        );
  const onSpent = (spent: number, next: number) =>
    stopAll({ reason: 'cost', message: describeCostStop({ spent, next, maxCost: maxCost ?? 0 }) });
  const limits = createLimits({
    runId,
    settings,
    areJudged,
    stop,
    onSpent,
    onStop: (why) => end(why, false),
    onFault: (error) => {
      fault ??= { error };
      own.abort();
    },
  });
  return {
    signals: { stop, abort: signals.abort },
    budget: limits.budget,
    limits,
    stop: stopAll,
    guard: guarding(() => own.abort()),
    onLate: (cost) => {
      limits.addLate(cost);
      observer.onLate?.();
    },
    throwFault: () => {
      if (fault !== undefined) throw fault.error;
    },
    finish: ({ stops: _earlier, ...run }) => {
      const { answers, cost } = limits.late();
      const late = (run.lateAnswers ?? 0) + answers;
      const lateCost = (run.lateCost ?? 0) + cost;
      const accounts = joinAccounts(run.accounts ?? [], readAccounts());
      return {
        ...run,
        ...(stops.length > 0 && { stops }),
        ...(accounts.length > 0 && { accounts }),
        ...(late > 0 && { lateAnswers: late }),
        ...(lateCost > 0 && { lateCost }),
      };
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await limits[Symbol.asyncDispose]();
    },
  };
}

function guarding(onFault: () => void): RunControl['guard'] {
  return (work) =>
    (...args) => {
      try {
        const made = work(...args);
        if (made instanceof Promise) made.catch(onFault);
        return made;
      } catch (error) {
        onFault();
        throw error;
      }
    };
}

/** The costs of a run that is stopped by its cost limit, in US dollars. */
interface CostStop {
  readonly spent: number;
  /** The likely cost of one more trial, judges included. */
  readonly next: number;
  readonly maxCost: number;
}

/** Describes why a run was stopped by its cost limit. */
export function describeCostStop({ spent, next, maxCost }: CostStop): string {
  const limit = `its limit of ${dollars(maxCost)}`;
  if (spent > maxCost + 1e-6) return `the run has cost ${dollars(spent)}, and ${limit} is passed`;
  return `the run has cost ${dollars(spent)}, and one more attempt (about ${dollars(next)}) could pass ${limit}`;
}

/** Returns whether a batch of this likely cost may be submitted, on top of what is reserved for others. If not, stops the run. */
export function admitBatch(
  { budget, stop }: Pick<RunControl, 'budget' | 'stop'>,
  maxCost: number | undefined,
  { reserved, cost }: { readonly reserved: number; readonly cost: number },
): boolean {
  const spent = sumOf(budget.spent()) + reserved;
  if (maxCost === undefined || spent + cost <= maxCost + tolerance) return true;
  // Beside others under way it may fit once it is known what they cost.
  if (reserved === 0) stop({ reason: 'cost', message: describeBatchStop({ spent, next: cost, maxCost }) });
  return false;
}

/** Describes why a batch was not submitted. */
function describeBatchStop({ spent, next, maxCost }: CostStop): string {
  return `the run has cost ${dollars(spent)}, and a batch of questions (about ${dollars(next)}) would pass its limit of ${dollars(maxCost)}`;
}

/** Describes why a run was stopped by its time limit. */
function describeTimeStop(maxDurationMs: number): string {
  return `the time limit of the run, ${maxDurationMs} ms, is over`;
}

/** Describes why a target is not asked any more. */
export function describeFailureStop(target: string, failures: number): string {
  return `${target} failed ${times(failures)}, and is not asked any more`;
}

/** Describes why a run in which targets take turns was stopped because one of them failed. */
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

/** Joins the account records of two parts of a run. */
export function joinAccounts(
  earlier: readonly AccountRecord[],
  later: readonly AccountRecord[],
): AccountRecord[] {
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
  const notices = [...new Set([...(one.notices ?? []), ...(other.notices ?? [])])];
  return {
    account: one.account,
    requests: one.requests + other.requests,
    refused: one.refused + other.refused,
    waitedMs: one.waitedMs + other.waitedMs,
    limits,
    ...(notices.length > 0 && { notices }),
  };
}
