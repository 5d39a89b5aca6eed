import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { optionalPackages, ownFile } from '../../own-package.ts';
import { displayPath } from '../text/display-path.ts';
import { fits, numbersOf, versionOf } from './installed-version.ts';
import { pathWithin } from '../files/path-within.ts';

/** The name of an optional package. */
export type OptionalPackage = keyof typeof optionalPackages;

/** The use of an optional package. */
interface Need<Module> {
  /** The feature, as a sentence begins: `A store in PostgreSQL`. */
  readonly for: string;
  /**
   * Imports the package by its literal name: `() => import('pg')`. It gets the package.json of the project or of Touchstone, from
   * which the package is found.
   */
  readonly load: (from: string) => Promise<Module>;
  /** The folder of the project, which is searched first; by default the current one. */
  readonly folder?: string;
  /** A sentence about other ways, which follows the command that installs the package. */
  readonly also?: string;
}

/**
 * Loads an optional package from the project, or from where Touchstone is installed. Throws `package-missing`, with the command to
 * paste, where it is missing, has a version with which Touchstone does not work, or cannot be loaded.
 */
export async function needPackage<Module>(
  name: OptionalPackage,
  { for: use, load, folder = process.cwd(), also }: Need<Module>,
): Promise<Module> {
  const root = ownFile();
  const inProject = versionOf(name, folder);
  const version = inProject ?? versionOf(name, root);
  const range = optionalPackages[name];
  const remedy = [howToInstall(name, folder), also].filter((part) => part !== undefined).join(' ');
  if (version !== undefined && !fits(version, range)) {
    const needed = `${name} ${oldestOf(range)}`;
    throw new TouchstoneError('package-missing', `${use} needs ${needed}; node_modules has ${version}.`, {
      remedy,
    });
  }
  const from = inProject === undefined ? root : path.resolve(folder);
  try {
    return await loadFrom(path.join(from, 'package.json'), name, load);
  } catch (error) {
    if (version === undefined && isNotFound(error, name)) {
      const message = `${use} needs the package ${name}, which is not installed.`;
      throw new TouchstoneError('package-missing', message, { remedy, cause: error });
    }
    const [why] = messageOf(error).split('\n');
    const message = `The package ${name} is installed and cannot be loaded: ${why}`;
    throw new TouchstoneError('package-missing', message, { cause: error });
  }
}

/** Runs the import of a package so that its name is found from a package.json, and not from the files of Touchstone. */
async function loadFrom<Module>(from: string, name: string, load: Need<Module>['load']): Promise<Module> {
  const parentURL = pathToFileURL(from).href;
  const own = pathToFileURL(`${ownFile()}${path.sep}`).href;
  const isOurs = (url = '') => url.startsWith(own) && !url.slice(own.length).startsWith('node_modules/');
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isPackage = specifier === name || specifier.startsWith(`${name}/`);
      return next(specifier, isPackage && isOurs(context.parentURL) ? { ...context, parentURL } : context);
    },
  });
  try {
    return await load(from);
  } finally {
    hooks.deregister();
  }
}

function isNotFound(error: unknown, name: string): boolean {
  const isCode = /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(Object(error).code));
  return isCode && messageOf(error).includes(`'${name}`);
}

/** Returns the versions of a range in words: `8.16 or newer`. */
function oldestOf(range: string): string {
  const [major, minor, patch] = numbersOf(range);
  return `${major}.${minor}${patch === 0 ? '' : `.${patch}`} or newer`;
}

/** Returns the command that installs an optional package in the current folder. */
export function installCommand(name: OptionalPackage): string {
  const range = optionalPackages[name];
  return `npm install --save-dev ${name}${range.startsWith('^') ? `@${numbersOf(range)[0]}` : ''}`;
}

/** Returns how to install an optional package for a project: with its folder where Touchstone is installed elsewhere. */
function howToInstall(name: OptionalPackage, folder: string): string {
  const install = installCommand(name);
  const project = findProject(folder);
  if (project !== undefined && pathWithin(project, ownFile()) !== undefined) return install;
  return `In ${displayPath(project ?? path.resolve(folder))}: ${project === undefined ? 'npm init -y, then ' : ''}${install}`;
}

/** Returns the folder of the nearest package.json, in a folder or above it. */
function findProject(folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (at === path.dirname(at)) return undefined;
  }
}
