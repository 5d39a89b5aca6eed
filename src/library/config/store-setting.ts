import { z } from 'zod';
import type { NamedUse } from '../../core/lib/define.ts';
import { isPostgresUrl } from '../../stores/postgres/url.ts';

/** The forms of the setting. The options of the kind of store are checked when it is looked up. */
const forms = z.union([z.string().min(1), z.looseObject({ use: z.string().min(1).optional() })]);

/** The `store` setting: a folder, the address of a PostgreSQL database, a store with its options, or the options of the SQLite store alone. */
export type StoreSetting =
  | string
  | NamedUse
  | { readonly path?: string; readonly durability?: 'process' | 'power'; readonly lockWaitMs?: number };

/**
 * The schema of the `store` setting: where runs are stored. The value is passed on rather than copied, so that one made by the
 * factory of a user's own store still knows its definition.
 */
export const storeSettingSchema: z.ZodType<StoreSetting, StoreSetting> = z
  .any()
  .superRefine((value, context) => {
    for (const issue of forms.safeParse(value).error?.issues ?? []) {
      context.addIssue({ ...issue, continue: false });
    }
  })
  .meta({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] });

/** Returns the store that a setting names; an object without `use` contains the options of the SQLite store. */
export function toStoreUse(setting: StoreSetting): NamedUse {
  if (typeof setting === 'string')
    return isPostgresUrl(setting) ? { use: 'postgres', url: setting } : { use: 'sqlite', path: setting };
  return 'use' in setting ? setting : { use: 'sqlite', ...setting };
}
