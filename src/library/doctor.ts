import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../core/errors.ts';
import { fits, versionOf } from '../core/lib/packages/installed-version.ts';
import { installCommand, type OptionalPackage } from '../core/lib/packages/need-package.ts';
import { optionalPackages, ownFile, touchstoneVersion } from '../core/own-package.ts';
import { sqliteFileIn } from '../stores/sqlite/sqlite.ts';
import { loadEvaluation } from './config/load-evaluation.ts';
import { configFileNames } from './config/load-config.ts';
import { storeFolderOf } from './config/open-store-of.ts';
import { openStore } from './api/open-store.ts';
import { pathWithin } from '../core/lib/files/path-within.ts';

/** An optional package, and whether it is there. */
export interface FoundPackage {
  readonly name: OptionalPackage;
  /** The versions with which Touchstone works. */
  readonly needed: string;
  /** The version that is installed; null when none is. */
  readonly version: string | null;
  /** False for a version with which Touchstone does not work. */
  readonly isFit: boolean;
}

/** An installation of Touchstone and a project, without a secret, a question or a path outside the project. */
export interface DoctorReport {
  readonly version: string;
  /** The place where Touchstone is installed. */
  readonly installed: 'in this project' | 'elsewhere' | 'by pip' | 'a checkout';
  readonly node: string;
  readonly system: string;
  readonly locale: string;
  readonly config: { readonly file: string | null; readonly fault: string | null };
  readonly store: {
    readonly kind: 'sqlite' | 'other' | 'none yet';
    /** The folder in the project; null for one elsewhere, and for a database. */
    readonly folder: string | null;
    /** The number of the layout of its tables. */
    readonly layout: number | null;
    readonly fault: string | null;
  };
  readonly packages: readonly FoundPackage[];
  /** The names of the variables that set a proxy. */
  readonly proxies: readonly string[];
  /** The things that keep a run from working, each with what to do about it. */
  readonly problems: readonly string[];
}

/**
 * Examines an installation and the project in a folder, as `touchstone doctor` does: nothing is asked, nothing is written. The report
 * can be pasted into a public page.
 */
export async function doctor(folder: string = process.cwd()): Promise<DoctorReport> {
  const config = await examineConfig(folder);
  const store = await examineStore(folder, config.storeFolder);
  const packages = findPackages(folder);
  const problems = [
    ...(config.fault === null
      ? []
      : [`${config.file} cannot be used (${config.fault}): \`touchstone run --dry-run\` says why.`]),
    ...(store.fault === null
      ? []
      : [`The store cannot be read (${store.fault}): \`touchstone check\` says why.`]),
    ...packages
      .filter(({ isFit }) => !isFit)
      .map(
        ({ name, needed, version }) =>
          `${name} is ${version}, and ${needed} is needed: \`${installCommand(name)}\`.`,
      ),
  ];
  return {
    version: touchstoneVersion,
    installed: howInstalled(folder),
    node: process.versions.node,
    system: `${os.type()} ${os.release()} ${process.arch}`,
    locale: new Intl.DateTimeFormat().resolvedOptions().locale,
    config: { file: config.file, fault: config.fault },
    store,
    packages,
    proxies: ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'].filter(
      (name) => (process.env[name] ?? '') !== '',
    ),
    problems,
  };
}

/** The code of an error; messages may quote what is in a file. */
function codeOf(error: unknown): string {
  return error instanceof TouchstoneError ? error.code : 'internal';
}

interface ExaminedConfig {
  readonly file: string | null;
  readonly fault: string | null;
  /** The folder of the store that the config names; undefined for a database. */
  readonly storeFolder: string | undefined;
}

async function examineConfig(folder: string): Promise<ExaminedConfig> {
  const storeFolder = path.join(folder, '.touchstone');
  const file = configFileNames.find((name) => existsSync(path.join(folder, name))) ?? null;
  if (file === null) return { file, fault: null, storeFolder };
  try {
    const loaded = await loadEvaluation(path.join(folder, file), {});
    return { file, fault: null, storeFolder: storeFolderOf(loaded) };
  } catch (error) {
    return { file, fault: codeOf(error), storeFolder };
  }
}

async function examineStore(folder: string, place: string | undefined): Promise<DoctorReport['store']> {
  const file = place === undefined ? undefined : sqliteFileIn(place);
  const kind = file === undefined ? 'other' : existsSync(file) ? 'sqlite' : 'none yet';
  const fault = kind === 'none yet' ? null : await faultOfStore(folder);
  const layout = kind === 'sqlite' && file !== undefined ? layoutOf(file) : null;
  return { kind, folder: (place && pathWithin(folder, place)) ?? null, layout, fault };
}

async function faultOfStore(folder: string): Promise<string | null> {
  try {
    const store = await openStore({ folder }, 'existing');
    try {
      await store.listRuns({ limit: 1 });
    } finally {
      await store.close();
    }
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

function layoutOf(file: string): number | null {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare('PRAGMA user_version').get();
    database.close();
    return Number(row?.['user_version']);
  } catch {
    return null;
  }
}

function howInstalled(folder: string): DoctorReport['installed'] {
  const root = ownFile();
  if (root.endsWith(path.join('touchstone_evals', '_npm'))) return 'by pip';
  if (!root.includes(`node_modules${path.sep}`)) return 'a checkout';
  const relative = path.relative(path.resolve(folder), root);
  return relative.startsWith('node_modules') ? 'in this project' : 'elsewhere';
}

/** Finds the optional packages, in the project first, as a run looks for them. */
function findPackages(folder: string): FoundPackage[] {
  return Object.entries(optionalPackages).map(([name, needed]) => {
    const version = versionOf(name, folder) ?? versionOf(name, ownFile()) ?? null;
    return {
      name: name as OptionalPackage,
      needed,
      version,
      isFit: version === null || fits(version, needed),
    };
  });
}
