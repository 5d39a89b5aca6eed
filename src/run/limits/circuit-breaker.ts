import { shorten } from '../../lib/text/terminal-text.ts';
import type { FailureKind, Run } from '../../schema/run.ts';
import type { Trial } from '../../schema/trial.ts';
import type { ResolvedTarget } from '../evaluation.ts';
import { describeFailureStop, describeTurnsStop, type RunControl } from './run-control.ts';

/** A breaker that stops a queue of trials once the run ends or one of its targets keeps failing. */
export interface QueueBreaker {
  /** Aborted when nothing of the queue may be started any more. */
  readonly stop: AbortSignal;
  /** Counts a recorded trial. */
  add(trial: Trial): void;
}

const leastFailures = 20;

/**
 * Creates the breaker of a queue, which has one target or several that take turns. Only failures without a condition
 * count, since failures under a fault are what a condition measures. When targets take turns, the failure of one stops
 * the run, because nothing is left to pair the answers of the others with.
 * @param targets - The targets of the queue that are under no condition.
 */
export function createQueueBreaker(
  targets: readonly Pick<ResolvedTarget, 'name'>[],
  { concurrency, stopAfterFailures }: Run['settings'],
  control: RunControl,
): QueueBreaker {
  // The calls in flight when a target goes down all fail. When the target has never answered, fewer failures are
  // enough.
  const limits =
    stopAfterFailures === undefined
      ? {
          most: leastFailures + concurrency,
          mostAtFirst: leastFailures + Math.min(concurrency, leastFailures),
        }
      : { most: stopAfterFailures ?? Infinity };
  const breakers = new Map(targets.map(({ name }) => [name, createCircuitBreaker(limits)]));
  const own = new AbortController();
  return {
    stop: AbortSignal.any([control.signals.stop, own.signal]),
    add: (trial) => {
      const { target } = trial;
      const breaker = breakers.get(target);
      const failures = breaker?.add(trial);
      if (breaker === undefined || failures === undefined) return;
      const inARow = breaker.inARow();
      own.abort();
      const stop = { reason: 'failures', failures } as const;
      if (breakers.size > 1) control.stop({ ...stop, message: describeTurnsStop(target, inARow) });
      else control.stop({ ...stop, target, message: describeFailureStop(target, inARow) });
    },
  };
}

/** A circuit breaker for one target, which opens once the target has failed too often in a row. */
interface CircuitBreaker {
  /** Adds a trial. Returns the kinds of failures at the moment at which there are too many, and only then. */
  add(trial: Trial): FailureKind[] | undefined;
  /** Returns the number of failures in a row so far. */
  inARow(): number;
}

/** The numbers of failures in a row that are too many; Infinity for never. */
interface BreakerLimits {
  readonly most: number;
  /** The limit while the target has never answered; the same when left out. */
  readonly mostAtFirst?: number;
}

/** The error code of a refused key. A wrong key is refused every time; a right one may be refused once by chance. */
const wrongKey = 'unauthorized';
const mostRefusals = 3;

/**
 * Error codes of trials that asked nothing of the target, or replayed a recording. They do not predict how the next
 * question will fare.
 */
const unrelatedCodes = new Set(['cancelled', 'not-recorded', 'recorded-error', 'metadata-missing']);

/**
 * Error codes that a question may have caused itself. Similar questions often stand together, so that many such
 * failures in a row prove nothing about a target that has answered others.
 */
const questionCodes = new Set([
  'answer-too-large',
  'bad-request',
  'invalid-answer',
  'invalid-reply',
  'invalid-request',
  'invalid-utf8',
  'no-answer',
  'perturbation-failed',
  'process-failed',
  'refused-by-provider',
  'step-limit',
  'target-reported-error',
  'target-threw',
]);

const mostKinds = 5;
const longestMessage = 300;

/** Creates a closed breaker. */
export function createCircuitBreaker({ most, mostAtFirst = most }: BreakerLimits): CircuitBreaker {
  const kinds = new Map<string, FailureKind>();
  let [inARow, refusals] = [0, 0];
  let hasAnswered = false;
  let isOpen = false;
  const isTooMuch = (): boolean => {
    if (most === Infinity) return false;
    return inARow >= (hasAnswered ? most : mostAtFirst) || refusals >= (hasAnswered ? mostRefusals : 1);
  };
  return {
    inARow: () => inARow,
    add: (trial) => {
      const failure = failureOf(trial);
      if (failure === undefined) {
        hasAnswered = true;
        [inARow, refusals] = [0, 0];
        kinds.clear();
        return undefined;
      }
      if (unrelatedCodes.has(failure.code)) return undefined;
      if (hasAnswered && questionCodes.has(failure.code)) return undefined;
      inARow += 1;
      refusals = failure.code === wrongKey ? refusals + 1 : 0;
      count(failure, kinds);
      if (isOpen || !isTooMuch()) return undefined;
      isOpen = true;
      return Array.from(kinds.values(), (kind) => ({ ...kind }));
    },
  };
}

/** Returns why a trial failed. A simulated user that fails is as good a reason to stop. */
function failureOf({ error, spoilt }: Trial): Pick<FailureKind, 'code' | 'message'> | undefined {
  if (error !== undefined) return error;
  return spoilt?.kind === 'user-failed' ? { code: spoilt.kind, message: spoilt.reason } : undefined;
}

/** Matches the status of an HTTP error that stands alone, or else any number, also in hexadecimal. */
const numbers =
  /(?<status>(?<![\w.:-])[45]\d\d(?![\w.-]|\s*(?:ms|milliseconds|s|seconds|bytes|tokens)\b))|[0-9a-f]*\d[0-9a-f]*/gi;

/**
 * Counts a failure under its kind. Messages that differ only in numbers, such as a port or a duration, are of one kind;
 * messages with different HTTP statuses are not.
 */
function count({ code, message }: Pick<FailureKind, 'code' | 'message'>, kinds: Map<string, FailureKind>) {
  const key = `${code} ${message.replaceAll(numbers, (_number, status?: string) => status ?? '#')}`;
  const known = kinds.get(key);
  if (known !== undefined) known.trials += 1;
  else if (kinds.size < mostKinds)
    kinds.set(key, { code, message: shorten(message, longestMessage), trials: 1 });
}
