import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Environment } from '../http/common-options.ts';
import { isLanguageModel, type LanguageModel } from './language-model.ts';

/** A model of a provider of the AI SDK, as a config names it. */
export interface PackagedModel {
  /** The package of the provider: `@ai-sdk/groq`. */
  readonly package: string;
  readonly model: string;
  /** The name of the export, where the package has several that could be meant. */
  readonly export?: string;
  /** The settings of the provider, with `{{env.NAME}}` in place of secrets. */
  readonly settings?: Readonly<Record<string, Json>>;
}

/** The surroundings of a model: the folder of the config, where its package is found, and the environment. */
interface Surroundings {
  readonly folder: string;
  readonly environment: Environment;
}

/**
 * Imports the package of a provider from the folder of the config, and returns its model. Throws `package-missing`,
 * `environment-missing` or `model-invalid`.
 */
export async function loadPackagedModel(named: PackagedModel, around: Surroundings): Promise<LanguageModel> {
  const settings = fillSettings(named.settings ?? {}, around.environment);
  const exported = await importPackage(named.package, around.folder);
  const provider = providerIn(exported, named, settings);
  const model: unknown = await provider.languageModel(named.model);
  if (isLanguageModel(model)) return model;
  throw new TouchstoneError('model-invalid', `${named.package} has no language model "${named.model}".`);
}

const variables = /\{\{\s*env\.([^{}\s]+)\s*\}\}/g;

/** Returns the names of the variables in settings. */
export function variablesIn(settings: Json): string[] {
  return Array.from(JSON.stringify(settings).matchAll(variables), ([, name = '']) => name);
}

/** Fills `{{env.NAME}}` in all texts of the settings. Throws `environment-missing` with all that are not set. */
function fillSettings(settings: Readonly<Record<string, Json>>, environment: Environment): Fields {
  const missing = variablesIn(settings).filter((name) => !environment[name]);
  if (missing.length > 0) {
    const message = `The model needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not set in the environment.`;
    throw new TouchstoneError('environment-missing', message);
  }
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(variables, (_, name: string) => environment[name] ?? '');
    if (Array.isArray(value)) return value.map(fill);
    return isContainer(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]))
      : value;
  };
  return fill(settings) as Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** Imports a package as a file in the folder would. Throws `package-missing` with the command that installs it. */
async function importPackage(name: string, folder: string): Promise<Fields> {
  const file = findPackage(name, path.join(path.resolve(folder), 'package.json'));
  if (file === undefined) {
    const message = `The model needs the package ${name}, which is not installed in the folder of the config.`;
    throw new TouchstoneError('package-missing', message, {
      remedy: `Run \`npm install ${quoteForShell(name)}\`.`,
    });
  }
  try {
    return (await import(pathToFileURL(file).href)) as Fields;
  } catch (error) {
    const message = `The package ${name} cannot be loaded: ${messageOf(error)}`;
    throw new TouchstoneError('model-invalid', message, { cause: error });
  }
}

function findPackage(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return onlyImported(name, from);
    if (code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Returns the file of a package that may be imported and not required. */
function onlyImported(name: string, from: string): string | undefined {
  const file = findPackageJSON(name, pathToFileURL(from));
  if (file === undefined) return undefined;
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const places = ['exports["."].import.default', 'exports["."].import', 'exports.import', 'exports'];
  const main = places.map((place) => valueAtPath(content, place)).find((each) => typeof each === 'string');
  return typeof main === 'string' ? path.resolve(path.dirname(file), main) : undefined;
}

/** A provider of the AI SDK. */
interface Provider {
  languageModel(id: string): unknown;
}

/**
 * Returns the provider of a package: the export that makes models, or what the export `create…` makes of the settings. Throws
 * `model-invalid` with the exports that there are.
 */
function providerIn(exported: Fields, named: PackagedModel, settings: Fields): Provider {
  const names = Object.keys(exported).filter((name) => name !== 'default');
  const isMade = Object.keys(settings).length > 0;
  const creators = names.filter((name) => /^create[A-Z]/.test(name) && typeof exported[name] === 'function');
  const ready = names.filter((name) => isProvider(exported[name]));
  const wanted = named.export ?? (isMade || ready.length === 0 ? only(creators) : only(ready));
  const found = wanted === undefined ? undefined : exported[wanted];
  if (!isMade && isProvider(found)) return found;
  const made: unknown =
    wanted !== undefined && creators.includes(wanted) ? (found as Create)(settings) : undefined;
  if (isProvider(made)) return made;
  const list = [...ready, ...creators].join(', ') || 'none of the AI SDK';
  const message =
    named.export === undefined
      ? `It is not clear which export of ${named.package} is the provider: ${list}.`
      : `The export \`${named.export}\` of ${named.package} is no provider${isMade ? ' that takes `settings`' : ''}; there are ${list}.`;
  const remedy = isMade
    ? 'Name the function that takes the `settings`: `export: createGroq`.'
    : 'Name it: `export: groq`; a function `create…` gets the `settings`.';
  throw new TouchstoneError('model-invalid', message, { remedy });
}

type Create = (settings: Fields) => unknown;

function isProvider(value: unknown): value is Provider {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && 'languageModel' in value && typeof value.languageModel === 'function';
}

function only(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
