import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { testSelection } from '../../../test/support/test-selection.ts';
import { openSqliteStore } from '../sqlite/sqlite.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
const sqlite = openSqliteStore(path.join(folder, 'touchstone.db'));
afterAll(async () => {
  await sqlite.close();
  await rm(folder, { recursive: true, force: true });
});

testSelection('SQLite', async () => sqlite, 100);
