import { TouchstoneError } from '../../core/errors.ts';
import { explainFault } from './explain-fault.ts';
import { type ConnectionSettings, createPool, runOn, withClient } from './pool.ts';

/**
 * Writes the tables of a schema into new files, so that the files hold nothing that was overwritten or removed (`VACUUM FULL`). Others wait
 * for a table meanwhile, and a table takes as much space again. Works with the rights of the user in the address, whatever role the store
 * takes: a role of a project owns no tables. Returns the names of the tables that this user does not own, which stay as they are.
 */
export async function rewriteTables({
  url,
  schema,
  address,
  waitMs,
}: Pick<ConnectionSettings, 'url' | 'schema' | 'address' | 'waitMs'>): Promise<string[]> {
  const pool = await createPool({ url, schema, waitMs });
  try {
    return await withClient(pool, async (client) => {
      const tables = await runOn(
        client,
        "SELECT tablename, pg_has_role(tableowner, 'USAGE') FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
      );
      await client.query(`SET lock_timeout = ${waitMs}`);
      const foreign: string[] = [];
      for (const [table, isOwn] of tables)
        if (isOwn === 't') await client.query(`VACUUM (FULL) "${String(table)}"`);
        else foreign.push(String(table));
      return foreign;
    });
  } catch (error) {
    // The code of PostgreSQL for a lock that was not given in time.
    if ((error as { readonly code?: string }).code !== '55P03') throw explainFault(error, address);
    throw new TouchstoneError('store-unreadable', `${address} is busy: a table could not be written again.`, {
      remedy: 'Let the runs and queries that use it end, and repeat the command.',
      cause: error,
    });
  } finally {
    await pool.end();
  }
}
