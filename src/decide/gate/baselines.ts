import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { recordFolder } from '../certificates/certificate-folder.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type Baseline, baselineNameSchema, baselineSchema } from '../../core/schema/decision.ts';
import type { Gate } from '../../core/schema/gate.ts';
import type { Store } from '../../stores/store.ts';
import type { FoundBaseline } from './gate-rule.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { relativePath } from '../../core/lib/files/path-within.ts';

/** Returns a name for a baseline unchanged. Throws `usage-invalid` for an invalid name. */
export function checkBaselineName(name: string): string {
  if (baselineNameSchema.safeParse(name).success && !isFile(name)) return name;
  throw new TouchstoneError('usage-invalid', `"${name}" cannot be the name of a baseline.`, {
    remedy: 'Use letters, digits, `.`, `_` and `-`, such as `main` or `release-2.1`.',
  });
}

/** Returns whether the notation of a baseline is the path of a file, not a name in the store. */
function isFile(name: string): boolean {
  return name.endsWith('.json') || /[\\/]/.test(name);
}

/**
 * Resolves the user's notation of a baseline: `main` is a name in the store and stays as it is; `baselines/main.json` is a
 * path, relative to `folder`, and becomes absolute. Throws `usage-invalid` for an invalid name.
 */
export function locateBaseline(name: string, folder: string): string {
  return isFile(name) ? path.resolve(folder, name) : checkBaselineName(name);
}

/**
 * Reads a baseline in the notation that `locateBaseline` returns: from the store, or from a file. Throws
 * `baseline-not-found` or `baseline-unreadable`.
 */
export async function readLocatedBaseline(located: string, store: Store): Promise<Baseline> {
  return isFile(located) ? await readBaselineFile(located) : await readNamedBaseline(store, located);
}

/** Reads a baseline of a store. Throws `baseline-not-found`. */
export async function readNamedBaseline(store: Store, name: string): Promise<Baseline> {
  const baseline = await store.documents.get(baselineKind, [name]);
  if (baseline === undefined) throw await notFound(store, name);
  return baseline;
}

/** Removes a baseline but not its run. Throws `baseline-not-found`. */
export async function removeBaseline(store: Store, name: string): Promise<void> {
  const removed = await store.documents.change(
    [baselineKind],
    async (change) => await change.remove(baselineKind, { where: { name } }),
  );
  if (removed === 0) throw await notFound(store, name);
}

async function notFound(store: Store, name: string): Promise<TouchstoneError> {
  const heads = await store.documents.heads(baselineKind, ['name']);
  const names = heads.map((head) => head.name);
  const known = names.length === 0 ? ' There are none yet.' : ` Known are ${names.join(', ')}.`;
  const message = `There is no baseline "${name}".${didYouMean(name, names) || known}`;
  return new TouchstoneError('baseline-not-found', message);
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
  const read = async (): Promise<unknown> => parseJson(await readFile(file, 'utf8'));
  const content = await read().catch((error: unknown) => {
    if (!isMissing(error)) throw unreadable(file, messageOf(error));
    throw new TouchstoneError('baseline-not-found', `There is no baseline at ${displayPath(file)}.`);
  });
  const parsed = baselineSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unreadable(file, `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
}

function unreadable(file: string, problem: string): TouchstoneError {
  return new TouchstoneError('baseline-unreadable', `${displayPath(file)} is no baseline: ${problem}.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Returns a gate as the record of a run stores it: with the name of its baseline, or its path relative to the folder of the
 * store, and likewise the folder of its certificates. The record then contains no folder of this machine, and the baseline is found again after the project was moved.
 */
export function portableGate(gate: Gate, store: Pick<Store, 'address'>): Gate {
  const { baseline, judge } = gate;
  return {
    ...gate,
    ...(baseline !== undefined && { baseline: portablePath(baseline, store) }),
    ...(judge?.certificates !== undefined && {
      judge: { ...judge, certificates: portablePath(judge.certificates, store) },
    }),
  };
}

/** Returns an absolute path relative to the folder of the store; anything else as it is. */
function portablePath(file: string, store: Pick<Store, 'address'>): string {
  if (!path.isAbsolute(file)) return file;
  const portable = relativePath(recordFolder(store), file);
  if (path.isAbsolute(portable)) return file;
  return portable.includes('/') ? portable : `./${portable}`;
}

/** Returns the gate of a stored run with absolute paths, and its baseline as `locateBaseline` returns it. */
export function locatedGate(gate: Gate, store: Pick<Store, 'address'>): Gate {
  const { baseline, judge } = gate;
  const folder = recordFolder(store);
  return {
    ...gate,
    ...(baseline !== undefined && { baseline: locateBaseline(baseline, folder) }),
    ...(judge?.certificates !== undefined && {
      judge: { ...judge, certificates: path.resolve(folder, judge.certificates) },
    }),
  };
}

/** Reads the baseline that the gate of a stored run names; returns a reason when it cannot be read. */
export async function findBaseline(gate: Gate, store: Store): Promise<FoundBaseline> {
  try {
    const { baseline } = locatedGate(gate, store);
    if (baseline !== undefined) return { baseline: await readLocatedBaseline(baseline, store) };
    return { reason: 'there is no baseline: name one with --baseline, or as gate.baseline in the config' };
  } catch (error) {
    return { reason: messageOf(error).replace(/\.$/, '') };
  }
}
