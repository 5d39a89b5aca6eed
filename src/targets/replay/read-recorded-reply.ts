import { formatPlace } from '../../errors.ts';
import { type Latency, latencySchema } from '../../schema/trial.ts';
import { findField } from '../reply/find-field.ts';
import { readAmount } from '../reply/read-amounts.ts';
import { readError } from '../reply/read-tool-calls.ts';
import { readReply } from '../read-reply.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { RecordAliases } from './record-aliases.ts';
import type { RecordedRow } from './recorded-row.ts';

/**
 * Whether a row holds what a target gave: an answer, a conversation or an error. A missing or null answer is none.
 */
export function holdsReply({ value }: RecordedRow, aliases: RecordAliases): boolean {
  const isGiven = (part: keyof RecordAliases) => (findField(value, aliases[part])?.value ?? null) !== null;
  return (
    isGiven('answer') ||
    isGiven('transcript') ||
    readError(findField(value, aliases.error)?.value) !== undefined
  );
}

/**
 * Reads what a row recorded, with the time that it took then, if that was recorded. Throws `TargetFailure`:
 * `recorded-error`, or `invalid-answer` naming the line.
 */
export function readRecordedReply(row: RecordedRow, aliases: RecordAliases): Reply {
  let latency: Latency | null = null;
  try {
    latency = readLatency(findField(row.value, aliases.latency)?.value);
    const error = readError(findField(row.value, aliases.error)?.value);
    if (error !== undefined) throw new TargetFailure('recorded-error', error);
    return { ...readReply(toReplyValue(row.value, aliases)), latency };
  } catch (failure) {
    if (!(failure instanceof TargetFailure)) throw failure;
    const place = failure.code === 'recorded-error' ? '' : `${formatPlace(row.place)}: `;
    throw failure.with({ message: `${place}${failure.message}`, latency });
  }
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
