import { z } from 'zod';
import { formatPlace } from '../../errors.ts';
import { type Latency, latencySchema, toolCallsOf, trialSchema } from '../../schema/trial.ts';
import { readReply } from '../read-reply.ts';
import { findField } from '../reply/read-text.ts';
import { readAmount } from '../reply/read-details.ts';
import { readError } from '../reply/read-tool-calls.ts';
import { toJson } from '../reply/to-json.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { RecordAliases } from './record-aliases.ts';
import type { RecordedRow } from './recorded-row.ts';

/** How rows are read. */
export interface ReplyOptions {
  readonly aliases: RecordAliases;
  /** The columns that are kept beside the reply. */
  readonly recorded: readonly string[];
}

/**
 * Reads what a row recorded, with the time that it took then, if that was recorded. Throws `TargetFailure`:
 * `recorded-error` with what the conversation had come to, or `invalid-answer` naming the line.
 */
export function readRecordedReply(row: RecordedRow, options: ReplyOptions): Reply {
  const { aliases } = options;
  let latency: Latency | null = null;
  const recorded = recordedBeside(row.value, options);
  try {
    latency = readLatency(findField(row.value, aliases.latency)?.value);
    const logs = readLogs(findField(row.value, aliases.logs)?.value);
    const reply = { ...readParts(row, aliases), latency, ...(logs !== undefined && { logs }) };
    const error = readError(findField(row.value, aliases.error)?.value);
    if (error === undefined) return { ...reply, ...(recorded !== undefined && { recorded }) };
    const { transcript, usage, cost } = reply;
    throw new TargetFailure('recorded-error', error, { logs, partial: without({ transcript, usage, cost }) });
  } catch (failure) {
    if (!(failure instanceof TargetFailure)) throw failure;
    const place = failure.code === 'recorded-error' ? '' : `${formatPlace(row.place)}: `;
    const partial = { ...failure.partial, ...(recorded !== undefined && { recorded }) };
    throw failure.with({ message: `${place}${failure.message}`, latency, partial });
  }
}

/** A trial of ours is read as it was kept; anything else as the answer of a target. */
function readParts({ value, target }: RecordedRow, aliases: RecordAliases): Reply {
  const own = target === undefined ? undefined : ownSchema.safeParse(value).data;
  if (own !== undefined)
    return { ...without(own), answer: own.answer ?? null, toolCalls: toolCallsOf(own.transcript) };
  const reply = toReplyValue(value, aliases);
  const hasError = readError(findField(value, aliases.error)?.value) !== undefined;
  // An error in place of an answer may be all that there is.
  const read = readReply(hasError && !('answer' in reply) ? { ...reply, answer: null } : reply);
  const saysTools = 'toolCalls' in reply && reply.toolCalls !== undefined && reply.toolCalls !== null;
  return saysTools || findField(value, aliases.toolCalls) !== undefined || read.transcript !== undefined
    ? read
    : { ...read, toolsUnknown: true };
}

const ownSchema = z.lazy(() =>
  trialSchema()
    .pick({ documents: true, state: true, usage: true, cost: true, transcript: true })
    .extend({ answer: trialSchema().shape.answer.optional() }),
);

function without<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

/** The columns that say more of the answer than a reply has a place for. */
function recordedBeside(value: object, { recorded }: ReplyOptions): Reply['recorded'] | undefined {
  const kept = Object.entries(value).filter(([name, cell]) => recorded.includes(name) && cell !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map(([name, cell]) => [name, toJson(cell)]));
}

function readLogs(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

const parts = ['toolCalls', 'documents', 'state', 'usage', 'cost', 'transcript', 'firstTokenMs'] as const;

/** The row's parts under our own names, so that nothing else in it is taken for a part of the reply. */
function toReplyValue(row: object, aliases: RecordAliases): object {
  const answer = findField(row, aliases.answer)?.value;
  const others = parts.map((part) => [part, readCell(part, findField(row, aliases[part])?.value)]);
  return { ...(answer !== undefined && { answer }), ...Object.fromEntries(others) };
}

/**
 * Tables have nothing but text in their cells: lists and objects stand there as JSON, lists of names also with
 * separators.
 */
function readCell(part: (typeof parts)[number], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return undefined;
  if (part === 'cost' || part === 'firstTokenMs') return toNumber(text);
  if (/^[[{]/.test(text)) return parseJson(text);
  if (part !== 'toolCalls' && part !== 'documents') return value;
  const separator = part === 'toolCalls' ? /[;|,\n]/ : /[;|\n]/;
  return text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toNumber(text: string): unknown {
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // The reader of the part says that it is a text where something else belongs.
  }
}

/** A number of milliseconds, or the times of one call as a run keeps them. */
function readLatency(value: unknown): Latency | null {
  const times = latencySchema.safeParse(value);
  if (times.success) return times.data;
  const text = typeof value === 'string' ? value.trim() : undefined;
  const totalMs = readAmount(text === undefined ? value : text === '' ? null : toNumber(text), 'latencyMs');
  return totalMs === undefined ? null : { totalMs };
}

/**
 * Whether a row holds what a target gave: an answer, a conversation or an error. A missing or null answer is none.
 */
export function holdsReply(value: object, aliases: RecordAliases): boolean {
  const isGiven = (part: keyof RecordAliases) => (findField(value, aliases[part])?.value ?? null) !== null;
  return (
    isGiven('answer') ||
    isGiven('transcript') ||
    readError(findField(value, aliases.error)?.value) !== undefined
  );
}
