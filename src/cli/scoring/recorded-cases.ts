import { formatPlace, type Place } from '../../errors.ts';
import { readers } from '../../config/read-data-file.ts';
import type { Dataset, DatasetRow } from '../../datasets/dataset.ts';
import type { FieldMapping, FieldOverrides } from '../../datasets/field-mapping.ts';
import { openDataset } from '../../datasets/open-dataset.ts';
import { shorten } from '../../lib/terminal-text.ts';
import { answerColumns, type RecordAliases, taskColumns } from '../../targets/replay/record-aliases.ts';
import { type RecordedValue, readRecordings } from '../../targets/replay/read-recordings.ts';
import { readRecordedRow } from '../../targets/replay/recorded-row.ts';
import { hashCell } from './known-columns.ts';

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
