import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import { displayPath } from '../lib/display-path.ts';
import type { LocateSetting } from './explain-problems.ts';
import { importConfig } from './import-config.ts';
import { locateInSource } from './locate-in-source.ts';
import { readConfigText } from './read-config-text.ts';
import { readText } from './read-text.ts';

/** A config as it stands in its file, not yet checked. */
export interface LoadedConfig {
  readonly file: string;
  readonly folder: string;
  readonly written: unknown;
  readonly locate: LocateSetting;
}

/** Loads a config file of any kind. Throws `config-unreadable` with the place where it stopped making sense. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  const shown = displayPath(file);
  refuseDataset(file, shown);
  const text = await readText(file, shown);
  const isProgram = /\.[cm]?[jt]s$/.test(file);
  const loaded = isProgram
    ? { written: await importConfig(file, shown), locate: locateInSource(text, shown) }
    : await readConfigText(text, shown);
  return { file, folder: path.dirname(file), ...loaded };
}

/** A dataset is the other file that `touchstone run` could well be given. */
function refuseDataset(file: string, shown: string): void {
  if (!/\.(jsonl|ndjson|csv|tsv)$/i.test(file)) return;
  throw new TouchstoneError('config-unreadable', `${shown} is a dataset, not a configuration.`, {
    remedy: `Name it with an option: \`touchstone run --dataset ${shown}\`, or in the config: \`dataset: ${shown}\`.`,
  });
}
