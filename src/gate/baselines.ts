import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../errors.ts';
import { displayPath } from '../lib/text/display-path.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import { type Baseline, baselineNameSchema, baselineSchema } from '../schema/decision.ts';
import type { Gate } from '../schema/gate.ts';
import type { Store } from '../stores/store.ts';
import type { FoundBaseline } from './rules/gate-rule.ts';

const ending = '.json';

/**
 * Returns the file of a baseline, by its name, in the folder of a store. Throws `usage-invalid` for an invalid name.
 */
export function fileOfBaseline(storeFolder: string, name: string): string {
  if (baselineNameSchema.safeParse(name).success && !name.endsWith(ending)) {
    return path.join(folderOf(storeFolder), `${name}${ending}`);
  }
  throw new TouchstoneError('usage-invalid', `"${name}" cannot be the name of a baseline.`, {
    remedy: 'Use letters, digits, `.`, `_` and `-`, such as `main` or `release-2.1`.',
  });
}

/**
 * Resolves the user's notation of a baseline to its file: `main` is a name, in the folder of the store;
 * `baselines/main.json` is a path, relative to `folder`.
 */
export function locateBaseline(
  given: string,
  { folder, storeFolder }: { readonly folder: string; readonly storeFolder: string },
): string {
  const isFile = given.endsWith(ending) || /[\\/]/.test(given);
  return isFile ? path.resolve(folder, given) : fileOfBaseline(storeFolder, given);
}

/**
 * Returns the notation of a baseline file for a record: the name of the baseline, or else its path relative to the
 * folder of the store. It is the inverse of `locateBaseline` with that folder for both options.
 */
export function nameBaseline(file: string, storeFolder: string): string {
  const full = path.resolve(file);
  const name = path.basename(full, ending);
  const isNamed = path.dirname(full) === path.resolve(folderOf(storeFolder)) && full.endsWith(ending);
  if (isNamed && baselineNameSchema.safeParse(name).success) return name;
  const relative = path.relative(storeFolder, full);
  if (path.isAbsolute(relative)) return full;
  const portable = relative.replaceAll(path.sep, '/');
  return portable.includes('/') ? portable : `./${portable}`;
}

/** Saves a baseline under its name, replacing an earlier one. Returns the file. */
export async function saveBaseline(storeFolder: string, baseline: Baseline): Promise<string> {
  const file = fileOfBaseline(storeFolder, baseline.name);
  await mkdir(folderOf(storeFolder), { recursive: true });
  await writeBaselineFile(file, baseline);
  return file;
}

/** Lists the names of a store's baselines in alphabetical order. */
export async function listBaselines(storeFolder: string): Promise<string[]> {
  const files = await readdir(folderOf(storeFolder)).catch((): string[] => []);
  return files
    .filter((file) => file.endsWith(ending) && !file.startsWith('.'))
    .map((file) => path.basename(file, ending))
    .toSorted();
}

/** Reads a baseline by its name. Throws `baseline-not-found` or `baseline-unreadable`. */
export async function readNamedBaseline(storeFolder: string, name: string): Promise<Baseline> {
  await refuseUnknown(storeFolder, name);
  return await readBaselineFile(fileOfBaseline(storeFolder, name));
}

/** Removes a baseline but not its run. Throws `baseline-not-found`. */
export async function removeBaseline(storeFolder: string, name: string): Promise<void> {
  await refuseUnknown(storeFolder, name);
  await rm(fileOfBaseline(storeFolder, name));
}

async function refuseUnknown(storeFolder: string, name: string): Promise<void> {
  const names = await listBaselines(storeFolder);
  if (names.includes(name)) return;
  const known = names.length === 0 ? ' There are none yet.' : ` Known are ${names.join(', ')}.`;
  throw new TouchstoneError(
    'baseline-not-found',
    `There is no baseline "${name}".${didYouMean(name, names) || known}`,
  );
}

function folderOf(storeFolder: string): string {
  return path.join(storeFolder, 'baselines');
}

/** Encodes a baseline as JSON with one line for each case, so that a version control system shows what changed. */
export function encodeBaseline({ targets, ...rules }: Baseline): string {
  const head = JSON.stringify(rules, null, 2).replace(/\n\}$/, '');
  const written = targets.map(({ cases, ...target }) => {
    const lines = cases.map((each) => `        ${JSON.stringify(each)}`);
    const begin = JSON.stringify(target, null, 2)
      .replaceAll('\n', '\n    ')
      .replace(/\n {4}\}$/, '');
    return `    ${begin},\n      "cases": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n      `}]\n    }`;
  });
  return `${head},\n  "targets": [\n${written.join(',\n')}\n  ]\n}\n`;
}

/** Reads a baseline file. Throws `baseline-not-found`, or `baseline-unreadable` for a file with other content. */
export async function readBaselineFile(file: string): Promise<Baseline> {
  const read = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
  const content = await read().catch((error: unknown) => {
    if (!isMissing(error)) throw unreadable(file, messageOf(error));
    throw new TouchstoneError('baseline-not-found', `There is no baseline at ${displayPath(file)}.`);
  });
  const parsed = baselineSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(file, `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
}

/** Writes a baseline atomically: concurrent readers see the old one or the new one. Throws `output-unwritable`. */
export async function writeBaselineFile(file: string, baseline: Baseline): Promise<void> {
  const half = path.join(path.dirname(file), `.${path.basename(file)}.${crypto.randomUUID()}`);
  try {
    await writeFile(half, encodeBaseline(baseline), { flush: true });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    const message = `${displayPath(file)} cannot be written: ${messageOf(error)}.`;
    throw new TouchstoneError('output-unwritable', message, { cause: error });
  }
}

function unreadable(file: string, problem: string): TouchstoneError {
  return new TouchstoneError('baseline-unreadable', `${displayPath(file)} is no baseline: ${problem}.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Returns a gate as the record of a run stores it: with the name of its baseline, or its path relative to the folder
 * of the store. The record then contains no folder of this machine, and the baseline is found again after the project
 * was moved.
 */
export function portableGate(gate: Gate, { folder }: Pick<Store, 'folder'>): Gate {
  if (gate.baseline === undefined || folder === undefined) return gate;
  return { ...gate, baseline: nameBaseline(gate.baseline, folder) };
}

/**
 * Reads the baseline that a gate names in the notation of `portableGate`; returns a reason when it cannot be read.
 * @param folder - The folder of the store; the current folder when it has none.
 */
export async function findBaseline({ baseline }: Gate, folder = process.cwd()): Promise<FoundBaseline> {
  if (baseline === undefined) {
    return { reason: 'there is no baseline: name one with --baseline, or as gate.baseline in the config' };
  }
  try {
    return { baseline: await readBaselineFile(locateBaseline(baseline, { folder, storeFolder: folder })) };
  } catch (error) {
    return { reason: messageOf(error).replace(/\.$/, '') };
  }
}
