import path from 'node:path';
import type { Dataset } from '../datasets/dataset.ts';
import { openDataset } from '../datasets/open-dataset.ts';
import { TouchstoneError } from '../errors.ts';
import { explainProblems } from './config-problem.ts';
import { findConfig, loadConfig, readers } from './load-config.ts';
import { checkConfig } from './resolve.ts';

/** The golden set that cases are proposed for. */
export interface GoldenSet {
  /** Its name: the file as the user or the config writes it. */
  readonly name: string;
  /** Its cases; null while there is no such file. */
  readonly dataset: Dataset | null;
}

/** The golden set to load. */
export interface GoldenSetChoice {
  /** A file; by default the first one of the config's dataset, and without a config `golden.jsonl`. */
  readonly dataset?: string | undefined;
  /** A config, or its folder; by default the one in the folder, if there is one. */
  readonly config?: string | undefined;
  /** The folder that relative paths start from. */
  readonly folder: string;
}

/** Loads the golden set that cases are proposed for. Throws `TouchstoneError` when it or its config cannot be used. */
export async function loadGoldenSet({ dataset, config, folder }: GoldenSetChoice): Promise<GoldenSet> {
  if (dataset !== undefined) return { name: dataset, dataset: await openOrNull([dataset], folder) };
  const found = await findDataset(config, folder);
  const [name = 'golden.jsonl'] = found.paths;
  const paths = found.paths.length === 0 ? [name] : found.paths;
  return { name, dataset: await openOrNull(paths, found.folder, found.options) };
}

type Options = Pick<Parameters<typeof openDataset>[0], 'fields' | 'format'>;

interface FoundDataset {
  readonly paths: readonly string[];
  readonly folder: string;
  readonly options?: Options;
}

async function findDataset(config: string | undefined, folder: string): Promise<FoundDataset> {
  const given = config === undefined ? folder : path.resolve(folder, config);
  const file = await findConfig(given).catch((error: unknown) => {
    if (config !== undefined) throw error;
    return undefined;
  });
  if (file === undefined) return { paths: [], folder };
  const { written, locate, folder: home } = await loadConfig(file);
  const { dataset = [] } = await explainProblems(locate, () => checkConfig(written));
  if (typeof dataset === 'string' || Array.isArray(dataset)) return { paths: [dataset].flat(), folder: home };
  const { path: paths, fields, format } = dataset;
  return { paths: [paths].flat(), folder: home, options: { fields, format } };
}

/** Opens a dataset; a file that does not exist is one that is yet to be written. */
async function openOrNull(
  paths: readonly string[],
  folder: string,
  options: Options = {},
): Promise<Dataset | null> {
  try {
    return await openDataset({ ...options, paths, folder, readers });
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'dataset-not-found') return null;
    throw error;
  }
}
