import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FoundDatabase } from './read-database.ts';
import type { DatabaseData } from './serve-queries.ts';

/** Does work with a database in the form that a query takes: a file's bytes are on disk meanwhile. */
export async function withDatabase<Result>(
  found: Exclude<FoundDatabase, { problem: string }>,
  work: (database: DatabaseData) => Promise<Result>,
): Promise<Result> {
  if ('tables' in found) return await work(found);
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-state-'));
  try {
    const file = path.join(folder, 'state.db');
    await writeFile(file, found.bytes, { mode: 0o600 });
    return await work({ file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
