import { z } from 'zod';

const folder = z.string().min(1);

/** Where runs are kept, and what a write survives. */
export const storeSettingSchema = z.union([
  folder,
  z.strictObject({
    path: folder.default('.touchstone').describe('The folder, relative to the config file.'),
    durability: z
      .enum(['process', 'power'])
      .default('process')
      .describe(
        'What an answer that was kept survives: the end of the process, however it ends, or a power cut as well. Then ' +
          'every write waits for the disk, 0.3 to 3 ms each.',
      ),
  }),
]);

/** A setting of the store with nothing left out. */
export interface StoreSetting {
  /** The folder. */
  readonly path: string;
  readonly durability: 'process' | 'power';
}

/** Reads a setting in either form. */
export function parseStoreSetting(setting: z.output<typeof storeSettingSchema>): StoreSetting {
  return typeof setting === 'string' ? { path: setting, durability: 'process' } : setting;
}
