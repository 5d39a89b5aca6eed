import type { PoolClient } from 'pg';
import { hashText } from '../../core/lib/content-hash.ts';
import { createPool, runOn, withClient } from './pool.ts';
import { openPostgresStore, type PostgresOptions } from './postgres.ts';

/** The code of PostgreSQL for a right that is missing. */
const rightMissing = '42501';

/**
 * Creates the tables of a project and the database role that may use them and no others: no other schema, neither the accounts
 * nor the audit log, and no tables to create. Returns its name. Where the user of the address may not create roles, it is the one that an
 * administrator made (`deploy/project.sql`), and undefined where there is none.
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
        const isThere = await mayUse(client, role);
        if (!isThere) await client.query(createRole(role));
        await client.query(grantRights(role, schema));
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

/** Returns whether there is a role whose rights this user may take. */
async function mayUse(client: PoolClient, role: string): Promise<boolean> {
  const [row] = await runOn(client, "SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = ?", [
    role,
  ]);
  return row?.[0] === 't';
}

/** Returns the statements that create a role for this user. They can be repeated. */
function createRole(role: string): string {
  return `
    DO $$ BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${role}') THEN
        CREATE ROLE "${role}" NOLOGIN NOINHERIT;
      END IF;
    END $$;
    GRANT "${role}" TO CURRENT_USER;`;
}

/** Returns the statements that give a role the rights on the tables of a schema that hold runs. They can be repeated. */
function grantRights(role: string, schema: string): string {
  return `
    GRANT USAGE ON SCHEMA "${schema}" TO "${role}";
    DO $$ DECLARE part text; BEGIN
      FOR part IN SELECT relname FROM pg_class
        WHERE relnamespace = to_regnamespace('"${schema}"') AND relkind IN ('r', 'v') AND relname NOT IN ('accounts', 'audit', 'audit_cut')
      LOOP EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}".%I TO "${role}"', part);
      END LOOP;
    END $$;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${schema}" TO "${role}";`;
}
