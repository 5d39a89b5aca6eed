import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { FailureKind, Run } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';

/** A circuit breaker for one target, which opens once the target has failed too often in a row. */
interface CircuitBreaker {
  /** Adds a trial. Returns the kinds of failures at the moment at which there are too many, and only then. */
  add(trial: Trial): FailureKind[] | undefined;
  /** Returns the number of failures in a row so far. */
  inARow(): number;
}

/** The state of a circuit breaker, as plain data, so that it can be stored in a record that processes share. */
export interface BreakerState {
  readonly inARow: number;
  /** The number of refused keys in a row. */
  readonly refusals: number;
  readonly hasAnswered: boolean;
  readonly isOpen: boolean;
  /** The kinds of failures since the last answer, by their messages without numbers. */
  readonly kinds: Readonly<Record<string, FailureKind>>;
}

/** The part of a failed trial that a circuit breaker reads. */
export type TrialFailure = Pick<FailureKind, 'code' | 'message'>;

const leastFailures = 20;

/**
 * Returns how many failures in a row are too many. The calls in flight when a target goes down all fail. When the target has never
 * answered, fewer failures are enough.
 * @param processes - The number of processes that call the target at the same time. Each of several makes one call until it has answered.
 */
export function breakerLimits(
  { concurrency, stopAfterFailures }: Pick<Run['settings'], 'concurrency' | 'stopAfterFailures'>,
  processes: number = 1,
): BreakerLimits {
  if (stopAfterFailures !== undefined) return { most: stopAfterFailures ?? Infinity };
  const atFirst = processes === 1 ? concurrency : processes;
  return {
    most: leastFailures + concurrency * processes,
    mostAtFirst: leastFailures + Math.min(atFirst, leastFailures),
  };
}

/** The numbers of failures in a row that are too many; Infinity for never. */
export interface BreakerLimits {
  readonly most: number;
  /** The limit while the target has never answered; the same by default. */
  readonly mostAtFirst?: number;
}

/**
 * The error codes of a refused key. A wrong key is refused every time; a right one may be refused once by chance. So it is with proxies
 * and certificates.
 */
const refusedKeys: ReadonlySet<string> = new Set([
  'unauthorized',
  'login-failed',
  'proxy-refused',
  'certificate-refused',
]);
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
export function createCircuitBreaker(limits: BreakerLimits): CircuitBreaker {
  let state = closedBreaker;
  return {
    inARow: () => state.inARow,
    add: (trial) => {
      const wasOpen = state.isOpen;
      state = addOutcome(state, failureOf(trial), limits);
      return state.isOpen && !wasOpen ? kindsOf(state) : undefined;
    },
  };
}

/** The state of a breaker before the first trial. */
export const closedBreaker: BreakerState = {
  inARow: 0,
  refusals: 0,
  hasAnswered: false,
  isOpen: false,
  kinds: {},
};

/** Returns the kinds of failures since the last answer. */
export function kindsOf({ kinds }: BreakerState): FailureKind[] {
  return Object.values(kinds).map((kind) => ({ ...kind }));
}

/** Returns the state of a breaker after one more trial, which has failed or (undefined) not. An open breaker stays open. */
export function addOutcome(
  state: BreakerState,
  failure: TrialFailure | undefined,
  { most, mostAtFirst = most }: BreakerLimits,
): BreakerState {
  const { hasAnswered } = state;
  if (failure === undefined) return { ...closedBreaker, hasAnswered: true, isOpen: state.isOpen };
  if (unrelatedCodes.has(failure.code)) return state;
  if (hasAnswered && questionCodes.has(failure.code)) return state;
  const inARow = state.inARow + 1;
  const refusals = refusedKeys.has(failure.code) ? state.refusals + 1 : 0;
  const isTooMuch =
    most !== Infinity &&
    (inARow >= (hasAnswered ? most : mostAtFirst) || refusals >= (hasAnswered ? mostRefusals : 1));
  const kinds = count(failure, state.kinds);
  return { hasAnswered, inARow, refusals, kinds, isOpen: state.isOpen || isTooMuch };
}

/** Returns why a trial failed. A simulated user that fails is as good a reason to stop. */
export function failureOf({ error, spoilt }: Trial): TrialFailure | undefined {
  if (error !== undefined) return error;
  return spoilt?.kind === 'user-failed' ? { code: spoilt.kind, message: spoilt.reason } : undefined;
}

/** Matches the status of an HTTP error by itself, or else any number, also in hexadecimal. */
const numbers =
  /(?<status>(?<![\w.:-])[45]\d\d(?![\w.-]|\s*(?:ms|milliseconds|s|seconds|bytes|tokens)\b))|[0-9a-f]*\d[0-9a-f]*/gi;

/**
 * Counts a failure under its kind. Messages that differ only in numbers, such as a port or a duration, are of one kind;
 * messages with different HTTP statuses are not.
 */
function count({ code, message }: TrialFailure, kinds: BreakerState['kinds']): BreakerState['kinds'] {
  const key = `${code} ${message.replaceAll(numbers, (_number, status?: string) => status ?? '#')}`;
  const known = kinds[key];
  if (known !== undefined) return { ...kinds, [key]: { ...known, trials: known.trials + 1 } };
  if (Object.keys(kinds).length >= mostKinds) return kinds;
  return { ...kinds, [key]: { code, message: shorten(message, longestMessage), trials: 1 } };
}
