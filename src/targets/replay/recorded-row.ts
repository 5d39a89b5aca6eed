import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { describeValue } from '../../lib/describe-value.ts';
import { findField } from '../reply/find-field.ts';
import type { RecordAliases } from './record-aliases.ts';

/** One recorded answer, found but not read yet. */
export interface RecordedRow {
  readonly place: Place;
  readonly id: string | undefined;
  readonly question: string | undefined;
  /** Counts from 1; a row that does not say is the first. */
  readonly attempt: number;
  readonly value: object;
}

/** Finds out which trial a row belongs to. Throws `target-invalid` naming the line. */
export function readRecordedRow(value: unknown, place: Place, aliases: RecordAliases): RecordedRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new TouchstoneError(
      'target-invalid',
      `${formatPlace(place)}: the row is ${describeValue(value)}, not an object.`,
    );
  }
  const find = (part: keyof RecordAliases) => findField(value, aliases[part])?.value;
  return {
    place,
    id: readName(find('id')),
    question: readQuestion(find('question')),
    attempt: readAttempt(find('attempt'), place),
    value,
  };
}

function readName(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A question is a text or a list of messages, of which the last of the user counts. */
function readQuestion(value: unknown): string | undefined {
  if (!Array.isArray(value)) return readName(value);
  return value.findLast((message) => message?.role === 'user')?.content;
}

function readAttempt(value: unknown, place: Place): number {
  if (value === undefined || value === null || value === '') return 1;
  const attempt = Number(value);
  if (Number.isInteger(attempt) && attempt >= 1) return attempt;
  throw new TouchstoneError(
    'target-invalid',
    `${formatPlace(place)}: \`attempt\` is ${describeValue(value)}; it must be 1, 2, 3, ….`,
  );
}
