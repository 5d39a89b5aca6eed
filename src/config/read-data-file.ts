import { readRows } from '../datasets/open-dataset.ts';
import * as datasetReaders from '../datasets/registry.ts';

/** Every reader of data files that there is. */
export const readers = Object.values(datasetReaders);

/** Reads the rows of a data file, of any known format or of the one given, relative to a folder. */
export function readDataFile(file: string, folder: string, format?: 'jsonl'): ReturnType<typeof readRows> {
  return readRows({ path: file, folder, format, readers });
}
