import { findField } from '../reply/find-field.ts';
import { readError } from '../reply/read-tool-calls.ts';
import type { RecordAliases } from './record-aliases.ts';

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
