import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../../core/lib/content-hash.ts';
import type { RunEnvironment } from '../../core/schema/run.ts';

/** The names of lock files of packages, in the order in which they are looked for. */
const lockFiles = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/** Reads the surroundings of this process: Node.js, the lock file of the folder or of the nearest one above it, and the image. */
export async function readEnvironment(): Promise<RunEnvironment> {
  const lock = await findLock(process.cwd());
  const image = process.env['TOUCHSTONE_IMAGE'];
  return {
    node: Number(process.versions.node.split('.')[0]),
    ...(lock !== undefined && { lockHash: hashText(lock.replaceAll('\r\n', '\n')) }),
    ...(image !== undefined && image !== '' && { image }),
  };
}

async function findLock(folder: string): Promise<string | undefined> {
  for (const name of lockFiles) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  const above = path.dirname(folder);
  return above === folder ? undefined : await findLock(above);
}
