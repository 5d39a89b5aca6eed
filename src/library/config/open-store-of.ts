import { existsSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { type NamedUse, withOptions } from '../../core/lib/define.ts';
import * as storeExports from '../../stores/registry.ts';
import { prepareProjectRole } from '../../stores/postgres/project-role.ts';
import { projectNameSchema } from '../../core/schema/account/account.ts';
import { requireName } from '../../privacy/accounts/accounts.ts';
import { isPostgresUrl, secretsInUrl } from '../../stores/postgres/url.ts';
import { sqliteFileIn } from '../../stores/sqlite/sqlite.ts';
import type { Store, StoreNeeds, StoreOpening } from '../../stores/store.ts';
import { ConfigProblem, describeIssues, explainProblems } from './config-problem.ts';
import type { ConfigSource } from './load-config.ts';
import { createRegistry, parseUse } from './resolve-use.ts';
import { type StoreSetting, storeSettingSchema, toStoreUse } from './store-setting.ts';

const registry = createRegistry<'store', Store, StoreNeeds>('store', storeExports);

/** A `store` setting and the folder that its paths start from. */
export interface PlacedStore {
  readonly setting: StoreSetting;
  readonly folder: string;
}

/** The store of a folder in which no config says otherwise. */
export function defaultStoreIn(folder: string): PlacedStore {
  return { setting: '.touchstone', folder };
}

/**
 * Finds the store of a loaded config, whose other settings may be invalid; undefined when it has no `store` setting. Throws
 * `TouchstoneError` for an invalid one.
 */
export async function findStoreSetting({
  written,
  folder,
  locate,
}: ConfigSource): Promise<PlacedStore | undefined> {
  const setting = (written as { readonly store?: unknown } | null)?.store;
  if (setting === undefined) return undefined;
  return await explainProblems(locate, async () => {
    const parsed = storeSettingSchema.safeParse(setting);
    if (!parsed.success) {
      const issues = describeIssues(parsed.error, setting, storeSettingSchema);
      throw new ConfigProblem(issues.map((issue) => ({ ...issue, path: ['store', ...issue.path] })));
    }
    checkStoreSetting(parsed.data);
    return { setting: parsed.data, folder };
  });
}

/** Checks a `store` setting without opening the store. Throws `ConfigProblem`. */
export function checkStoreSetting(setting: StoreSetting): void {
  parseUse(toStoreUse(setting), ['store'], registry);
}

/** Opens a store. Throws `ConfigProblem` for an invalid setting, and the errors of the store. */
export function openPlacedStore({ setting, folder }: PlacedStore, opening: StoreOpening = 'create'): Store {
  const { definition, options } = parseUse(toStoreUse(setting), ['store'], registry);
  return definition.create(options, { folder, environment: process.env, opening });
}

/** A config with the folder that its paths start from. */
interface Configured {
  readonly config: { readonly store: StoreSetting };
  readonly folder: string;
}

/**
 * Opens the store of a config.
 * @param choices.elsewhere - The store to use in its place: a folder, relative to the current folder, or the address of a database.
 */
export function openStoreOf(
  { config, folder }: Configured,
  { elsewhere, opening }: { readonly elsewhere?: string; readonly opening?: StoreOpening } = {},
): Store {
  const setting = elsewhere === undefined ? config.store : storeElsewhere(config.store, elsewhere);
  return openPlacedStore({ setting, folder }, opening);
}

/**
 * Returns the setting of the store that `--store` names: a SQLite store in another folder, with the other options of the
 * setting when it is one too; or a PostgreSQL database. Throws `usage-invalid` for an address with a password.
 */
export function storeElsewhere(setting: StoreSetting, folder: string): NamedUse {
  if (isPostgresUrl(folder)) return toStoreUse(withoutPassword(folder));
  const use = toStoreUse(setting);
  const isSqlite = isSqliteStore(parseUse(use, ['store'], registry).definition);
  return withOptions(isSqlite ? use : { use: 'sqlite' }, { path: path.resolve(folder) });
}

/**
 * Opens the store of a project of a server: a folder in the server's, or a schema next to the server's, which is used
 * with a database role of the project where the server may create one. The project `main` is in the store of the server itself.
 */
export async function openStoreOfProject(
  place: PlacedStore,
  project: string,
  opening: StoreOpening = 'create',
): Promise<Store> {
  // It becomes a part of the name of a folder or of a schema.
  requireName(projectNameSchema, project, 'project');
  const { setting, folder } = place;
  const use = toStoreUse(setting);
  const { definition, options } = parseUse(use, ['store'], registry);
  const isMain = project === 'main';
  if (definition === (storeExports.postgresStore.definition as object)) {
    const { url, urlEnv, schema: own, waitMs, leaseMs } = options as unknown as PostgresSetting;
    // Names of projects have hyphens but no underscores, so that no two of them share a schema.
    const schema = isMain ? own : `${own}_${project.replaceAll('-', '_')}`;
    const address = url ?? process.env[urlEnv ?? ''] ?? '';
    const role = await prepareProjectRole(address, { schema, waitMs, leaseMs });
    return openPlacedStore({ setting: withOptions(use, { schema, role }), folder }, opening);
  }
  if (isMain) return openPlacedStore(place, opening);
  if (!isSqliteStore(definition))
    throw new TouchstoneError(
      'usage-invalid',
      `A store of the kind ${definition.name} has only the project main.`,
      {
        remedy: 'Use a folder or a PostgreSQL database.',
      },
    );
  const { path: own } = options as unknown as { readonly path: string };
  const inProject = withOptions(use, { path: path.join(own, 'projects', project) });
  return openPlacedStore({ setting: inProject, folder }, opening);
}

/** The options of a store in PostgreSQL. */
interface PostgresSetting {
  readonly url?: string;
  readonly urlEnv?: string;
  readonly schema: string;
  readonly waitMs: number;
  readonly leaseMs: number;
}

/** Returns an address that a command was given. Commands and pages repeat it, and lists of processes show it. */
export function withoutPassword(address: string): string {
  if (!isPostgresUrl(address) || secretsInUrl(address).length === 0) return address;
  throw new TouchstoneError('usage-invalid', '`--store` takes an address without a password.', {
    remedy:
      'Leave it out: it is read from `PGPASSWORD` or `~/.pgpass`. Or name the store in the config, with `urlEnv`.',
  });
}

/** Returns the folder of a SQLite store; undefined for a store of another kind. */
export function storeFolderOf({ config, folder }: Configured): string | undefined {
  return folderOfPlaced({ setting: config.store, folder });
}

/** Returns the folder of a placed SQLite store; undefined for a store of another kind. */
export function folderOfPlaced({ setting, folder }: PlacedStore): string | undefined {
  const { definition, options } = parseUse(toStoreUse(setting), ['store'], registry);
  if (!isSqliteStore(definition)) return undefined;
  return path.resolve(folder, (options as unknown as { readonly path: string }).path);
}

/** Returns the address, without its password, and the schema of a store in PostgreSQL; undefined for a store of another kind. */
export function databaseOf({
  setting,
}: PlacedStore): { readonly url: string; readonly schema: string } | undefined {
  const { definition, options } = parseUse(toStoreUse(setting), ['store'], registry);
  if (definition !== (storeExports.postgresStore.definition as object)) return undefined;
  const { url, urlEnv, schema } = options as unknown as PostgresSetting;
  const address = new URL(url ?? process.env[urlEnv ?? ''] ?? '');
  address.password = '';
  for (const name of ['password', 'sslpassword']) address.searchParams.delete(name);
  return { url: address.href, schema };
}

function isSqliteStore(definition: object): boolean {
  return definition === storeExports.sqliteStore.definition;
}

/** Returns whether there is a SQLite store in a folder. */
export function hasStore(folder: string): boolean {
  return existsSync(sqliteFileIn(folder));
}
