import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOwnFault, messageOf } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { Latency } from '../../../core/schema/usage.ts';
import {
  type PartialReply,
  type Repeats,
  type Reply,
  type Target,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from '../../targets/target.ts';
import { addTaken } from '../record/record.ts';
import { isEmptyReply, markRefusal, noAnswer, readRefusal } from './empty-reply.ts';
import { keepFiles } from './keep-files.ts';
import { type CallLimits, stoppedBy, withinLimits } from './within-limits.ts';

/** The result of asking a target one question: its reply, or the failure of the last call. */
export type AskResult = {
  /** The start of the last call, ISO 8601. */
  readonly startedAt: string;
  /** The latency recorded with an old answer, else the latency of the last call; undefined when it is unknown. */
  readonly latency: Latency | undefined;
  /** The number of repeated calls, by Touchstone or within the target. */
  readonly retries: number;
} & (
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: TargetFailure; readonly reply?: never }
);

/** Asks a target one question within the time limit, and repeats the call after transient failures. Throws only what is Touchstone's own fault. */
export async function askTarget(
  request: TargetRequest,
  target: Target,
  limits: CallLimits,
): Promise<AskResult> {
  const repeats = createRepeats(limits);
  const call = (context: TargetContext) => target.call(request, { ...context, repeats });
  await target.prepare?.(request, limits).catch(() => {}); // What fails here fails again in the call.
  let retries = 0;
  const earlier: PartialReply[] = [];
  for (let round = 0; ; round += 1) {
    const asked = await keepFiles(await askOnce(call, limits), limits.keepBlob);
    if (asked.reply !== undefined) limits.outage?.onAnswered();
    retries += asked.retries;
    const pauseMs =
      asked.failure === undefined ? undefined : pauseBeforeRetry(asked.failure, round, request.seed);
    const isLast = pauseMs === undefined || limits.abort.aborted || !(await repeats.take(limits.onWaiting));
    if (isLast) {
      limits.outage?.onEnded(repeats);
      return { ...withEarlier(asked, earlier), retries };
    }
    retries += 1;
    await pauseFor(pauseMs, limits);
    if (limits.firstTurn?.isGivenUp === true) return { ...withEarlier(asked, earlier), retries };
    if (asked.failure?.partial !== undefined) earlier.push(asked.failure.partial);
  }
}

/** Adds the usage of earlier calls to the result of the last one. */
function withEarlier(asked: AskResult, earlier: readonly PartialReply[]): AskResult {
  if (earlier.length === 0) return asked;
  const { reply, failure } = asked;
  if (reply !== undefined) return { ...asked, reply: addTaken(reply, earlier) };
  return { ...asked, failure: failure.with({ partial: addTaken(failure.partial ?? {}, earlier) }) };
}

/**
 * Creates the repeats of one question, made by the run or by the target itself. Each also counts as a repeat of the
 * whole run.
 */
function createRepeats({ maxRetries, takeRepeat, stop, outage }: CallLimits): Repeats {
  const isStopped = () => stop?.aborted === true;
  let taken = 0;
  const repeats: Repeats = {
    most: maxRetries,
    take: async (onWaiting) => {
      if (taken >= maxRetries || isStopped()) return false;
      onWaiting?.(true);
      try {
        if ((await outage?.mayRepeat(repeats)) === false || isStopped()) return false;
        const isTaken = (await takeRepeat?.()) ?? true;
        taken += Number(isTaken);
        return isTaken;
      } finally {
        onWaiting?.(false);
      }
    },
  };
  return repeats;
}

/** Waits before a repeat, unless the trial is given up first. An abort also ends the pause; the next call sees it. */
async function pauseFor(milliseconds: number, { abort, firstTurn }: CallLimits): Promise<void> {
  const givenUp = new AbortController();
  const watch = firstTurn?.watch(() => givenUp.abort());
  watch?.onWaiting(true, true);
  await wait(milliseconds, AbortSignal.any([abort, givenUp.signal])).catch(() => {});
  watch?.end();
}

async function askOnce(
  call: (context: TargetContext) => Promise<Reply>,
  limits: CallLimits,
): Promise<AskResult> {
  // Each call gets a turn of the event loop of its own: otherwise the work of one target function would be timed as the
  // latency of the next.
  await nextTurn();
  const startedAt = timeNow();
  const start = performance.now();
  const elapsedMs = () => Math.round((performance.now() - start) * 1000) / 1000;
  const failed = (failure: TargetFailure): AskResult => {
    const latency = toLatency(failure.latency, { totalMs: elapsedMs() });
    return { startedAt, latency, retries: failure.partial?.retries ?? 0, failure };
  };
  const replied = (reply: Reply): AskResult => {
    const { firstTokenMs, retries = 0 } = reply;
    const known = reply.latency && { firstTokenMs, ...reply.latency };
    const latency = toLatency(known, { totalMs: elapsedMs(), firstTokenMs });
    return { startedAt, latency, retries, reply };
  };
  if (limits.abort.aborted) return failed(stoppedBy(limits.abort));
  try {
    const reply = markRefusal(checkReply(await withinLimits(limits, call)));
    return reply.refused === undefined && isEmptyReply(reply) ? failed(noAnswer(reply)) : replied(reply);
  } catch (error) {
    if (isOwnFault(error)) throw error;
    const failure =
      error instanceof TargetFailure ? error : new TargetFailure('target-threw', messageOf(error));
    const refusal = readRefusal(failure);
    return refusal === undefined ? failed(failure) : replied(refusal);
  }
}

/** The longest pause that a target may ask for. A target that asks for more is not asked again. */
const longestRetryAfterMs = 300_000;
const longestPauseMs = 60_000;

/**
 * Returns the milliseconds to wait before the next call; undefined when calling again would not help, or not soon
 * enough.
 */
function pauseBeforeRetry(
  { retryable, retryAfterMs }: TargetFailure,
  retries: number,
  seed: number,
): number | undefined {
  if (!retryable) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
  const spread = 0.5 + ((seed >>> (retries % 24)) & 0xff) / 255;
  return Math.min(500 * 2 ** retries * spread, longestPauseMs);
}

/** Returns the latency recorded with an old answer, or the measured one when the answer is new. */
function toLatency(recorded: Latency | null | undefined, measured: Latency): Latency | undefined {
  return recorded === undefined ? measured : (recorded ?? undefined);
}

/** The deepest nesting of a reply. A value nested deeper is assumed to contain itself. */
const deepest = 500;

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the value that a target gave as a reply that can be stored. Parts that are missing and have only one meaning
 * are filled in: a text is an answer, a missing list is an empty one, a name means a call of that tool. Throws
 * `TargetFailure` for anything else that is not a reply, so that it is the error of one trial.
 */
export function checkReply(returned: unknown): Reply {
  if (typeof returned === 'string') return { answer: returned, toolCalls: [], toolsUnknown: true };
  if (!isFields(returned))
    refuse(`it gave ${describeValue(returned)}, where a reply is { answer, toolCalls }`);
  refuseFailed(returned);
  refuseParts(returned);
  const { toolCalls, documents, transcript } = returned;
  const calls = listOf('toolCalls', toolCalls ?? [], (call) => named('name', call));
  const found =
    documents === undefined ? undefined : listOf('documents', documents, (one) => named('id', one));
  if (transcript !== undefined) listOf('transcript', transcript, checkMessage);
  const unstorable = findUnstorable(returned, 0);
  if (unstorable !== undefined) refuse(`its reply contains ${unstorable}, which is not JSON`);
  const reply = returned as unknown as Reply;
  if (toolCalls === undefined && transcript === undefined) {
    return { ...reply, toolCalls: [], toolsUnknown: true, ...(found && { documents: found }) } as Reply;
  }
  return calls === toolCalls && found === documents
    ? reply
    : ({ ...reply, toolCalls: calls, ...(found && { documents: found }) } as Reply);
}

function refuseParts({ answer, usage, cost }: Fields): void {
  if (answer !== null && typeof answer !== 'string') {
    const what = answer === undefined ? 'its reply has no answer' : `its answer is ${describeValue(answer)}`;
    refuse(`${what}, where that is a text, or null for none`);
  }
  if (usage !== undefined && !(isFields(usage) && Object.values(usage).every(isCount))) {
    refuse(`usage is ${describeValue(usage)}, where that is an object of token counts`);
  }
  if (cost !== undefined && !isCount(cost)) {
    refuse(`cost is ${describeValue(cost)}, where that is US dollars`);
  }
}

function refuseFailed({ status, error }: Fields): void {
  if (status !== 'failed' && status !== 'error') return;
  const { message = error } = isFields(error) ? error : {};
  throw new TargetFailure('target-failed', typeof message === 'string' ? message : 'it gave no reason');
}

/** Reads each part of a list. Returns the same list when every part has the right form already. */
function listOf(name: string, list: unknown, read: (part: unknown) => unknown): unknown[] {
  if (!Array.isArray(list)) refuse(`${name} is ${describeValue(list)}, where that is a list`);
  const parts = list.map((part: unknown, index) => {
    const known = read(part);
    if (known === undefined) refuse(`${name}[${index}] is ${describeValue(part)}, which is invalid`);
    return known;
  });
  return parts.every((part, index) => part === list[index]) ? list : parts;
}

function named(key: 'name' | 'id', part: unknown): unknown {
  if (typeof part === 'string' && part !== '') return { [key]: part };
  return isFields(part) && typeof part[key] === 'string' && part[key] !== '' ? part : undefined;
}

function checkMessage(part: unknown): unknown {
  if (!isFields(part) || !roles.has(part['role'])) return undefined;
  const { content = null, toolCalls = [] } = part;
  if (content !== null && typeof content !== 'string') return undefined;
  listOf('toolCalls', toolCalls, (call) => (isFields(call) ? named('name', call) : undefined));
  return part;
}

function isCount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value));
}

function isFields(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value);
}

function findUnstorable(value: unknown, depth: number): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    return `a ${typeof value}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (!isContainer(value)) return undefined;
  if (depth > deepest) return `a value that is nested more than ${deepest} deep`;
  for (const part of Object.values(value)) {
    const unstorable = findUnstorable(part, depth + 1);
    if (unstorable !== undefined) return unstorable;
  }
  return undefined;
}

function refuse(message: string): never {
  throw new TargetFailure('invalid-answer', message);
}
