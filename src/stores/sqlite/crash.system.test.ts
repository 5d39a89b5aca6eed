import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { killWriters } from '../../../test/support/kill-writers.ts';
import { openSqliteStore } from './sqlite.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

/** The number of kills; set `TOUCHSTONE_KILLS=300` for more. */
const kills = Number(process.env['TOUCHSTONE_KILLS'] ?? 10);

test.skipIf(!isReleaseTested)(
  `a killed writer loses no acknowledged record and leaves no partial one (${kills} kills) (needs TOUCHSTONE_TEST_ALL=1)`,
  {
    timeout: kills * 10_000,
  },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'touchstone.db');
    const written = { address: file, open: () => openSqliteStore(file) };
    expect(await killWriters(written, kills)).toBeGreaterThan(0);
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  },
);
