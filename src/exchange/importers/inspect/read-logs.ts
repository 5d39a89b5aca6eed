import { TouchstoneError } from '../../../core/errors.ts';
import type { ImportContent } from '../content/content.ts';
import { parseJsonWithNaN } from '../content/read-json-with-nan.ts';
import { isZip } from '../content/read-binary-table.ts';
import { readZip } from '../content/read-zip.ts';
import { asArray, asObject, type Fields } from '../values.ts';

/** A log as it is read from a file. */
export interface InspectLog {
  /** The file in an imported folder; undefined for the imported file itself. */
  readonly place?: string;
  /** Everything but the samples. */
  readonly head: Fields;
  /** Reads the samples, in the order in which they ended. */
  samples(): readonly Fields[];
}

/** The most bytes of the logs of a folder together. */
const mostBytes = 512 * 2 ** 20;

/** The most characters of a log in JSON before its description of the run. */
const headCharacters = 10_000;

/** Returns the logs of a file or of a folder; none for what is no log. Throws `import-invalid` for a damaged one. */
export function readLogs(content: ImportContent): readonly InspectLog[] {
  if (content.form === 'zip') return logsOf(zipLog(content.entries));
  if (content.form === 'json') return logsOf(jsonLog(content.value));
  return content.form === 'folder' ? logsOfFolder(content) : [];
}

function logsOf(log: InspectLog | undefined): InspectLog[] {
  return log === undefined ? [] : [log];
}

function logsOfFolder({ name, names, files }: Extract<ImportContent, { form: 'folder' }>): InspectLog[] {
  let bytes = 0;
  return names.flatMap((place) => {
    if (!/\.(?:eval|json)$/i.test(place)) return [];
    const read = files.readBytes(place);
    const log = logOfBytes(read);
    if (log === undefined) return [];
    bytes += read.length;
    if (bytes > mostBytes) {
      const problem = `the logs of the folder have more than ${mostBytes / 2 ** 20} MB in all`;
      throw new TouchstoneError('import-invalid', `${name}: ${problem}.`);
    }
    return [{ ...log, place }];
  });
}

/** Returns the log in a file of a folder; undefined for another file, and for one that is read by itself with a message. */
function logOfBytes(bytes: Uint8Array): InspectLog | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (isZip(view)) return zipLog(readZip(view));
    if (!/"eval"\s*:\s*\{/.test(view.toString('utf8', 0, headCharacters))) return undefined;
    return jsonLog(parseJsonWithNaN(view.toString('utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TouchstoneError) return undefined;
    throw error;
  }
}

function jsonLog(raw: unknown): InspectLog | undefined {
  const head = asObject(raw);
  const described = asObject(head?.eval);
  if (head === undefined || described?.task === undefined || described.model === undefined) return undefined;
  return { head, samples: () => asArray(head.samples).map((each) => asObject(each) ?? {}) };
}

/** A log in a zip archive. Without a header it was cut off: it has its beginning, and the samples that had ended. */
function zipLog(entries: ReadonlyMap<string, () => Uint8Array>): InspectLog | undefined {
  const header = asObject(entryOf(entries, 'header.json'));
  const start = header === undefined ? asObject(entryOf(entries, '_journal/start.json')) : undefined;
  const head: Fields | undefined = header ?? (start && { ...start, status: 'started' });
  if (asObject(head?.eval)?.task === undefined || head === undefined) return undefined;
  const names = [...entries.keys()].filter((name) => /^samples\/.*\.json$/.test(name));
  return { head, samples: () => names.map((name) => asObject(entryOf(entries, name)) ?? {}) };
}

function entryOf(entries: ReadonlyMap<string, () => Uint8Array>, name: string): unknown {
  const entry = entries.get(name);
  if (entry === undefined) return undefined;
  try {
    return parseJsonWithNaN(new TextDecoder().decode(entry()));
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    const message = `The entry ${JSON.stringify(name.slice(0, 80))} of the log is no JSON: it is damaged.`;
    throw new TouchstoneError('import-invalid', message, { cause: error });
  }
}
