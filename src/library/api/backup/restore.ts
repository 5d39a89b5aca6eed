import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { partOf } from '../../../core/lib/files/replace-file.ts';
import { makeFolder } from '../../../core/lib/make-folder.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { checkStore as findDamages } from '../../../evaluate/run/record/salvage.ts';
import { verifyChain } from '../../../privacy/accounts/audit.ts';
import { extractBackup } from '../../../stores/sqlite/backup-file.ts';
import { openSqliteStore, sqliteFileIn } from '../../../stores/sqlite/sqlite.ts';

/** A store that was restored, and what was found when it was verified. */
export interface Restored {
  readonly folder: string;
  /** The time of the backup, ISO 8601. */
  readonly at: string;
  readonly projects: readonly string[];
  readonly runs: number;
  /** The faults of records, which the store had when it was backed up: nothing of the file has changed since. Empty as a rule. */
  readonly faults: readonly string[];
}

/** The parts of a store in its folder, in the order in which they are put there: with the last one, there is a store. */
const parts = ['blobs', 'projects', 'touchstone.db'];

/**
 * Restores a backup into a folder without a store: writes its files beside their place, compares each with its SHA-256, each record with its
 * checksum and the audit log with its chain, and moves them to their place.
 * @throws TouchstoneError `import-invalid` for a file that is no backup or is not as it was written, and `usage-invalid` where there is a
 * store already.
 */
export async function restore(file: string, folder: string): Promise<Restored> {
  const inTheWay = parts.find((part) => existsSync(path.join(folder, part)));
  if (inTheWay !== undefined)
    throw new TouchstoneError(
      'usage-invalid',
      `${displayPath(folder)} has a store already, or a part of one: ${inTheWay}.`,
      {
        remedy: 'Move it away first, or name another folder with `--store`: a restore replaces nothing.',
      },
    );
  makeFolder(path.dirname(folder));
  if (makeFolder(folder, 0o700)) writeFileSync(path.join(folder, '.gitignore'), '*\n');
  const work = partOf(path.join(folder, 'restore'));
  try {
    mkdirSync(work, { mode: 0o700 });
    const { head, names } = await extractBackup(file, work);
    // The server's own store first.
    const stores = names
      .filter((name) => name.endsWith('touchstone.db'))
      .map((name) => path.dirname(name))
      .sort();
    let runs = 0;
    const faults: string[] = [];
    for (const each of stores) {
      const found = await verify(path.join(work, each));
      runs += found.runs;
      const project = each === '.' ? 'main' : path.basename(each);
      faults.push(...found.faults.map((fault) => `${project}: ${fault}`));
    }
    for (const part of parts)
      if (existsSync(path.join(work, part))) renameSync(path.join(work, part), path.join(folder, part));
    const projects = stores.map((each) => (each === '.' ? 'main' : path.basename(each)));
    return { folder, at: head.at, projects, runs, faults };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Reads every record of a store, and the audit log. */
async function verify(folder: string): Promise<{ readonly runs: number; readonly faults: string[] }> {
  const store = openSqliteStore(sqliteFileIn(folder));
  try {
    const damages = await Array.fromAsync(findDamages(store));
    const { fault } = await verifyChain(store.accounts);
    const faults = damages.map(({ runId, what }) => (runId === undefined ? what : `run ${runId}: ${what}`));
    if (fault !== undefined) faults.push(`the audit log: ${fault}`);
    return { runs: (await store.listRuns()).length, faults };
  } finally {
    await store.close();
  }
}
