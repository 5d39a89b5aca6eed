import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { describeValue } from '../../lib/text/describe-value.ts';
import { findField } from '../reply/read-text.ts';
import { type RecordAliases, taskColumns } from './record-aliases.ts';
import type { RecordedValue } from './read-recordings.ts';

/** One recorded answer, found but not read yet. */
export interface RecordedRow {
  readonly place: Place;
  /** What it goes by, best first: the name of its case; for a trace also those of its conversation and its traces. */
  readonly ids: readonly string[];
  readonly question: string | undefined;
  /** As it stands in the file; undefined where the row does not say. */
  readonly attempt: number | undefined;
  /** Traces that were not numbered are attempts in the order of the file, where several are of the same case. */
  readonly isTrace: boolean;
  /** The target that gave it, in an exported run. */
  readonly target: string | undefined;
  readonly value: object;
}

/** Finds out which trial a row belongs to. Throws `target-invalid` naming the line. */
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
    value,
  };
}

/** Where rows are numbered attempts, the name of their task names the case, and any other name only the row. */
function readId(value: object, aliases: RecordAliases, attempt: number | undefined): string | undefined {
  const task = attempt === undefined ? undefined : readName(findField(value, taskColumns)?.value);
  return task ?? readName(findField(value, aliases.id)?.value);
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

/** Beyond this, a number under a word such as `epoch` is no attempt but, for instance, a time. */
const mostAttempts = 10_000;

/**
 * Some count from 0, some from 1: which it is, is known only when all rows have been read. A column that somebody else named
 * may well mean something else: it is believed only when it holds a small whole number.
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
    remedy: 'Number the attempts at each case, or rename the column if it means something else.',
  });
}
