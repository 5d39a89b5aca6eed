import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { findField } from '../reply/read-text.ts';
import { type RecordAliases, taskColumns } from './record-aliases.ts';
import type { RecordedValue } from './read-recordings.ts';

/** One recorded answer that has been located, but not read yet. */
export interface RecordedRow {
  readonly place: Place;
  /** The names of the row, best first: the name of its case; for a trace also the names of its conversation and its traces. */
  readonly ids: readonly string[];
  readonly question: string | undefined;
  /** The attempt as numbered in the file; undefined when the row does not state one. */
  readonly attempt: number | undefined;
  /**
   * True for a trace. When several unnumbered traces belong to the same case, they are its attempts in the order of the file.
   */
  readonly isTrace: boolean;
  /** The target that gave the answer, in an exported run. */
  readonly target: string | undefined;
  /** The time at which the answer was given, ISO 8601; undefined when the row does not state one. */
  readonly startedAt: string | undefined;
  readonly value: object;
}

/** Reads which trial a row belongs to. Throws `target-invalid` with the line. */
export function readRecordedRow({ value, place }: RecordedValue, aliases: RecordAliases): RecordedRow {
  const find = (part: keyof RecordAliases) => findField(value, aliases[part])?.value;
  const attempt = readAttempt(value, aliases, place);
  const traces = find('traces');
  return {
    place,
    ids: [readId(value, aliases, attempt), ...(Array.isArray(traces) ? traces.map(readName) : [])].filter(
      (id) => id !== undefined,
    ),
    question: readQuestion(find('question')),
    attempt,
    isTrace: Array.isArray(traces),
    target: readName(find('target')),
    startedAt: readTime(find('startedAt')),
    value,
  };
}

/** Reads a time; undefined for a value that is none. */
function readTime(value: unknown): string | undefined {
  const at = typeof value === 'string' && value.trim() !== '' ? new Date(value) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/**
 * Returns the name of the case. When rows are numbered attempts, the name of their task is the name of the case, and any
 * other name belongs to the row.
 */
function readId(value: object, aliases: RecordAliases, attempt: number | undefined): string | undefined {
  const task = attempt === undefined ? undefined : readName(findField(value, taskColumns)?.value);
  return task ?? readName(findField(value, aliases.id)?.value);
}

function readName(value: unknown): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the text of a question. In a list of messages, it is the last message of the user. */
function readQuestion(value: unknown): string | undefined {
  if (!Array.isArray(value)) return readName(value);
  return value.findLast((message) => message?.role === 'user')?.content;
}

/** The largest attempt. A larger number in a column such as `epoch` is something else, for example a time. */
const mostAttempts = 10_000;

/**
 * Reads the attempt as it is numbered; whether a file counts from 0 or from 1 is known only after all rows. A column
 * that the user did not name may mean something else, so it counts only when it contains a small whole number.
 */
function readAttempt(value: object, { attempt: columns }: RecordAliases, place: Place): number | undefined {
  const own = columns.slice(0, columns.indexOf('attempt') + 1);
  for (const name of columns) {
    const given = findField(value, [name])?.value;
    if (given === undefined || given === null || given === '') continue;
    const attempt = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN;
    if (Number.isInteger(attempt) && attempt >= 0 && attempt <= mostAttempts) return attempt;
    if (own.includes(name)) throw notANumber(`${formatPlace(place)}: \`${name}\` is ${describeValue(given)}`);
  }
  return undefined;
}

function notANumber(found: string): TouchstoneError {
  return new TouchstoneError('target-invalid', `${found}; it must be 1, 2, 3, … or 0, 1, 2, ….`, {
    remedy: 'Number the attempts at each question, or rename the column if it means something else.',
  });
}
