import type { TouchstoneError } from '../../../core/errors.ts';
import type { ParquetLoss } from '../../../evaluate/datasets/parquet.ts';

/** A table of rows that are objects: JSON Lines, and the rows of Parquet. */
export interface RowTable {
  readonly form: 'jsonl';
  readonly rows: readonly unknown[];
  /** The values that JSON does not have, by their kind. */
  readonly losses?: ReadonlyMap<ParquetLoss, number>;
}

/** A table of text cells in the order of its header, in which names may repeat: CSV, and the first sheet of an Excel workbook. */
export interface CellTable {
  readonly form: 'csv';
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The names of the other sheets of the workbook, which are not read. */
  readonly otherSheets?: readonly string[];
}

/** The beginning of the text of a function in a configuration that is code itself and was run. */
export const functionMark = 'function in the configuration: ';

/** A file or a folder as importers see it: parsed as far as its form is known, never run. */
export type ImportContent = { readonly name: string; readonly path: string; readonly hash: string } & (
  | { readonly form: 'json'; readonly value: unknown; readonly files: NearbyFiles }
  | RowTable
  | { readonly form: 'yaml'; readonly value: unknown; readonly files: NearbyFiles }
  | CellTable
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'zip'; readonly entries: ReadonlyMap<string, () => Uint8Array> }
  | {
      readonly form: 'folder';
      readonly names: readonly string[];
      readonly files: NearbyFiles;
      /** The tables in it that are no text, by their names: Parquet, Excel. An error says why one cannot be read. */
      readonly tables: ReadonlyMap<string, RowTable | CellTable | TouchstoneError>;
      /** The files in it that are no export of the tool that is imported; none when they were not looked at. */
      readonly besides?: readonly FileBeside[];
    }
);

/** A file of an imported folder that is of another tool, or of none. */
export interface FileBeside {
  /** The path from where the user is. */
  readonly file: string;
  /** The tool that wrote it: its title, and its name after `--from`; absent for a file that no importer recognises. */
  readonly tool?: { readonly title: string; readonly name: string };
}

/** The files next to an imported one. A path that leads out of the folder is refused. */
export interface NearbyFiles {
  /** Returns the text of a file. Throws `import-invalid` when it is outside the folder, missing or too large. */
  read(relative: string): string;
  /** Returns the bytes of a file, as {@link read} returns its text. */
  readBytes(relative: string): Uint8Array;
  /** Lists the files of the folder and the folders in it by their paths. Throws `import-invalid` when they are too many. */
  list(): readonly string[];
}
