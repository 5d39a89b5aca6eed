import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { touchstoneVersion } from '../../../core/own-package.ts';
import { projectNameSchema } from '../../../core/schema/account/account.ts';
import { type AddFile, copyStoreFile, writeBackup } from '../../../stores/sqlite/backup-file.ts';
import { hasStore } from '../../config/open-store-of.ts';
import { sqliteFileIn } from '../../../stores/sqlite/sqlite.ts';
import { relativePath } from '../../../core/lib/files/path-within.ts';

/** The content of a backup. */
export interface BackupContent {
  readonly file: string;
  /** The projects whose stores are in it; `main` is the store itself. */
  readonly projects: readonly string[];
  /** The number of pictures and other files that questions and answers name. */
  readonly attachments: number;
}

/**
 * Writes a backup of a store in a folder, and of the stores of a server's projects in it: runs, labels, feedback, traces, people, tokens and the
 * audit log. Other processes may write to the stores meanwhile: each is copied as it is at one moment.
 * @throws TouchstoneError `output-unwritable`, also where the file exists, and `store-unreadable`.
 */
export async function backUp(folder: string, file: string): Promise<BackupContent> {
  const projects = await listProjects(folder);
  const head = { at: new Date().toISOString(), touchstone: touchstoneVersion };
  let attachments = 0;
  await writeBackup(file, head, async (add) => {
    const stores = [folder, ...projects.map((name) => path.join(folder, 'projects', name))];
    for (const each of stores)
      attachments += await addStore({ folder: each, file, add, prefix: prefixOf(folder, each) });
  });
  return { file, projects: ['main', ...projects], attachments };
}

/** Lists the projects whose stores are in the folder of a server, without `main`. */
async function listProjects(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'projects')).catch(() => []);
  return names
    .filter(
      (name) => projectNameSchema.safeParse(name).success && hasStore(path.join(folder, 'projects', name)),
    )
    .sort();
}

function prefixOf(home: string, folder: string): string {
  const relative = relativePath(home, folder);
  return relative === '' ? '' : `${relative}/`;
}

/** A store that is added to a backup. */
interface Added {
  readonly folder: string;
  readonly file: string;
  readonly add: AddFile;
  readonly prefix: string;
}

/** Adds a store: its attachments, its file as it is then, and attachments that came meanwhile, so that it names none that is missing. */
async function addStore({ folder, file, add, prefix }: Added): Promise<number> {
  const added = new Set<string>();
  await addAttachments({ folder, file, add, prefix }, added);
  const work = await mkdtemp(path.join(path.dirname(path.resolve(file)), '.touchstone-backup-'));
  try {
    const copy = path.join(work, 'touchstone.db');
    await copyStoreFile(sqliteFileIn(folder), copy);
    await add(`${prefix}touchstone.db`, copy);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  await addAttachments({ folder, file, add, prefix }, added);
  return added.size;
}

async function addAttachments({ folder, add, prefix }: Added, added: Set<string>): Promise<void> {
  const blobs = path.join(folder, 'blobs');
  for (const group of await readdir(blobs).catch(() => []))
    for (const name of await readdir(path.join(blobs, group)).catch(() => [])) {
      const full = `${prefix}blobs/${group}/${name}`;
      // Others are half-written files.
      if (!/^[0-9a-f]+$/.test(group + name) || added.has(full)) continue;
      await add(full, path.join(blobs, group, name));
      added.add(full);
    }
}
