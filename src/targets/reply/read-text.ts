import { describeValue } from '../../lib/text/describe-value.ts';
import { TargetFailure } from '../target.ts';

/** The most that one answer, or one reply as it comes over the wire, may measure. */
export const maxReplyBytes = 16 * 1024 * 1024;

/** The failure for a reply over the limit. */
export function answerTooLarge(): TargetFailure {
  return new TargetFailure(
    'answer-too-large',
    `The answer is longer than ${maxReplyBytes / 1024 / 1024} MiB; nothing that long is kept.`,
  );
}

/**
 * An answer as text: null when there is none, numbers and booleans in words. Throws `TargetFailure` for the rest.
 */
export function readAnswer(value: unknown, field: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return readAnswerText(value);
  return readScalar(value) ?? fail(value, field);
}

/** A finite number, a boolean or a bigint as text; undefined for anything else. */
export function readScalar(value: unknown): string | undefined {
  const isPlain =
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? String(value) : undefined;
}

function readAnswerText(text: string): string | null {
  if (text === '') return null;
  // No UTF-16 unit takes more than three bytes of UTF-8, so that short answers need no counting.
  if (text.length * 3 > maxReplyBytes && Buffer.byteLength(text) > maxReplyBytes) throw answerTooLarge();
  return text.toWellFormed();
}

function fail(value: unknown, field: string): never {
  throw invalidField(field, value, 'text, a finite number, true, false or null');
}

/** A part of a value, with the name under which it was found. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
}

/** The first of several names that an object has a value for; null counts as a value, undefined does not. */
export function findField(source: object, names: readonly string[]): Field | undefined {
  const record = source as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = record[name];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** The failure for a part of a reply that is not what it should be; it names the part and what was found. */
export function invalidField(field: string, found: unknown, wanted: string): TargetFailure {
  return new TargetFailure(
    'invalid-answer',
    `\`${field}\` is ${describeValue(found)}; it must be ${wanted}.`,
  );
}
