import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import type { CasedTrial } from '../schema/scored-trial.ts';
import { type Case, questionOf } from '../schema/case.ts';
import { exchange, inputMessages, type Latency, type Trial } from '../schema/trial.ts';
import type { TrialSpec } from '../schema/trial-spec.ts';
import {
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from '../targets/target.ts';

/** What bounds one trial. */
export interface CallLimits {
  readonly timeLimitMs: number;
  /** Calls made again after a passing fault. */
  readonly maxRetries: number;
  /** Aborted when the run is told to stop at once. */
  readonly abort: AbortSignal;
}

/**
 * Makes one trial: asks the target, again after a passing fault, within the time limit. Never throws: whatever happens
 * becomes a record.
 */
export async function callTarget(spec: TrialSpec, target: Target, limits: CallLimits): Promise<CasedTrial> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await callOnce(spec, target, limits);
    const pauseMs =
      outcome.failure === undefined ? undefined : pauseBeforeRetry(outcome.failure, retries, spec.seed);
    if (pauseMs === undefined || retries >= limits.maxRetries || limits.abort.aborted) {
      return { case: spec.case, trial: toTrial(spec, outcome, retries) };
    }
    await wait(pauseMs, undefined, { signal: limits.abort }).catch(() => {}); // An abort is seen by the next call.
  }
}

interface Outcome {
  readonly startedAt: string;
  readonly totalMs: number;
  readonly reply?: Reply;
  readonly failure?: TargetFailure;
}

async function callOnce(spec: TrialSpec, target: Target, limits: CallLimits): Promise<Outcome> {
  // A turn of its own for every call: else the work of one target function would be timed as the latency of the next.
  await nextTurn();
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const elapsedMs = () => Math.round((performance.now() - start) * 1000) / 1000;
  if (limits.abort.aborted) return { startedAt, totalMs: 0, failure: cancelled() };
  try {
    const reply = await withinLimits(limits, (context) => target.call(toRequest(spec), context));
    return { startedAt, totalMs: elapsedMs(), reply };
  } catch (error) {
    const failure =
      error instanceof TargetFailure ? error : new TargetFailure('target-threw', messageOf(error));
    return { startedAt, totalMs: elapsedMs(), failure };
  }
}

/**
 * Rejects when the time is over or the run is aborted, whether or not the work takes notice of its signal. Work that does
 * may add to the failure what the target wrote meanwhile; an answer that comes too late stays unused.
 */
async function withinLimits<Result>(
  { timeLimitMs, abort }: CallLimits,
  work: (context: TargetContext) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  return await new Promise<Result>((resolve, reject) => {
    const end = (failure: TargetFailure) => {
      controller.abort(failure);
      setImmediate(reject, failure);
    };
    const onAbort = () => end(cancelled());
    const clock = startClock(timeLimitMs, () => {
      end(new TargetFailure('timeout', `no answer within ${timeLimitMs} ms`));
    });
    const settle = () => {
      clock.stop();
      abort.removeEventListener('abort', onAbort);
    };
    abort.addEventListener('abort', onAbort, { once: true });
    Promise.resolve()
      .then(() => work({ signal: controller.signal, onWaiting: clock.onWaiting }))
      .then(
        (result) => (controller.signal.aborted ? undefined : resolve(result)),
        (error: Error) => {
          // That it was stopped, in whatever words, is no failure of its own.
          if (!controller.signal.aborted || error instanceof TargetFailure) reject(error);
        },
      )
      .finally(settle);
  });
}

/** Tells when so much time is over; while anything is being waited for, time stands still. */
function startClock(limitMs: number, onOver: () => void) {
  let leftMs = limitMs;
  let waits = 0;
  let startedAt = performance.now();
  let timer = setTimeout(onOver, limitMs);
  let isStopped = false;
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    onWaiting: (isWaiting: boolean) => {
      waits += isWaiting ? 1 : -1;
      if (isStopped || waits !== Number(isWaiting)) return;
      clearTimeout(timer);
      if (isWaiting) leftMs -= performance.now() - startedAt;
      else {
        startedAt = performance.now();
        timer = setTimeout(onOver, leftMs);
      }
    },
  };
}

function cancelled(): TargetFailure {
  return new TargetFailure('cancelled', 'the run was stopped');
}

function toRequest(spec: TrialSpec): TargetRequest {
  return {
    key: spec.key,
    caseId: spec.case.id,
    input: questionOf(spec.case),
    messages: inputMessages(spec.case.input),
    metadata: spec.case.metadata,
    attempt: spec.attempt,
    seed: spec.seed,
  };
}

/** Milliseconds to wait before the next call; undefined when calling again would not help. */
function pauseBeforeRetry(failure: TargetFailure, retries: number, seed: number): number | undefined {
  if (!failure.retryable) return undefined;
  const spread = 0.5 + ((seed >>> (retries % 24)) & 0xff) / 255;
  return Math.min(failure.retryAfterMs ?? 500 * 2 ** retries * spread, 60_000);
}

function toTrial(spec: TrialSpec, { startedAt, totalMs, reply, failure }: Outcome, retries: number): Trial {
  const { key, ordinal, caseHash, target, attempt, seed } = spec;
  const base = { key, ordinal, caseId: spec.case.id, caseHash, target, attempt, seed, retries, startedAt };
  if (reply === undefined) return { ...base, ...failedParts(spec.case, failure, { totalMs, retries }) };
  const { answer, toolCalls, transcript, firstTokenMs, documents, state, usage, cost, logs } = reply;
  return {
    ...base,
    status: 'completed',
    retries: retries + (reply.retries ?? 0),
    transcript: transcript ?? exchange(spec.case.input, answer, toolCalls),
    answer,
    documents,
    state,
    usage,
    cost,
    latency: toLatency(reply.latency, { totalMs, firstTokenMs }),
    logs,
  };
}

type FailedParts = Omit<
  Trial,
  'key' | 'ordinal' | 'caseId' | 'caseHash' | 'target' | 'attempt' | 'seed' | 'startedAt'
>;

/** A failed trial keeps what its conversation had come to: that was paid for. */
function failedParts(
  { input }: Case,
  failure: TargetFailure = new TargetFailure('unknown', ''),
  { totalMs, retries }: { readonly totalMs: number; readonly retries: number },
): FailedParts {
  const { code, message, logs, latency, partial = {} } = failure;
  return {
    status: code === 'cancelled' ? 'cancelled' : 'failed',
    transcript: partial.transcript ?? inputMessages(input),
    answer: null,
    usage: partial.usage,
    cost: partial.cost,
    retries: retries + (partial.retries ?? 0),
    latency: toLatency(latency, { totalMs }),
    error: { code, message },
    logs,
  };
}

/** The time that was recorded with an old answer; that of the call when the answer is a new one. */
function toLatency(recorded: Latency | null | undefined, measured: Latency): Latency | undefined {
  return recorded === undefined ? measured : (recorded ?? undefined);
}
