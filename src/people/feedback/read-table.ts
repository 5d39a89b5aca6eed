import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { FeedbackRow } from './receive.ts';

/** The places of the fields of feedback in the rows of another program. */
export interface FeedbackColumns {
  /** The columns by the fields that they hold, such as `{ value: 'rating' }`; a column named like a field holds it anyway. */
  readonly map?: Readonly<Record<string, string>>;
  /** Values that all rows have, such as `{ signal: 'stars' }`. */
  readonly set?: Readonly<Record<string, string>>;
}

const subjectFields = ['trialKey', 'run', 'caseId', 'target', 'attempt', 'traceId', 'conversation', 'turn'];
const fields = ['id', 'at', 'source', 'signal', 'value', 'name', 'text', 'user', 'dwellMs', ...subjectFields];
const numbers = ['attempt', 'turn', 'dwellMs'];

/** The words of programs for a thumb. */
const thumbs: Readonly<Record<string, 'up' | 'down'>> = {
  up: 'up',
  down: 'down',
  '👍': 'up',
  '👎': 'down',
  positive: 'up',
  negative: 'down',
  like: 'up',
  dislike: 'down',
  true: 'up',
  false: 'down',
  yes: 'up',
  no: 'down',
  '1': 'up',
  '0': 'down',
  '-1': 'down',
};

/**
 * Yields the rows of a table as feedback, to be checked as what a program sends. A row without an id gets the hash of what it
 * says, so that it counts once however often it is read.
 * @throws TouchstoneError `usage-invalid` for fields that do not exist, and for a table without a column for a field that is needed.
 */
export async function* readTable(
  rows: AsyncIterable<FeedbackRow>,
  { map = {}, set = {} }: FeedbackColumns,
): AsyncGenerator<FeedbackRow> {
  for (const field of [...Object.keys(map), ...Object.keys(set)]) checkField(field);
  let isChecked = false;
  for await (const { value, place } of rows) {
    const row = isRow(value) ? value : {};
    if (!isChecked) checkColumns(Object.keys(row), { map, set });
    isChecked = true;
    yield { value: toFeedback(row, { map, set }), place };
  }
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkField(field: string): void {
  if (fields.includes(field)) return;
  throw new TouchstoneError(
    'usage-invalid',
    `Feedback has no field "${field}".${didYouMean(field, fields)} Its fields are ${fields.join(', ')}.`,
  );
}

function checkColumns(columns: readonly string[], { map, set }: Required<FeedbackColumns>): void {
  const missing = Object.values(map).find((column) => !columns.includes(column));
  const known = `Its columns are ${columns.join(', ')}.`;
  if (missing !== undefined)
    throw new TouchstoneError(
      'usage-invalid',
      `The table has no column "${missing}".${didYouMean(missing, columns)} ${known}`,
    );
  const has = (...names: string[]) =>
    names.some((name) => name in map || name in set || columns.includes(name));
  const need = [
    ...(has('at') ? [] : [['at', 'the time of the reaction', '--map at=COLUMN']]),
    ...(has('trialKey', 'caseId', 'traceId', 'conversation')
      ? []
      : [['traceId', 'the answer', '--map traceId=COLUMN` (or conversation, caseId with run, trialKey)`']]),
    ...(has('value', 'text', 'signal') ? [] : [['value', 'what users said', '--map value=COLUMN']]),
  ];
  const [first] = need;
  if (first === undefined) return;
  throw new TouchstoneError(
    'usage-invalid',
    `The table has no column \`${first[0]}\`, ${first[1]}. ${known}`,
    {
      remedy: `Name the column that holds it: \`${first[2]}\` (docs/production.md).`,
    },
  );
}

function toFeedback(
  row: Readonly<Record<string, unknown>>,
  { map, set }: Required<FeedbackColumns>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const field of fields) {
    const column = map[field] ?? field;
    const cell = field in set ? set[field] : Object.hasOwn(row, column) ? row[column] : undefined;
    if (cell !== undefined && cell !== null && cell !== '') found[field] = cell;
  }
  for (const field of numbers) if (field in found) found[field] = toNumber(found[field]);
  const { id, at, source = 'import', signal = signalOf(found), value, ...rest } = found;
  const subject = Object.fromEntries(
    subjectFields.flatMap((field) => (field in rest ? [[field, rest[field]]] : [])),
  );
  const others = Object.fromEntries(Object.entries(rest).filter(([field]) => !(field in subject)));
  const said = {
    at: toTime(at),
    source,
    signal,
    value: toValue(signal, value),
    subject,
  };
  // Without what could be guessed of a person: neither users nor their words are in the hash.
  const own = id ?? `row-${hashContent({ ...said, name: rest['name'] }).slice(0, 32)}`;
  const feedback = { id: typeof own === 'number' ? String(own) : own, ...said, ...others };
  return Object.fromEntries(Object.entries(feedback).filter(([, each]) => each !== undefined));
}

/** Returns the signal of a row without one: a thumb by its value, or a comment; a number may be stars or a thumb, and is none. */
function signalOf({ value, text }: Readonly<Record<string, unknown>>): string | undefined {
  if (value === undefined) return text === undefined ? undefined : 'text';
  const isNumber = typeof value === 'number' || /^-?\d/.test(String(value));
  return !isNumber && toThumb(value) !== undefined ? 'thumb' : undefined;
}

function toThumb(value: unknown): 'up' | 'down' | undefined {
  const said = String(value)
    .trim()
    .toLowerCase()
    .replace(/^thumbs?[ _-]?/, '');
  return Object.hasOwn(thumbs, said) ? thumbs[said] : undefined;
}

function toValue(signal: unknown, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (signal === 'thumb') return toThumb(value) ?? value;
  if (signal === 'outcome' && (value === 'true' || value === 'false')) return value === 'true';
  return toNumber(value);
}

function toNumber(cell: unknown): unknown {
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
}

/** Returns the time in our spelling: of an ISO time, also with a space, which is UTC unless it names a zone. */
function toTime(cell: unknown): unknown {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(
      String(cell).trim(),
    ) ?? [];
  const whole = `${time.length === 5 ? `${time}:00` : time}${zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`;
  const at = new Date(`${day}T${whole}`);
  return day === undefined || Number.isNaN(at.getTime()) ? cell : at.toISOString();
}
