/**
 * A file or a folder as importers see it: parsed as far as its form is known, never run. A table has its cells in the order
 * of its header, in which names may repeat.
 */
export type ImportContent = { readonly name: string; readonly path: string; readonly hash: string } & (
  | { readonly form: 'json'; readonly value: unknown; readonly files: NearbyFiles }
  | { readonly form: 'jsonl'; readonly rows: readonly unknown[] }
  | { readonly form: 'yaml'; readonly value: unknown; readonly files: NearbyFiles }
  | {
      readonly form: 'csv';
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly form: 'zip'; readonly entries: ReadonlyMap<string, () => Uint8Array> }
  | { readonly form: 'folder'; readonly names: readonly string[]; readonly files: NearbyFiles }
);

/** The files beside an imported one. A path that leads out of the folder is refused. */
export interface NearbyFiles {
  /** Returns the text of a file. Throws `import-invalid` when it is outside the folder, missing or too large. */
  read(relative: string): string;
  /** Lists the files of the folder and the folders in it by their paths. Throws `import-invalid` when they are too many. */
  list(): readonly string[];
}
