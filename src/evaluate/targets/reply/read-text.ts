import { ExactNumber } from '../../../core/lib/json/exact-number.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { TargetFailure } from '../target.ts';

/** The largest size of one answer, and of one reply in transit. */
export const maxReplyBytes = 16 * 1024 * 1024;

/**
 * Reads an answer as text: null when there is none, numbers and booleans as they are written. Throws `TargetFailure`
 * for anything else.
 */
export function readAnswer(value: unknown, field: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return readAnswerText(value);
  return readScalar(value) ?? fail(value, field);
}

/** Returns a finite number, a boolean or a bigint as text; undefined for anything else. */
export function readScalar(value: unknown): string | undefined {
  const isPlain =
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    value instanceof ExactNumber ||
    (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? String(value) : undefined;
}

function readAnswerText(text: string): string | null {
  if (text === '') return null;
  // No UTF-16 unit takes more than three bytes of UTF-8, so short answers need no counting.
  if (text.length * 3 > maxReplyBytes && Buffer.byteLength(text) > maxReplyBytes) throw answerTooLarge();
  return text.toWellFormed();
}

function fail(value: unknown, field: string): never {
  throw invalidField(field, value, 'text, a finite number, true, false or null');
}

/** Returns the failure for a reply over the size limit. */
export function answerTooLarge(): TargetFailure {
  return new TargetFailure(
    'answer-too-large',
    `The answer is longer than ${maxReplyBytes / 1024 / 1024} MiB; answers that long are not stored.`,
  );
}

/** A part of a value, with the name under which it was found. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the first of several names that has a value in an object. Null counts as a value, undefined does not. */
export function findField(source: object, names: readonly string[]): Field | undefined {
  const record = source as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = record[name];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** Returns the failure for an invalid part of a reply, with the part's name and what was found. */
export function invalidField(field: string, found: unknown, wanted: string): TargetFailure {
  return new TargetFailure(
    'invalid-answer',
    `\`${field}\` is ${describeValue(found)}; it must be ${wanted}.`,
  );
}
