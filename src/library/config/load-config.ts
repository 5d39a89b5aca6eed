import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileSource } from '../../evaluate/datasets/file-source.ts';
import { readRows } from '../../evaluate/datasets/open-dataset.ts';
import * as datasetReaders from '../../evaluate/datasets/registry.ts';
import { formatPlace, messageOf, TouchstoneError } from '../../core/errors.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { describeValue } from '../../core/lib/text/describe-value.ts';
import { packageName } from '../../core/own-package.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { importUserFile, noteModule } from '../../core/lib/user-code/user-files.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { findImportFault } from '../../core/lib/user-code/find-import-fault.ts';
import { type LocateSetting, isJson, type WrittenConfig } from './config-problem.ts';

/** All readers of data files. */
export const readers = Object.values(datasetReaders);

/** Reads the rows of a data file, in the given format or the one its name indicates, relative to a folder. */
export function readDataFile(file: string, folder: string, format?: 'jsonl'): ReturnType<typeof readRows> {
  if (
    format === 'jsonl' &&
    /\.(csv|tsv|xlsx|parquet|ya?ml)$/i.test(file) &&
    existsSync(path.resolve(folder, file))
  )
    throw new TouchstoneError(
      'dataset-format',
      `${file}: these records are read as JSON lines, and this is a table.`,
      {
        remedy: 'Write one JSON object a line: docs/labels.md and docs/production.md show them.',
      },
    );
  return readRows({ path: file, folder, format, readers });
}

/** A config of a file. */
export interface LoadedConfig extends Required<ConfigSource> {
  readonly file: string;
}

/** A config as it was given. */
export interface ConfigSource {
  /** The config as written, not yet checked. */
  readonly written: unknown;
  /** The folder that relative paths of the config start from. */
  readonly folder: string;
  /** Returns the place of a setting; the word `config` by default. */
  readonly locate?: LocateSetting;
}

/**
 * Returns a config that is given as a value, or loads the one of a file or of a folder; the one of the current folder by default. Throws
 * `config-not-found` and `config-unreadable`.
 * @param folder - The folder that relative paths of a value start from; the current one by default.
 */
export async function readConfig(
  config: object | string | undefined,
  folder = process.cwd(),
): Promise<ConfigSource> {
  return typeof config === 'object'
    ? { written: config, folder }
    : await loadConfig(await findConfig(config));
}

/** Loads a config file of any format. Throws `config-unreadable` with the place of the problem. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  const shown = displayPath(file);
  noteModule(file);
  refuseDataset(file, shown);
  const text = await readText(file, shown);
  const isProgram = /\.[cm]?[jt]s$/.test(file);
  const loaded = isProgram
    ? { written: await importConfig(file, shown), locate: locateInSource(text, shown) }
    : await readConfigText(text, shown);
  return { file, folder: path.dirname(file), ...loaded };
}

/** Throws `config-unreadable` when the file is a dataset, which users often pass to `touchstone run` by mistake. */
function refuseDataset(file: string, shown: string): void {
  if (!/\.(jsonl|ndjson|csv|tsv)$/i.test(file)) return;
  throw new TouchstoneError('config-unreadable', `${shown} is a dataset, not a configuration.`, {
    remedy: `Name it with an option: \`touchstone run --dataset ${shown}\`, or in the config: \`dataset: ${shown}\`.`,
  });
}

/** Reads the text of a config file. Throws `config-unreadable` when it cannot be read or is not text. */
async function readText(file: string, shown: string): Promise<string> {
  try {
    return (await Array.fromAsync(fileSource(file, shown).read())).join('');
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    const { message, remedy } = error;
    throw new TouchstoneError('config-unreadable', message, { remedy, cause: error });
  }
}

/**
 * Locates settings in the source of a TypeScript or JavaScript config. A program can compute its settings in any way, so
 * only a name that appears exactly once before a colon is taken for the setting; else the result is the file alone.
 */
export function locateInSource(source: string, shown: string): LocateSetting {
  return async ({ path }) => {
    for (const name of path.filter((step) => typeof step === 'string').reverse()) {
      const found = findOnce(source, name);
      if (found !== undefined) return `${shown}:${placeAt(source, found)}`;
    }
    return shown;
  };
}

function findOnce(source: string, name: string): number | undefined {
  const pattern = new RegExp(`(?<![\\w$.])(['"]?)${escapeForPattern(name)}\\1\\s*:`, 'g');
  const [first, ...others] = source.matchAll(pattern);
  return others.length === 0 ? first?.index : undefined;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function placeAt(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Reads the text of a YAML or JSON config. The parser that records the places of settings takes long to load, so for JSON
 * it is loaded only to report a problem.
 */
async function readConfigText(text: string, shown: string): Promise<WrittenConfig> {
  const readWithPlaces = async (): Promise<WrittenConfig> => {
    const { readYamlConfig } = await import('./read-yaml-config.ts');
    return readYamlConfig(text, shown);
  };
  const json = isJson(shown) ? readPlainJson(text) : undefined;
  if (json === undefined) return await readWithPlaces();
  return { ...json, locate: async (issue) => await (await readWithPlaces()).locate(issue) };
}

/**
 * Parses JSON. Returns undefined for invalid JSON and for an object with a duplicate name, of which `JSON.parse` would
 * silently keep only the last.
 */
function readPlainJson(text: string): Pick<WrittenConfig, 'written'> | undefined {
  try {
    const written: unknown = parseJson(text);
    return countNames(text) === countKeys(written) ? { written } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the names of properties in a JSON text. */
function countNames(text: string): number {
  return Array.from(text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)).filter(
    ([, colon]) => colon !== undefined,
  ).length;
}

function countKeys(value: unknown): number {
  if (!isContainer(value)) return 0;
  const inside = Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** Imports a TypeScript or JavaScript config and returns its default export. Throws `config-unreadable`. */
async function importConfig(file: string, shown: string): Promise<unknown> {
  resolveTouchstoneToItself();
  const module = await importModule(file, shown);
  const config: unknown = await module['default'];
  if (typeof config === 'object' && config !== null) return config;
  const found =
    config === undefined ? 'has no default export' : `exports ${describeValue(config)} by default`;
  throw new TouchstoneError('config-unreadable', `${shown} ${found}.`, {
    remedy: 'Write `export default defineConfig({ … })`.',
  });
}

async function importModule(file: string, shown: string): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const place = await findImportFault(error, file);
    const where = place === undefined ? shown : formatPlace({ ...place, file: displayPath(place.file) });
    const message = messageOf(error).replaceAll(pathToFileURL(file).href, shown).replaceAll(file, shown);
    throw new TouchstoneError('config-unreadable', `${where}: the config cannot be loaded: ${message}`, {
      remedy: 'Fix the file; nothing was called.',
      cause: error,
    });
  }
}

let isRegistered = false;

/** Imports of this package in a config: `touchstone-evals`, `touchstone/stats`. */
const ownImports = new RegExp(`^(?:touchstone|${escapeForPattern(packageName)})(?=$|/)`);

/**
 * Makes imports of Touchstone in a config resolve to the running one, wherever the config file is. They may use the name of the
 * package or of the command.
 */
function resolveTouchstoneToItself(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      ownImports.test(specifier)
        ? nextResolve(specifier.replace(ownImports, packageName), { ...context, parentURL: import.meta.url })
        : nextResolve(specifier, context),
  });
}

/** The names of a config file, in the order in which they are looked up. */
export const configFileNames: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (extension) => `touchstone.config.${extension}`,
);

/**
 * Finds the config file for a path: the file itself, or the one in a folder. Throws `config-not-found`.
 * @param named - The path as the user typed it; the current folder by default.
 */
export async function findConfig(named = '.'): Promise<string> {
  const full = path.resolve(named);
  const stats = await stat(full).catch(() => undefined);
  if (stats === undefined) throw await noSuchFile(named, full);
  if (!stats.isDirectory()) return full;
  const files = await readdir(full);
  const found = configFileNames.find((name) => files.includes(name));
  if (found !== undefined) return path.join(full, found);
  const where = named === '.' ? 'this folder' : named;
  throw new TouchstoneError(
    'config-not-found',
    `There is no touchstone.config.ts (.js, .yaml, .json) in ${where}.`,
  );
}

async function noSuchFile(named: string, full: string): Promise<TouchstoneError> {
  const siblings = await readdir(path.dirname(full)).catch((): string[] => []);
  const nearest = nearestName(path.basename(full), siblings);
  const hint = nearest === undefined ? '' : ` Did you mean "${path.join(path.dirname(named), nearest)}"?`;
  return new TouchstoneError('config-not-found', `There is no file or folder ${named}.${hint}`);
}
