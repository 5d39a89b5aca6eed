import { hashText } from '../../core/lib/content-hash.ts';
import { createPool, runOn, withClient } from './pool.ts';
import { openPostgresStore, type PostgresOptions } from './postgres.ts';

/** The code of PostgreSQL for a right that is missing. */
const rightMissing = '42501';

/**
 * Creates the tables of a project and the database role that may use them and no others: no other schema, neither the accounts
 * nor the audit log, and no tables to create. Returns its name; undefined when the user of the address may not create roles.
 */
export async function prepareProjectRole(
  url: string,
  options: PostgresOptions & { readonly schema: string },
): Promise<string | undefined> {
  const { schema, waitMs = 30_000 } = options;
  const store = openPostgresStore(url, { ...options, opening: 'create' });
  try {
    // The first read creates or upgrades the tables, which the role may not.
    await store.listRuns({ limit: 1 });
  } finally {
    await store.close();
  }
  const pool = await createPool({ url, schema, waitMs });
  try {
    return await withClient(pool, async (client) => {
      // Roles belong to all databases of a server, and the same schema may be in several.
      const [row] = await runOn(client, 'SELECT current_database()');
      const role = `touchstone_${hashText(`${String(row?.[0])} ${schema}`).slice(0, 16)}`;
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('touchstone role', 0))`);
      try {
        await client.query(createRole(role, schema));
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        if ((error as { readonly code?: string }).code === rightMissing) return undefined;
        throw error;
      }
      return role;
    });
  } finally {
    await pool.end();
  }
}

/** Returns the statements that create a role, and give it the rights on a schema. They can be repeated. */
function createRole(role: string, schema: string): string {
  return `
    DO $$ BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${role}') THEN
        CREATE ROLE "${role}" NOLOGIN NOINHERIT;
      END IF;
    END $$;
    GRANT "${role}" TO CURRENT_USER;
    GRANT USAGE ON SCHEMA "${schema}" TO "${role}";
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}";
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${schema}" TO "${role}";
    REVOKE ALL ON "${schema}".accounts, "${schema}".audit, "${schema}".audit_cut FROM "${role}";`;
}
