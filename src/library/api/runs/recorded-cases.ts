import { readers } from '../../config/load-config.ts';
import { recognizeFile } from '../../config/recognize-file.ts';
import type { Dataset, DatasetRow } from '../../../evaluate/datasets/dataset.ts';
import type { FieldMapping, FieldOverrides } from '../../../evaluate/datasets/field-mapping.ts';
import { openDataset } from '../../../evaluate/datasets/open-dataset.ts';
import { formatPlace, type Place } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { holdsReply } from '../../../evaluate/targets/replay/read-recorded-reply.ts';
import { readRecordings, type RecordedValue } from '../../../evaluate/targets/replay/read-recordings.ts';
import {
  answerColumns,
  type RecordAliases,
  taskColumns,
  verdictColumns,
} from '../../../evaluate/targets/replay/record-aliases.ts';
import { readRecordedRow, type RecordedRow } from '../../../evaluate/targets/replay/recorded-row.ts';
import { RecordingIndex } from '../../../evaluate/targets/replay/recording-index.ts';

/** Opens the cases that a file of recorded answers contains besides the answers. */
export async function openRecordedCases(
  file: string,
  { fields, ...options }: CaseOptions & { readonly fields: FieldOverrides },
): Promise<Dataset> {
  const prepare = recordedCases(options);
  return await openDataset({
    paths: [file],
    folder: process.cwd(),
    readers,
    fields,
    prepare,
    recognize: recognizeFile,
  });
}

/** The meaning of the columns of a file of recorded answers. */
export interface CaseOptions {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
  /** The columns that belong to the answers and not to the cases. */
  readonly recorded: readonly string[];
}

/**
 * Returns a function that reads the cases from rows of recorded answers: the question and the expectations of each row,
 * once for all attempts at the same case. An attempt whose expectations differ from the expectations of the first attempt gets a
 * problem that names both rows.
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
      // A row without a question is no attempt of another such row: each is reported as lacking one.
      if (ids.length === 0 && question === '') {
        yield row;
        continue;
      }
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

/** A case found in an earlier row. */
interface KnownCase {
  readonly place: Place;
  /** The hash of each part of the case on which its attempts must agree, by column. */
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

/** Hashes the parts of a case by column: the expectations, and the question unless it was taken from the conversation. */
function partsOf({ value, isQuestionDerived }: RecordedValue, mapping: FieldMapping): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [name, cell] of Object.entries(value)) {
    const target = mapping.targetOf(name);
    if (!target || target.isWeak || ['id', 'tags', 'cluster', 'metadata'].includes(target.field)) continue;
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
  const named = id === '' ? 'of the same question' : `of the question "${id}"`;
  return {
    place: row.place,
    message: `\`${shorten(differing, 40)}\` differs from ${formatPlace(place)}, which is another attempt ${named}`,
    remedy:
      'Give all attempts at a question the same text and expectations, or give each question its own id; name its column with `dataset: { fields: { my_column: id } }` in a config.',
  };
}

/** The meaning of the columns as far as it is known before the file is read. */
interface SurveyOptions {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
  /** The columns that are stored with the answers, whatever they contain. */
  readonly kept: readonly string[];
}

/** The survey of a file of recorded answers. */
export interface Survey {
  /** The answers of each target; under the empty name in files that do not name targets. */
  readonly indexes: ReadonlyMap<string, RecordingIndex>;
  /** The columns that belong to the answers: verdicts on them, and all that differ between attempts at the same case. */
  readonly recorded: readonly string[];
  /** The column with a recorded verdict on the answers, if there is one. */
  readonly verdict: string | undefined;
  /** True when at least one row has an expectation. */
  readonly hasExpectations: boolean;
  /** Notes for the user before scoring. */
  readonly notices: readonly string[];
}

/** Surveys a file of recorded answers in one pass. Throws `target-invalid`. */
export async function surveyRecording(
  rows: AsyncIterable<DatasetRow>,
  options: SurveyOptions,
): Promise<Survey> {
  const { aliases, kept } = options;
  const indexes = new Map<string, RecordingIndex>();
  const recorded = new Set(kept);
  const columns = new VaryingColumns(options, recorded);
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  let hasExpectations = false;
  for await (const read of readRecordings(rows, { aliases, onNotice })) {
    if (read.problem !== undefined) continue;
    const row = readRecordedRow(read, aliases);
    for (const name of verdictColumns) if (name in row.value) recorded.add(name);
    columns.add(row);
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
    if (!target || target.isWeak || !target.field.startsWith('expected') || answers.includes(name))
      return false;
    return typeof cell === 'object' ? Object.keys(cell ?? {}).length > 0 : cell !== undefined && cell !== '';
  });
}

/** Finds the columns that differ between attempts at the same case: they belong to the answer, not to the case. */
class VaryingColumns {
  readonly #options: SurveyOptions;
  readonly #differing: Set<string>;
  readonly #first = new Map<string, Map<string, string>>();

  constructor(options: SurveyOptions, differing: Set<string>) {
    this.#options = options;
    this.#differing = differing;
  }

  add({ ids, question = '', value }: RecordedRow): void {
    const known = knownColumns(this.#options);
    const hashes = new Map<string, string>();
    for (const [name, cell] of Object.entries(value)) {
      if (!known(name) && !this.#differing.has(name)) hashes.set(name, hashCell(cell));
    }
    if (ids.length === 0 && question === '') return;
    const key = ids[0] ?? question;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, hashes);
    else for (const name of new Set([...first.keys(), ...hashes.keys()])) this.#compare(name, first, hashes);
  }

  #compare(name: string, first: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void {
    if (first.get(name) !== other.get(name)) this.#differing.add(name);
  }
}

/** Returns a test for columns of known meaning: a part of a case, a part of an answer, or an identifier of either. */
function knownColumns({
  aliases,
  mapping,
}: {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}): (name: string) => boolean {
  const columns = new Set([...answerColumns(aliases), ...aliases.id, ...aliases.question, ...taskColumns]);
  return (name) => {
    const target = mapping.targetOf(name);
    return columns.has(name) || (target !== undefined && !(target && target.isWeak));
  };
}

/** Hashes a cell. All cells that cannot be hashed get the same hash; the check of the case reports them. */
function hashCell(cell: unknown): string {
  try {
    return hashContent(cell ?? null);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return '';
    throw error;
  }
}
