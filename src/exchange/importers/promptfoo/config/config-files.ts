import path from 'node:path';
import { parseNearby } from '../../content/open-content.ts';
import type { NearbyFiles } from '../../content/content.ts';
import { messageOf } from '../../../../core/errors.ts';

/** The content of a file that a config names: a text, or what a file of data contains. */
export interface ReadFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a config. What cannot or must not be read is a text with the reason. */
export class ConfigFiles {
  readonly #files: NearbyFiles;

  constructor(files: NearbyFiles) {
    this.#files = files;
  }

  /** Returns the text of a file; a text is the reason why it is not read. */
  read(reference: string): ReadFile | string {
    const name = plainPath(reference);
    const refused = refusalOf(name);
    if (refused !== undefined) return refused;
    try {
      return { name, text: this.#files.read(name) };
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Returns the data in a JSON or YAML file, and the text of any other. */
  readData(reference: string): { readonly content: unknown } | string {
    const read = this.read(reference);
    if (typeof read === 'string') return read;
    if (!/\.(?:json|ya?ml)$/i.test(read.name)) return { content: read.text.trim() };
    return parsed(read, (found) => ('value' in found ? { content: found.value } : 'it has another form'));
  }

  /** Returns the rows of a file of tests: CSV with its header, JSON, JSON Lines or YAML. */
  readRows(reference: string): RowsOfFile | string {
    const read = this.read(reference);
    if (typeof read === 'string') return read;
    return parsed(read, (found): RowsOfFile => {
      if (found.form === 'csv') return { header: found.header, cells: found.rows };
      return {
        rows: found.form === 'jsonl' ? found.rows : Array.isArray(found.value) ? found.value : [found.value],
      };
    });
  }

  /** Returns the names of the files that a reference with `*` means; the name itself without one. */
  match(reference: string): readonly string[] {
    const name = plainPath(reference);
    if (!/[*?]/.test(name)) return [name];
    return this.#files.list().filter((file) => path.matchesGlob(file, path.normalize(name)));
  }
}

/** The rows of a file of tests; a table has its cells in the order of its header. */
export type RowsOfFile =
  | { readonly rows: readonly unknown[] }
  | { readonly header: readonly string[]; readonly cells: readonly (readonly string[])[] };

function parsed<Result>(
  { name, text }: ReadFile,
  use: (found: ReturnType<typeof parseNearby>) => Result | string,
): Result | string {
  try {
    return use(parseNearby(text, name));
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the path in a reference such as `file://./tests.csv`. */
function plainPath(reference: string): string {
  return reference.replace(/^file:\/\//, '').replace(/^\.\//, '');
}

function refusalOf(name: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(name))
    return 'It is not in the folder of the config, and nothing is fetched.';
  if (isCode(name)) return 'It is code, which is never run.';
  return undefined;
}

/** Returns whether a reference names code, perhaps with the name of a function after a colon. */
export function isCode(reference: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|sh|go)(?::\w+)?$/i.test(reference);
}
