import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { moveFile } from '../../../core/lib/files/replace-file.ts';
import { refereeFile } from '../../../core/lib/held-out.ts';
import { makeFolder } from '../../../core/lib/make-folder.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type SeenLook, seenLookSchema, type RefereeEntry } from '../../../core/schema/referee/referee.ts';
import type { Dataset } from '../../../evaluate/datasets/dataset.ts';
import { draftCase } from '../../../evaluate/datasets/draft-case.ts';
import { createFieldMapping } from '../../../evaluate/datasets/field-mapping.ts';
import { ledgerFault, openLedger, type RefereeLedger } from '../../../stores/referee-ledger.ts';
import { openSqliteStore, sqliteFileIn } from '../../../stores/sqlite/sqlite.ts';
import type { Store } from '../../../stores/store.ts';
import { pathWithin } from '../../../core/lib/files/path-within.ts';

const casesFile = 'cases.jsonl';

/** The questions of a set to which fresh ones are being added, until the incumbent has answered these. */
export const nextCasesFile = 'cases.next.jsonl';

/** The file for the person who owns the folder: what bots and their libraries print, and why a look stays open. */
export const logFile = 'asked.log';

/** The file of a workspace that keeps what it saw: a ledger that is cut later is found out. */
const looksFile = 'touchstone.looks.jsonl';

/** A held-out set that is open for its referee. */
export interface HeldOutPlace extends AsyncDisposable {
  readonly folder: string;
  readonly store: Store;
  readonly ledger: RefereeLedger;
}

/** Returns whether a held-out set is asked for at the address of a server. */
export function isServer(heldOut: string): boolean {
  return /^https?:\/\//.test(heldOut);
}

/** Returns the socket of a referee under another account; undefined for a folder and a server. */
export function socketOf(heldOut: string): string | undefined {
  return heldOut.startsWith('unix:') ? heldOut.slice('unix:'.length) : undefined;
}

/** Returns whether the questions are not in a folder that this process reads. */
export function isElsewhere(heldOut: string): boolean {
  return isServer(heldOut) || socketOf(heldOut) !== undefined;
}

/** Returns the folder of a held-out set. Throws `config-invalid` when it is inside the repository, where others read it. */
export function locateHeldOut(heldOut: string, workspace: string): string {
  const folder = path.resolve(workspace, heldOut);
  const root = rootOf(workspace);
  if (pathWithin(realOf(root), realOf(folder)) === undefined) return folder;
  throw new TouchstoneError(
    'config-invalid',
    `\`referee.heldOut\` is ${displayPath(folder)}, inside the repository, where everybody who works on the bot reads it.`,
    { remedy: 'Name a folder outside: `referee: { heldOut: ../acme-heldout }`.' },
  );
}

/** Returns the folder of the repository that a folder is in, else the folder itself. */
export function rootOf(folder: string): string {
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    if (existsSync(path.join(each, '.git'))) return each;
    if (path.dirname(each) === each) return path.resolve(folder);
  }
}

/** Returns a path without links, as far as it exists. */
function realOf(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const parent = path.dirname(place);
  return parent === place ? place : path.join(realOf(parent), path.basename(place));
}

/** Returns whether there is a held-out set in a folder. */
export function isHeldOut(folder: string): boolean {
  return existsSync(path.join(folder, casesFile)) && existsSync(storeFileIn(folder));
}

/** Returns the file of the store and the ledger. Once a person has opened the set, it is an ordinary store. */
function storeFileIn(folder: string): string {
  const file = path.join(folder, refereeFile);
  return existsSync(file) ? file : sqliteFileIn(folder);
}

/** Makes the folder of a held-out set with its questions. Throws `look-refused` when there is one already. */
export async function makeHeldOut(folder: string, cases: readonly Case[]): Promise<HeldOutPlace> {
  if (isHeldOut(folder))
    throw new TouchstoneError('look-refused', `There is a held-out set in ${displayPath(folder)} already.`, {
      remedy:
        'Add fresh questions with `touchstone referee refill FILE`, begin anew with `--renew`, or name another folder in the config.',
    });
  makeFolder(folder, 0o700);
  keepPrivate(folder);
  await writeCases(folder, cases);
  return openPlace(folder, path.join(folder, refereeFile));
}

/** Opens a held-out set. Throws `look-refused` when there is none, or when others may read its folder. */
export function openHeldOut(folder: string): HeldOutPlace {
  if (!isHeldOut(folder))
    throw new TouchstoneError('look-refused', `There is no held-out set in ${displayPath(folder)}.`, {
      remedy: 'Make one: `touchstone referee init --questions FILE`.',
    });
  keepPrivate(folder);
  return openPlace(folder, storeFileIn(folder));
}

function openPlace(folder: string, file: string): HeldOutPlace {
  const store = openSqliteStore(file, { durability: 'power' });
  const ledger = openLedger(file);
  let isClosed = false;
  return {
    folder,
    store,
    ledger,
    [Symbol.asyncDispose]: async () => {
      if (isClosed) return;
      isClosed = true;
      ledger[Symbol.dispose]();
      await store.close();
    },
  };
}

/** Takes the rights of all others away from a folder. */
function keepPrivate(folder: string): void {
  if (process.platform === 'win32' || (statSync(folder).mode & 0o077) === 0) return;
  chmodSync(folder, 0o700);
}

/** Writes the questions of a set. */
export async function writeCases(folder: string, cases: readonly Case[], file = casesFile): Promise<void> {
  await writeFile(path.join(folder, file), linesOf(cases), { mode: 0o600 });
}

function linesOf(cases: readonly Case[]): string {
  return cases.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Returns the hash of the file that questions are written to. */
export function hashCases(cases: readonly Case[]): string {
  return hashText(linesOf(cases));
}

/** Throws `referee-ledger` when the questions are not those that the ledger knows. */
export async function checkCases(folder: string, content: string): Promise<void> {
  const text = await readFile(path.join(folder, casesFile), 'utf8');
  if (hashText(text) !== content) throw ledgerFault('the questions of the set were edited since it was made');
}

/** Puts the questions that were prepared with `nextCasesFile` in the place of those before. */
export async function takeNextCases(folder: string): Promise<void> {
  await moveFile(path.join(folder, nextCasesFile), path.join(folder, casesFile));
}

/** Makes a set that has ended an ordinary store, which every command reads. */
export async function releaseStore(folder: string): Promise<void> {
  await moveFile(path.join(folder, refereeFile), sqliteFileIn(folder));
}

/** Moves a set that has ended into a folder of its own, and returns its questions' file. */
export async function putAside(folder: string, set: number): Promise<string> {
  const aside = path.join(folder, `set-${set}`);
  makeFolder(aside, 0o700);
  await moveFile(storeFileIn(folder), sqliteFileIn(aside));
  for (const name of [casesFile, logFile, 'blobs'])
    if (existsSync(path.join(folder, name))) await moveFile(path.join(folder, name), path.join(aside, name));
  return path.join(aside, casesFile);
}

/** Returns the questions of a set as a dataset. The names of its places say nothing about them. */
export function heldOutDataset(folder: string, file = casesFile): Dataset {
  const mapping = createFieldMapping();
  return {
    sources: ['the held-out set'],
    async *drafts() {
      const lines = (await readFile(path.join(folder, file), 'utf8'))
        .split('\n')
        .filter((line) => line !== '');
      for (const [index, line] of lines.entries()) {
        const place = { file: casesFile, line: index + 1 };
        const value = parseJson(line) as object;
        yield draftCase({ value, place, locate: () => place }, { mapping, hasTextCells: false });
      }
    },
  };
}

/**
 * Checks that the ledger has everything that the workspace saw of it. Throws `referee-ledger` when it was cut or is another one.
 */
export async function checkSeen(workspace: string, entries: readonly RefereeEntry[]): Promise<void> {
  const seen = (await readSeen(workspace)).at(-1);
  if (seen === undefined || entries.some(({ number, hash }) => number === seen.entries && hash === seen.head))
    return;
  const last = Math.max(0, ...entries.flatMap((each) => (each.event === 'look' ? [each.look] : [])));
  throw ledgerFault(
    entries.length < seen.entries
      ? `the ledger ends at look ${last}, this workspace saw ${seen.look}`
      : `entry ${seen.entries} is not the one that this workspace saw (${looksFile})`,
  );
}

/** Reads what the workspace saw. */
async function readSeen(workspace: string): Promise<SeenLook[]> {
  const text = await readFile(path.join(workspace, looksFile), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    const parsed = seenLookSchema.safeParse(parseLine(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** Adds what the workspace saw now. */
export async function noteSeen(
  workspace: string,
  entries: readonly RefereeEntry[],
  seen: Omit<SeenLook, 'entries' | 'head' | 'at'>,
): Promise<void> {
  const last = entries.at(-1);
  if (last === undefined) return;
  const line: SeenLook = { ...seen, at: last.at, entries: last.number, head: last.hash };
  await appendFile(path.join(workspace, looksFile), `${JSON.stringify(line)}\n`);
}
