import { z } from 'zod';

const folder = z.string().min(1);

/** The schema of the `store` setting: where runs are kept, and what a write survives. */
export const storeSettingSchema = z.union([
  folder,
  z.strictObject({
    path: folder.default('.touchstone').describe('The folder, relative to the config file.'),
    durability: z
      .enum(['process', 'power'])
      .default('process')
      .describe(
        'What a stored answer survives: the end of the process, however it ends, or a power cut as well. For `power`, ' +
          'every write waits for the disk, 0.3 to 3 ms each.',
      ),
  }),
]);

/** The setting of the store with its defaults filled in. */
export interface StoreSetting {
  /** The folder, relative to that of the config. */
  readonly path: string;
  readonly durability: 'process' | 'power';
}

/** Returns the full setting for either of its forms. */
export function parseStoreSetting(setting: z.output<typeof storeSettingSchema>): StoreSetting {
  return typeof setting === 'string' ? { path: setting, durability: 'process' } : setting;
}
