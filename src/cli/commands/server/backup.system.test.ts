import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  createDatabase,
  describeWithPostgres,
  sharedServer,
} from '../../../../test/support/postgres-server.ts';
import { fillWithText } from '../../../../test/support/store-contract/texts-contract.ts';
import { run } from '../../../../test/support/store-contract/store-records.ts';
import { exportRun } from '../../../library/api/archive.ts';
import { recordEvent, verifyChain } from '../../../privacy/accounts/audit.ts';
import { openPostgresStore } from '../../../stores/postgres/postgres.ts';
import type { Store } from '../../../stores/store.ts';
import { backupCommand, restoreCommand } from './backup.ts';

const schemas = ['touchstone', 'touchstone_shop'];

/** Uses the store of each project in a database. Returns the results. */
async function inEach<Result>(url: string, use: (store: Store, schema: string) => Promise<Result>) {
  const results: Result[] = [];
  for (const schema of schemas) {
    const store = openPostgresStore(url, { schema });
    try {
      results.push(await use(store, schema));
    } finally {
      await store.close();
    }
  }
  return results;
}

/** Returns the exported run of each project and the state of its audit log. */
async function everything(url: string): Promise<unknown> {
  return await inEach(url, async (store) => [
    (await Array.fromAsync(exportRun(run.id, { store }))).join(''),
    await verifyChain(store.accounts),
  ]);
}

describeWithPostgres('the printed commands', () => {
  test('copy a store with its projects into another database, and replace nothing', async () => {
    const [from, to] = [
      await createDatabase(await sharedServer()),
      await createDatabase(await sharedServer()),
    ];
    await inEach(from, async (store, schema) => {
      await fillWithText(store, schema);
      const event = { who: 'test', address: null, action: 'made', project: null, object: schema };
      await recordEvent(store.accounts, event);
    });
    const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-dump-'));
    try {
      const file = path.join(folder, 'evals.dump');
      execFileSync('sh', ['-c', backupCommand({ url: from, schema: 'touchstone' }, file)]);
      const restoring = ['-c', restoreCommand({ url: to, schema: 'touchstone' }, file)];
      execFileSync('sh', restoring);
      expect(await everything(to)).toEqual(await everything(from));
      expect(() => execFileSync('sh', restoring, { stdio: 'pipe' })).toThrow('already exists');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
