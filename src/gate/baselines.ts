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

/** The file of a baseline by its name, in the folder of a store. Throws `usage-invalid` for what cannot be a name. */
export function fileOfBaseline(storeFolder: string, name: string): string {
  if (baselineNameSchema.safeParse(name).success && !name.endsWith(ending)) {
    return path.join(folderOf(storeFolder), `${name}${ending}`);
  }
  throw new TouchstoneError('usage-invalid', `"${name}" cannot be the name of a baseline.`, {
    remedy: 'Use letters, digits, `.`, `_` and `-`, such as `main` or `release-2.1`.',
  });
}

/**
 * The file that somebody means by `main` (a name, in the folder of the store) or by `baselines/main.json` (a file, from
 * a folder).
 */
export function locateBaseline(
  given: string,
  { folder, storeFolder }: { readonly folder: string; readonly storeFolder: string },
): string {
  const isFile = given.endsWith(ending) || /[\\/]/.test(given);
  return isFile ? path.resolve(folder, given) : fileOfBaseline(storeFolder, given);
}

/**
 * How a file is named in a record: by the name of the baseline, or else by its path from the folder of the store. The
 * opposite of `locateBaseline` with that folder for both.
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

/** Keeps a baseline under its name, in place of an earlier one. */
export async function keepBaseline(storeFolder: string, baseline: Baseline): Promise<string> {
  const file = fileOfBaseline(storeFolder, baseline.name);
  await mkdir(folderOf(storeFolder), { recursive: true });
  await writeBaselineFile(file, baseline);
  return file;
}

/** The names of the baselines that a store keeps, in the order of the alphabet. */
export async function listBaselines(storeFolder: string): Promise<string[]> {
  const files = await readdir(folderOf(storeFolder)).catch((): string[] => []);
  return files
    .filter((file) => file.endsWith(ending) && !file.startsWith('.'))
    .map((file) => path.basename(file, ending))
    .toSorted();
}

/** Reads a baseline by its name. Throws `baseline-not-found`, or `baseline-unreadable`. */
export async function readNamedBaseline(storeFolder: string, name: string): Promise<Baseline> {
  await refuseUnknown(storeFolder, name);
  return await readBaselineFile(fileOfBaseline(storeFolder, name));
}

/** Removes a baseline; its run stays. Throws `baseline-not-found`. */
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

/** The text of a baseline: JSON with a line for each case, so that a version control system shows what changed. */
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

/** Reads a baseline. Throws `baseline-not-found`, or `baseline-unreadable` for a file that is none. */
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

/** Writes a baseline in one step: who reads it meanwhile sees the old one or the new one. Throws `output-unwritable`. */
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
 * A gate as the record of a run keeps it: with its baseline by name, or by its file from the folder of the store. So what is
 * kept names no folder of this machine, and is found again where the project was moved.
 */
export function keepGate(gate: Gate, { folder }: Pick<Store, 'folder'>): Gate {
  if (gate.baseline === undefined || folder === undefined) return gate;
  return { ...gate, baseline: nameBaseline(gate.baseline, folder) };
}

/**
 * The baseline that a gate names, or why there is none. It is named as `keepGate` does.
 * @param folder - Of the store; the current one where it has none.
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
