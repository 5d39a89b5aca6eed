import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseDocument, visit } from 'yaml';
import { readCsvRecord } from '../../../evaluate/datasets/read-csv-record.ts';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { unpackNumbers } from '../../../core/lib/json/pack-numbers.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { packYamlNumbers } from '../../../core/lib/json/yaml-numbers.ts';
import { importUserFile } from '../../../core/lib/user-code/user-files.ts';
import { anyAliases, boundedYaml } from '../../../core/lib/yaml/bounded-yaml.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import {
  type CellTable,
  functionMark,
  type ImportContent,
  type NearbyFiles,
  type RowTable,
} from './content.ts';
import { isDeeper, parseJsonWithNaN } from './read-json-with-nan.ts';
import { decode, invalid, limits, listFiles, nearbyFiles, readBytes, unpacked } from './nearby-files.ts';
import { isZip, readBinaryTable } from './read-binary-table.ts';
import { readZip } from './read-zip.ts';

/** Options of opening a file or a folder. */
export interface OpenOptions {
  /** True to run a file that is code itself. */
  readonly isTrusted?: boolean;
  /** The folder that paths in the file may lead to, such as the one above it; the folder of the file by default. */
  readonly root?: string;
}

/**
 * Opens a file or a folder for importers and parses it by its content: JSON (with `NaN`), JSON Lines, YAML, CSV, zip; gzip is
 * unpacked. Code is not run, unless the file itself is code that the user trusts: tags of YAML that stand for code are texts.
 * Throws `import-invalid`.
 */
export async function openContent(
  given: string,
  { isTrusted = false, root }: OpenOptions = {},
): Promise<ImportContent> {
  const full = path.resolve(given);
  const nearby = (folder: string) => nearbyFiles(folder, root);
  const name = displayPath(full);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (stats === undefined) throw invalid(name, 'there is no such file or folder');
  if (stats.isDirectory()) return await openFolder(full, name, nearby(full));
  if (!stats.isFile()) throw invalid(name, 'it is neither a file nor a folder');
  const bytes = unpacked(readBytes(full, name), name);
  const base = { name, path: full, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
  if (/\.[cm]?[jt]s$/i.test(name)) {
    if (!isTrusted) throw notTrusted(name);
    return {
      ...base,
      form: 'yaml',
      value: await runCode(full, name),
      files: nearby(path.dirname(full)),
    };
  }
  const table = await readBinaryTable(bytes, name);
  if (table !== undefined) return { ...base, ...table };
  if (isZip(bytes)) return { ...base, form: 'zip', entries: readZip(bytes) };
  const text = decode(bytes, name);
  const parsed = parseText(text, name);
  const files = nearby(path.dirname(full));
  if (parsed?.form === 'json') return { ...base, ...parsed, files };
  if (parsed !== undefined) return { ...base, ...parsed };
  if (!isYaml(text, name)) return { ...base, form: 'text', text };
  return { ...base, form: 'yaml', value: parseYaml(text, name), files };
}

function notTrusted(name: string): TouchstoneError {
  const remedy =
    'Let the other tool write it as YAML or JSON. If you know what the file does, `--trust` runs it and imports what it exports.';
  return new TouchstoneError('import-invalid', `${name}: it is code, and code is not run.`, { remedy });
}

/** Runs a module, and returns what it exports, or what the function that it exports returns, as data: functions become their text behind a mark. */
async function runCode(full: string, name: string): Promise<unknown> {
  try {
    const { default: exported } = await importUserFile(full);
    const value: unknown = typeof exported === 'function' ? await exported() : exported;
    const text = JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'function' ? `${functionMark}${String(part)}` : part,
    );
    return parseJson(text ?? 'null');
  } catch (error) {
    throw invalid(name, `it ended with an error: ${messageOf(error)}`, error);
  }
}

/** Parses the text of a file next to an imported one by its form: JSON, JSON Lines, CSV or YAML. Throws `import-invalid`. */
export function parseNearby(
  text: string,
  name: string,
): Parsed | { readonly form: 'yaml'; readonly value: unknown } {
  return parseText(text, name) ?? { form: 'yaml', value: parseYaml(text, name) };
}

async function openFolder(full: string, name: string, files: NearbyFiles): Promise<ImportContent> {
  const names = listFiles(full, name);
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
  const tables = await readTables(full, names);
  return { form: 'folder', name, path: full, hash, names, files, tables };
}

type FolderTables = Extract<ImportContent, { form: 'folder' }>['tables'];

/** Reads the tables of a folder that are no text. */
async function readTables(folder: string, names: readonly string[]): Promise<FolderTables> {
  const tables = new Map<string, RowTable | CellTable | TouchstoneError>();
  let bytes = 0;
  for (const name of names.filter((each) => /\.(?:parquet|xlsx)$/i.test(each))) {
    const full = path.join(folder, name);
    bytes += statSync(full).size;
    try {
      if (bytes > limits.fileBytes)
        throw invalid(
          name,
          `the tables of the folder have more than ${limits.fileBytes / 2 ** 20} MB in all`,
        );
      const table = await readBinaryTable(readBytes(full, name), name);
      tables.set(name, table ?? invalid(name, 'it is neither Parquet nor an Excel workbook'));
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      tables.set(name, error);
    }
  }
  return tables;
}

type Parsed = { readonly form: 'json'; readonly value: unknown } | RowTable | CellTable;

/** Parses a text by its beginning; undefined for what can only be YAML. */
function parseText(text: string, name: string): Parsed | undefined {
  const isCsv = /\.(?:csv|tsv)$/i.test(name);
  if (isCsv) return parseCsv(text, name);
  if (!/^\s*[{[]/.test(text)) return undefined;
  if (isDeeper(text, limits.depth)) throw invalid(name, `it is nested more than ${limits.depth} levels deep`);
  try {
    return { form: 'json', value: parseJsonWithNaN(text) };
  } catch (error) {
    const lines = text.split('\n');
    if (!isJsonLine(lines[0] ?? '')) {
      // YAML of the flow style begins with a brace, too; what is named JSON is none.
      if (/\.jsonl?$/i.test(name)) throw invalid(name, `it is no JSON: ${messageOf(error)}`, error);
      return undefined;
    }
    return { form: 'jsonl', rows: lines.flatMap((line, index) => parseLine(line, `${name}:${index + 1}`)) };
  }
}

function isJsonLine(line: string): boolean {
  try {
    parseJsonWithNaN(line);
    return true;
  } catch {
    return false;
  }
}

function parseLine(line: string, place: string): unknown[] {
  if (line.trim() === '') return [];
  try {
    return [parseJsonWithNaN(line)];
  } catch (error) {
    throw invalid(place, `the line is no JSON: ${messageOf(error)}`, error);
  }
}

function parseCsv(text: string, name: string): Parsed {
  const head = text.split('\n', 1)[0] ?? '';
  const delimiter = [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
  const csv = { text, delimiter: delimiter.charCodeAt(0), isWhole: true };
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const record = readCsvRecord(csv, at);
    if (record === undefined || !('cells' in record)) {
      const line = text.slice(0, record?.offset ?? at).split('\n').length;
      throw invalid(`${name}:${line}`, record?.message ?? 'a quotation mark is not closed');
    }
    if (record.cells.some((cell) => cell !== '')) rows.push(record.cells);
    at = record.end;
  }
  const [header = [], ...rest] = rows;
  return { form: 'csv', header, rows: rest };
}

/** Returns whether a text is YAML by its name, or begins with a key, an item of a list, a comment or a mark of YAML. */
function isYaml(text: string, name: string): boolean {
  return (
    /\.ya?ml$/i.test(name) ||
    /^\s*(?:["']?[\w .$-]+["']?\s*:(?:\s|$)|- |#|---|%YAML|[[{])/.test(text.slice(0, 2000))
  );
}

function parseYaml(text: string, name: string): unknown {
  if (text.length > limits.yamlCharacters)
    throw invalid(
      name,
      `it is larger than ${limits.yamlCharacters / 2 ** 20} MB, which is the most for YAML`,
    );
  const document = parseDocument(text, { merge: true, prettyErrors: true, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault?.message.includes('call stack') === true) throw invalid(name, 'it is nested too deeply');
  if (fault !== undefined) throw invalid(name, fault.message.split('\n')[0] ?? 'it is no YAML');
  try {
    const isPacked = packYamlNumbers({ visit }, document);
    const value: unknown = boundedYaml(document.toJS(anyAliases));
    return isPacked ? unpackNumbers(value) : value;
  } catch (error) {
    throw invalid(name, messageOf(error), error);
  }
}
