import { z } from 'zod';
import { formatPlace } from '../../../core/errors.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { Message, ReplyFile, WithFiles } from '../../../core/schema/message.ts';
import { toolCallsOf, trialSchema } from '../../../core/schema/trial.ts';
import { type Latency, latencySchema } from '../../../core/schema/usage.ts';
import { readReply } from '../read-reply.ts';
import { findField } from '../reply/read-text.ts';
import { readAmount } from '../reply/read-details.ts';
import { readError } from '../reply/read-tool-calls.ts';
import { toJson } from '../reply/to-json.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { RecordAliases } from './record-aliases.ts';
import type { RecordedRow } from './recorded-row.ts';

/** Options for reading rows. */
export interface ReplyOptions {
  readonly aliases: RecordAliases;
  /** The columns that are stored with the reply. */
  readonly recorded: readonly string[];
}

/**
 * Reads the reply recorded in a row, with the latency of that time if it was recorded. Throws `TargetFailure`:
 * `recorded-error` with the conversation up to the error, or `invalid-answer` with the line.
 */
export function readRecordedReply(row: RecordedRow, options: ReplyOptions): Reply {
  const { aliases } = options;
  let latency: Latency | null = null;
  const recorded = recordedBeside(row.value, options);
  try {
    latency = readLatency(findField(row.value, aliases.latency)?.value);
    const logs = readLogs(findField(row.value, aliases.logs)?.value);
    const reply = { ...readParts(row, aliases), ...when(row), latency, ...(logs !== undefined && { logs }) };
    const error = readError(findField(row.value, aliases.error)?.value);
    if (error === undefined) return { ...reply, ...(recorded !== undefined && { recorded }) };
    const { transcript, usage, cost } = reply;
    throw new TargetFailure('recorded-error', error, { logs, partial: without({ transcript, usage, cost }) });
  } catch (failure) {
    if (!(failure instanceof TargetFailure)) throw failure;
    const place = failure.code === 'recorded-error' ? '' : `${formatPlace(row.place)}: `;
    const partial = { ...failure.partial, ...when(row), ...(recorded !== undefined && { recorded }) };
    throw failure.with({ message: `${place}${failure.message}`, latency, partial });
  }
}

function when({ startedAt }: RecordedRow): Pick<Reply, 'startedAt'> {
  return startedAt === undefined ? {} : { startedAt };
}

/**
 * Returns whether a row contains a recorded reply: an answer, a conversation or an error. A missing or null answer does
 * not count.
 */
export function holdsReply(value: object, aliases: RecordAliases): boolean {
  const isGiven = (part: keyof RecordAliases) => (findField(value, aliases[part])?.value ?? null) !== null;
  return (
    isGiven('answer') ||
    isGiven('transcript') ||
    readError(findField(value, aliases.error)?.value) !== undefined
  );
}

/** Reads the parts of a reply. A trial of Touchstone is read as it was stored; any other row as the answer of a target. */
function readParts({ value, target }: RecordedRow, aliases: RecordAliases): Reply {
  const own = target === undefined ? undefined : ownSchema.safeParse(value).data;
  if (own !== undefined) {
    const transcript = withBytes(own.transcript, (value as typeof own).transcript);
    return { ...without(own), transcript, answer: own.answer ?? null, toolCalls: toolCallsOf(transcript) };
  }
  const reply = toReplyValue(value, aliases);
  const hasError = readError(findField(value, aliases.error)?.value) !== undefined;
  // A row may contain an error in place of an answer.
  const read = readReply(hasError && !('answer' in reply) ? { ...reply, answer: null } : reply);
  const saysTools = 'toolCalls' in reply && reply.toolCalls !== undefined && reply.toolCalls !== null;
  return saysTools || findField(value, aliases.toolCalls) !== undefined || read.transcript !== undefined
    ? read
    : { ...read, toolsUnknown: true };
}

const ownSchema = z.lazy(() =>
  trialSchema()
    .pick({ documents: true, state: true, usage: true, cost: true, finishReason: true, transcript: true })
    .extend({ answer: trialSchema().shape.answer.optional() }),
);

/** Returns a transcript with the bytes of its files from the file, which are no part of a stored message. */
function withBytes(transcript: readonly Message[], given: readonly (Message & WithFiles)[]): Message[] {
  return transcript.map((message, index) => {
    const files: readonly ReplyFile[] = given[index]?.attachments ?? [];
    const attachments = message.attachments?.map((file, at) => ({ ...file, base64: files[at]?.base64 }));
    return attachments === undefined ? message : { ...message, attachments };
  });
}

function without<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

/** Returns the columns stored with the reply, for which it has no field. */
function recordedBeside(value: object, { recorded }: ReplyOptions): Reply['recorded'] | undefined {
  const kept = Object.entries(value).filter(([name, cell]) => recorded.includes(name) && cell !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map(([name, cell]) => [name, toJson(cell)]));
}

function readLogs(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

const parts = [
  'toolCalls',
  'documents',
  'state',
  'usage',
  'cost',
  'finishReason',
  'transcript',
  'firstTokenMs',
] as const;

/** Returns the row's parts under Touchstone's names, so that no other column is mistaken for a part of the reply. */
function toReplyValue(row: object, aliases: RecordAliases): object {
  const answer = findField(row, aliases.answer)?.value;
  const others = parts.map((part) => [part, readCell(part, findField(row, aliases[part])?.value)]);
  return { ...(answer !== undefined && { answer }), ...Object.fromEntries(others) };
}

/**
 * Reads a cell of a table, which can only be text. Lists and objects are JSON there; lists of names may also use separators.
 */
function readCell(part: (typeof parts)[number], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return undefined;
  if (part === 'finishReason') return text;
  if (part === 'cost' || part === 'firstTokenMs') return toNumber(text);
  if (/^[[{]/.test(text)) return tryJson(text);
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

function tryJson(text: string): unknown {
  return tryParseJson(text, text);
}

/** Reads a number of milliseconds, or the times of one call as a run keeps them. */
function readLatency(value: unknown): Latency | null {
  const times = latencySchema.safeParse(value);
  if (times.success) return times.data;
  const text = typeof value === 'string' ? value.trim() : undefined;
  const totalMs = readAmount(text === undefined ? value : text === '' ? null : toNumber(text), 'latencyMs');
  return totalMs === undefined ? null : { totalMs };
}
