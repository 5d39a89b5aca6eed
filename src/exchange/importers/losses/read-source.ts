import { parseJsonWithNaN } from '../content/read-json-with-nan.ts';
import { rowsOf } from '../content/rows.ts';
import { parseNearby } from '../content/open-content.ts';
import type { ImportContent, NearbyFiles } from '../content/content.ts';
import { isZip } from '../content/read-binary-table.ts';
import { readZip } from '../content/read-zip.ts';
import type { SourcePart } from './find-losses.ts';
import { TouchstoneError } from '../../../core/errors.ts';

/** A file or a folder whose files are counted as they are read. */
export interface WatchedContent {
  readonly content: ImportContent;
  /** Yields what the importer could read: each parsed file with its name, which is empty for the imported one itself. */
  readParts(): Generator<SourcePart>;
}

/** Notes which of the files next to an imported one an importer reads. */
export function watchReads(content: ImportContent): WatchedContent {
  if (!('files' in content)) return { content, readParts: () => partsOf(content, []) };
  const read = new Set<string>();
  const { files } = content;
  const noted =
    <Content>(open: (relative: string) => Content) =>
    (relative: string) => {
      const opened = open(relative);
      read.add(relative);
      return opened;
    };
  const watched: NearbyFiles = { ...files, read: noted(files.read), readBytes: noted(files.readBytes) };
  return { content: { ...content, files: watched }, readParts: () => partsOf(content, read) };
}

/** Copies that Inspect writes beside its samples, for programs that read a part of the archive. */
const copies = /^(?:_journal\/|summaries\.json$)/;

function* partsOf(content: ImportContent, read: Iterable<string>): ReturnType<WatchedContent['readParts']> {
  const { form } = content;
  if (form === 'json' || form === 'yaml') yield { file: '', value: content.value };
  if (form === 'jsonl' || form === 'csv') yield { file: '', value: rowsOf(content) ?? content.rows };
  if (form === 'zip') yield* entriesOf(content.entries);
  if (form === 'folder') {
    for (const [file, table] of content.tables)
      if (!(table instanceof TouchstoneError)) yield { file, value: rowsOf(table) ?? [] };
  }
  if (!('files' in content)) return;
  for (const file of read) {
    const bytes = content.files.readBytes(file);
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!isZip(view)) yield { file, ...readPart(content.files, file) };
    else for (const part of entriesOf(readZip(view))) yield { ...part, file: `${file}: ${part.file}` };
  }
}

/** Yields the files of an archive that are JSON. */
function* entriesOf(entries: ReadonlyMap<string, () => Uint8Array>): Generator<SourcePart> {
  for (const [file, unpack] of entries) {
    if (!file.endsWith('.json') || copies.test(file)) continue;
    yield { file, value: parseJsonWithNaN(new TextDecoder().decode(unpack())) };
  }
}

/** The endings of files whose text is data; a prompt is a text. */
const endings = /\.(?:jsonl?|ndjson|csv|tsv|ya?ml)(?:\.gz)?$/i;

function readPart(files: NearbyFiles, file: string): Omit<SourcePart, 'file'> {
  try {
    const parsed = parseNearby(files.read(file), file.replace(/\.gz$/i, ''));
    if (parsed.form === 'csv' || parsed.form === 'jsonl') return { value: rowsOf(parsed) ?? parsed.rows };
    return { value: parsed.value };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return endings.test(file) ? { value: undefined, fault: error.message } : { value: files.read(file) };
  }
}
