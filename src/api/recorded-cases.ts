import { readers } from '../config/load-config.ts';
import type { Dataset, DatasetRow } from '../datasets/dataset.ts';
import type { FieldMapping, FieldOverrides } from '../datasets/field-mapping.ts';
import { openDataset } from '../datasets/open-dataset.ts';
import { formatPlace, type Place } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { shorten } from '../lib/text/terminal-text.ts';
import { holdsReply } from '../targets/replay/read-recorded-reply.ts';
import { readRecordings, type RecordedValue } from '../targets/replay/read-recordings.ts';
import {
  answerColumns,
  type RecordAliases,
  taskColumns,
  verdictColumns,
} from '../targets/replay/record-aliases.ts';
import { readRecordedRow, type RecordedRow } from '../targets/replay/recorded-row.ts';
import { RecordingIndex } from '../targets/replay/recording-index.ts';

/** Opens the cases that a file of recorded answers holds beside the answers. */
export async function openRecordedCases(
  file: string,
  { fields, ...options }: CaseOptions & { readonly fields: FieldOverrides },
): Promise<Dataset> {
  const prepare = recordedCases(options);
  return await openDataset({ paths: [file], folder: process.cwd(), readers, fields, prepare });
}

/** What is known of the columns of a file of recorded answers. */
export interface CaseOptions {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
  /** Columns that belong to the answers and not to the cases. */
  readonly recorded: readonly string[];
}

/**
 * The cases in a file of recorded answers: of each row what was asked and what was expected, of the rows that are attempts
 * at the same case the first. A row that expects something else than the first has a problem that names both.
 */
function recordedCases(options: CaseOptions): (rows: AsyncIterable<DatasetRow>) => AsyncIterable<DatasetRow> {
  const columns = new Set([...answerColumns(options.aliases), ...options.recorded, ...taskColumns]);
  return async function* prepare(rows) {
    const cases = new Map<string, KnownCase>();
    for await (const read of readRecordings(rows, options)) {
      if (read.problem !== undefined) {
        yield read;
        continue;
      }
      const { ids, question = '' } = readRecordedRow(read, options.aliases);
      const row = { ...read, value: caseIn(read.value, { columns, id: ids[0], options }) };
      const known = cases.get(ids[0] ?? question);
      if (known === undefined) {
        cases.set(ids[0] ?? question, { place: row.place, parts: partsOf(row, options.mapping) });
        yield row;
      } else {
        const problem = findDifference(known, row, options.mapping);
        if (problem !== undefined) yield { ...row, problem };
      }
    }
  };
}

interface KnownCase {
  readonly place: Place;
  /** The hash of each part of the case that its attempts have to agree on, by its column. */
  readonly parts: ReadonlyMap<string, string>;
}

function caseIn(
  value: RecordedValue['value'],
  { columns, id, options }: { columns: ReadonlySet<string>; id: string | undefined; options: CaseOptions },
): Record<string, unknown> {
  const isPart = (name: string) =>
    !columns.has(name) && (id === undefined || !options.aliases.id.includes(name));
  const parts = Object.entries(value).filter(([name]) => isPart(name));
  return Object.fromEntries(id === undefined ? parts : [['id', id], ...parts]);
}

/** What is expected, and what is asked unless it was taken out of the conversation that was recorded. */
function partsOf({ value, isQuestionDerived }: RecordedValue, mapping: FieldMapping): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [name, cell] of Object.entries(value)) {
    const target = mapping.targetOf(name);
    if (!target || ['id', 'tags', 'cluster', 'metadata'].includes(target.field)) continue;
    if (target.field !== 'input' || !isQuestionDerived) parts.set(name, hashCell(cell));
  }
  return parts;
}

function findDifference(
  { place, parts }: KnownCase,
  row: DatasetRow & RecordedValue,
  mapping: FieldMapping,
): DatasetRow['problem'] {
  const own = partsOf(row, mapping);
  const differing = [...new Set([...parts.keys(), ...own.keys()])].find(
    (name) => parts.get(name) !== own.get(name),
  );
  if (differing === undefined) return undefined;
  const id = shorten(String((row.value as { id?: unknown }).id ?? ''), 60);
  const named = id === '' ? 'of the same question' : `of the case "${id}"`;
  return {
    place: row.place,
    message: `\`${shorten(differing, 40)}\` is not what it is at ${formatPlace(place)}, which is another attempt ${named}`,
    remedy:
      'Give all attempts at a case the same question and expectations, or give each case an id of its own; say which column holds it with `dataset: { fields: { my_column: id } }` in a config.',
  };
}

/** What is known of the columns before a file is looked at. */
interface SurveyOptions {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
  /** Columns that are kept beside the answers, whatever is in them. */
  readonly kept: readonly string[];
}

/** What a file of recorded answers turned out to hold. */
export interface Survey {
  /** The answers of each target; the one target without a name in files that know nothing of targets. */
  readonly indexes: ReadonlyMap<string, RecordingIndex>;
  /** Columns that belong to the answers: verdicts on them, and whatever differs between attempts at the same case. */
  readonly recorded: readonly string[];
  /** The column with a verdict on every answer that there is. */
  readonly verdict: string | undefined;
  /** Whether anything is expected of any of the answers. */
  readonly hasExpectations: boolean;
  /** What is worth saying before anything is scored. */
  readonly notices: readonly string[];
}

/** Reads a file of recorded answers once, for what is to be known of all of it. Throws `target-invalid`. */
export async function surveyRecording(
  rows: AsyncIterable<DatasetRow>,
  options: SurveyOptions,
): Promise<Survey> {
  const { aliases, kept } = options;
  const indexes = new Map<string, RecordingIndex>();
  const recorded = new Set(kept);
  const columns = new ColumnWatch(options, recorded);
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  let hasExpectations = false;
  for await (const read of readRecordings(rows, { aliases, onNotice })) {
    if (read.problem !== undefined) continue;
    const row = readRecordedRow(read, aliases);
    for (const name of verdictColumns) if (name in row.value) recorded.add(name);
    columns.watch(row);
    hasExpectations ||= expectsSomething(row, options);
    if (!holdsReply(row.value, aliases)) continue;
    const target = row.target ?? '';
    const index = indexes.get(target) ?? new RecordingIndex();
    indexes.set(target, index);
    index.add(row, 0);
  }
  const verdict = recorded.has('reward') ? 'reward' : undefined;
  return { indexes, recorded: [...recorded], verdict, hasExpectations, notices };
}

function expectsSomething({ value }: RecordedRow, { aliases, mapping }: SurveyOptions): boolean {
  const answers = answerColumns(aliases);
  return Object.entries(value).some(([name, cell]) => {
    const target = mapping.targetOf(name);
    if (!target || !target.field.startsWith('expected') || answers.includes(name)) return false;
    return typeof cell === 'object' ? Object.keys(cell ?? {}).length > 0 : cell !== undefined && cell !== '';
  });
}

/** Finds the columns that do not say the same in all attempts at a case: they are about the answer, not about the case. */
class ColumnWatch {
  readonly #options: SurveyOptions;
  readonly #differing: Set<string>;
  readonly #first = new Map<string, Map<string, string>>();

  constructor(options: SurveyOptions, differing: Set<string>) {
    this.#options = options;
    this.#differing = differing;
  }

  watch({ ids, question = '', value }: RecordedRow): void {
    const known = knownColumns(this.#options);
    const hashes = new Map<string, string>();
    for (const [name, cell] of Object.entries(value)) {
      if (!known(name) && !this.#differing.has(name)) hashes.set(name, hashCell(cell));
    }
    const key = ids[0] ?? question;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, hashes);
    else for (const name of new Set([...first.keys(), ...hashes.keys()])) this.#compare(name, first, hashes);
  }

  #compare(name: string, first: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void {
    if (first.get(name) !== other.get(name)) this.#differing.add(name);
  }
}

/** The columns of which it is known what they hold: a part of a case, a part of an answer, or how both are found. */
function knownColumns({
  aliases,
  mapping,
}: {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}): (name: string) => boolean {
  const columns = new Set([...answerColumns(aliases), ...aliases.id, ...aliases.question, ...taskColumns]);
  return (name) => columns.has(name) || mapping.targetOf(name) !== undefined;
}

/** A hash of what a column holds; the same one for all that cannot be hashed: the check of the case says what it is. */
function hashCell(cell: unknown): string {
  try {
    return hashContent(cell ?? null);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return '';
    throw error;
  }
}
