import { dirname } from 'node:path';
import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import {
  type CaseDraft,
  type Dataset,
  type DatasetReader,
  type DatasetRow,
  explainForeign,
  type FileHead,
  type ForeignFile,
  ForeignFileError,
  type TextSource,
} from './dataset.ts';
import { createAttachmentReader } from './attachments/read-attachments.ts';
import { draftCase } from './draft-case.ts';
import { createFieldMapping, type FieldMapping, type FieldOverrides } from './field-mapping.ts';
import { isFields } from './fields.ts';
import { findPlacedChoice } from './foreign-checks.ts';
import { baseShownBy, type ChoiceBase, type PlacedChoice } from './forms/choices.ts';
import { expandRow } from './forms/expand-row.ts';
import {
  fileSource,
  findFiles,
  type FoundFile,
  readBytes,
  standardInput,
  streamSource,
} from './file-source.ts';
import { firstLine, peekText } from './peek-text.ts';

/** Options of {@link readRows}. */
export interface OpenRowsOptions {
  /** The format of all files, whatever their names. */
  readonly format?: string;
  /** The folder to which paths are relative. */
  readonly folder: string;
  /** The name of what is read, in records and messages, in place of the names of its files. */
  readonly name?: string;
  readonly readers: readonly DatasetReader[];
  /** The stream for `-`; the process's own standard input by default. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Returns what a file is that cannot be read as a dataset, when another tool wrote it. */
  readonly recognize?: (paths: readonly string[], folder: string) => Promise<ForeignFile | undefined>;
}

/** Options of {@link openDataset}: the files of the golden set and the mapping of their fields. */
export interface OpenDatasetOptions extends OpenRowsOptions {
  /** Files and globs; `-` is standard input. */
  readonly paths: readonly string[];
  readonly fields?: FieldOverrides;
  /** True to fetch pictures and other files also from addresses of one's own network. */
  readonly allowPrivate?: boolean;
  /** Transforms the rows of a file before their fields are mapped; may change them, or leave some out. */
  readonly prepare?: (rows: AsyncIterable<DatasetRow>) => AsyncIterable<DatasetRow>;
  /**
   * Returns what a file is that contains the answers of another tool and not questions to ask. It is not asked where `fields` says
   * which column is the question.
   */
  readonly recognizeRecorded?: (head: FileHead) => Promise<ForeignFile | undefined>;
}

interface OpenedFile {
  /** The path of the file; undefined for standard input. */
  readonly path: string | undefined;
  readonly source: TextSource;
  readonly reader: DatasetReader;
}

/**
 * Opens a golden set. Throws `TouchstoneError` for files that do not exist, cannot be read or have a format that no
 * reader knows; their content is checked while it is read.
 */
export async function openDataset(options: OpenDatasetOptions): Promise<Dataset> {
  const mapping = createFieldMapping(options.fields);
  const { paths, folder } = options;
  const recognize = async () => await options.recognize?.(paths, folder);
  const files = await openFiles(paths, options).catch(async (error: unknown) => {
    throw await explainForeign(error, recognize);
  });
  const fields = Object.values(options.fields ?? {});
  const isNamed = fields.includes('question') || fields.includes('input');
  const refuses = isNamed ? undefined : options.recognizeRecorded;
  const drafts = () => readDrafts(files, mapping, { ...options, recognizeRecorded: refuses });
  const sources = files.map(({ source }) => source.name);
  const own = { sources, isReadOnce: files.some(({ source }) => source.isReadOnce), drafts, recognize };
  // Prepared rows have other columns than the file.
  if (options.prepare !== undefined) return own;
  return { ...own, findUnused: () => describeUnused(mapping.unused(), sources) };
}

/** Warns about mapped columns that no row has: they are likely a typing error that would leave cases unchecked. */
function describeUnused(
  names: readonly string[],
  sources: readonly string[],
): readonly { readonly message: string; readonly remedy: string }[] {
  return names.map((name) => ({
    message: `${sources.join(', ')}: no row has the field "${name}" that \`dataset.fields\` maps`,
    remedy: 'Name a field that the rows have, such as `column` or `outer.inner`.',
  }));
}

/** Reads the rows of a data file without mapping their fields. Throws at the first that cannot be read. */
export async function* readRows(
  options: OpenRowsOptions & { readonly path: string },
): AsyncGenerator<DatasetRow> {
  for await (const row of readAllRows(options)) {
    if (row.problem !== undefined) {
      const { place, message, remedy } = row.problem;
      throw new TouchstoneError(
        'dataset-invalid',
        `${formatPlace(place)}: ${message}`,
        remedy ? { remedy } : {},
      );
    }
    yield row;
  }
}

/** Reads the rows of a data file without mapping their fields, including those with a problem. */
export async function* readAllRows(
  options: OpenRowsOptions & { readonly path: string },
): AsyncGenerator<DatasetRow> {
  for (const { source, reader } of await openFiles([options.path], options)) yield* reader.read(source);
}

/** Reads the beginning of a data file. */
export async function readHead(options: OpenRowsOptions & { readonly path: string }): Promise<FileHead> {
  const [file] = await openFiles([options.path], options);
  const head: DatasetRow[] = [];
  for await (const row of file?.reader.read(file.source) ?? []) if (head.push(row) === headRows) break;
  return headOf(head, file);
}

function headOf(head: readonly DatasetRow[], file: OpenedFile | undefined): FileHead {
  const rows = head.filter(({ problem }) => problem === undefined).map(({ value }) => value);
  const { whole } = head[0] ?? {};
  const hasTextCells = file?.reader.hasTextCells ?? false;
  return { path: file?.path, rows, hasTextCells, ...(whole !== undefined && { whole }) };
}

type DraftOptions = Pick<OpenDatasetOptions, 'prepare' | 'recognizeRecorded' | 'folder' | 'allowPrivate'>;

async function* readDrafts(
  files: readonly OpenedFile[],
  mapping: FieldMapping,
  { prepare = (rows) => rows, recognizeRecorded, ...places }: DraftOptions,
): AsyncGenerator<CaseDraft> {
  for (const file of files) {
    const { source, reader } = file;
    const folder = file.path === undefined ? places.folder : dirname(file.path);
    const readAttachments = createAttachmentReader({ ...places, folder, configFolder: places.folder });
    const hasTextCells = reader.hasTextCells ?? false;
    let choices: { readonly base: ChoiceBase } | undefined;
    for await (const group of prepare(refuseRecorded(file, recognizeRecorded))) {
      for (const row of expandRow(group)) {
        if (choices === undefined && placedChoiceIn(row, mapping) !== undefined) {
          const again = source.isReadOnce === true ? [] : prepare(reader.read(source));
          choices = { base: await findChoiceBase(again, mapping) };
        }
        yield await readAttachments(draftCase(row, { mapping, hasTextCells, base: choices?.base }));
      }
    }
  }
}

/** The number of rows by which the tool that wrote a file is recognised. */
const headRows = 10;

/** Reads the rows of a file. Throws `dataset-invalid` when they are answers that another tool recorded. */
async function* refuseRecorded(
  file: OpenedFile,
  recognize: OpenDatasetOptions['recognizeRecorded'],
): AsyncGenerator<DatasetRow> {
  const head: DatasetRow[] = [];
  const check = async () => {
    const found = await recognize?.(headOf(head, file));
    if (found !== undefined) throw new ForeignFileError(found);
  };
  for await (const row of file.reader.read(file.source)) {
    if (recognize === undefined || head.length === headRows) {
      yield row;
      continue;
    }
    head.push(row);
    if (head.length < headRows) continue;
    await check();
    yield* head;
  }
  if (head.length > 0 && head.length < headRows) {
    await check();
    yield* head;
  }
}

function placedChoiceIn({ value }: DatasetRow, mapping: FieldMapping): PlacedChoice | undefined {
  return isFields(value) ? findPlacedChoice(value, mapping) : undefined;
}

/** Finds out from which number a file counts the choices of its questions, as its first row that shows it does. */
async function findChoiceBase(
  rows: AsyncIterable<DatasetRow> | readonly DatasetRow[],
  mapping: FieldMapping,
): Promise<ChoiceBase> {
  for await (const group of rows) {
    for (const row of expandRow(group)) {
      const placed = placedChoiceIn(row, mapping);
      const base = placed && baseShownBy(placed);
      if (base !== undefined) return base;
    }
  }
  return undefined;
}

async function openFiles(paths: readonly string[], options: OpenRowsOptions): Promise<OpenedFile[]> {
  const files = await findFiles(paths, options.folder);
  const opened: OpenedFile[] = [];
  for (const file of files) opened.push(await (file.isStream ? openStream : openFile)(file, options));
  return opened;
}

async function openFile(file: FoundFile, options: OpenRowsOptions): Promise<OpenedFile> {
  const source = fileSource(file.path, options.name ?? file.name);
  const binary = binaryReaderOf(file.name, options);
  if (binary !== undefined) return { path: file.path, source, reader: binary };
  // Reading the first line shows early that a file is not text or may not be read.
  const text = await peekText(source.read(), firstLine());
  await text.close();
  return { path: file.path, source, reader: readerOf(file.name, text.head, options) };
}

async function openStream(file: FoundFile, options: OpenRowsOptions): Promise<OpenedFile> {
  const isInput = file.path === standardInput;
  const bytes = isInput ? (options.stdin ?? process.stdin) : readBytes(file.path, file.name);
  const { source, text } = await streamSource(bytes, file.name);
  try {
    const reader = readerOf(file.name, text.head, options);
    return { path: isInput ? undefined : file.path, source, reader };
  } catch (error) {
    await text.close();
    throw error;
  }
}

function binaryReaderOf(name: string, { format, readers }: OpenRowsOptions): DatasetReader | undefined {
  const reader =
    format === undefined ? readerByName(name, readers) : readers.find((each) => each.name === format);
  return reader?.isBinary === true ? reader : undefined;
}

function readerOf(name: string, head: string, { format, readers }: OpenRowsOptions): DatasetReader {
  if (format !== undefined) return readerByFormat(format, readers);
  const recognized = readers.find((reader) => reader.recognizes?.(head, name) === true);
  return recognized ?? readerByName(name, readers) ?? readerByContent(head, name, readers);
}

/** Returns the reader for the ending of a file's name. */
function readerByName(name: string, readers: readonly DatasetReader[]): DatasetReader | undefined {
  const lower = name.toLowerCase();
  return readers.find(({ extensions }) => extensions.some((extension) => lower.endsWith(extension)));
}

/** Returns the reader of a format that a config names. Throws `dataset-format` when there is none. */
function readerByFormat(format: string, readers: readonly DatasetReader[]): DatasetReader {
  const reader = readers.find(({ name }) => name === format);
  if (reader !== undefined) return reader;
  throw new TouchstoneError('dataset-format', `"${format}" is not a format of datasets`, {
    remedy: `Use one of ${formatNames(readers)}.`,
  });
}

/** Guesses the reader from the beginning of a text. Throws `dataset-format` when no reader fits. */
function readerByContent(head: string, name: string, readers: readonly DatasetReader[]): DatasetReader {
  const format = guessFormat(head.trimStart().split('\n', 1)[0]?.trimEnd() ?? '');
  if (format !== undefined) return readerByFormat(format, readers);
  throw new TouchstoneError(
    'dataset-format',
    `${name}: neither the name nor the first line shows the format`,
    {
      remedy: `Pass \`--dataset-format\` with one of ${formatNames(readers)}.`,
    },
  );
}

/** Lists the formats that a user can choose: those that are recognized by more than their content. */
function formatNames(readers: readonly DatasetReader[]): string {
  return readers
    .filter(({ extensions }) => extensions.length > 0)
    .map(({ name }) => name)
    .join(', ');
}

function guessFormat(line: string): string | undefined {
  if (line.startsWith('[')) return 'json';
  // An object that continues in the next line is not JSON Lines.
  if (line.startsWith('{')) return /^\{$|[{[,]$/.test(line) ? 'json' : 'jsonl';
  if (/^(---|- |[\w-]+: |[\w-]+:$)/.test(line)) return 'yaml';
  if (line === '' || line.includes(',')) return 'csv';
  const { targetOf } = createFieldMapping();
  return line.split(/[;\t]/).some((cell) => targetOf(cell.replace(/^"|"$/g, ''))) ? 'csv' : undefined;
}
