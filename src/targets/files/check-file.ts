import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../errors.ts';
import { nearestName } from '../../lib/nearest-name.ts';

/** A file that a setting of a target names. */
export interface NamedFile {
  /** Absolute. */
  readonly file: string;
  /** As the setting says it. */
  readonly shown: string;
  readonly setting: string;
}

/** Throws `target-invalid` where there is no such file, with the nearest name that is there. */
export async function checkFile({ file, shown, setting }: NamedFile): Promise<void> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile()) return;
  if (status !== undefined) {
    throw new TouchstoneError('target-invalid', `${shown} is a folder; \`${setting}\` must name a file.`);
  }
  const names = await readdir(path.dirname(file)).catch(() => []);
  const nearest = nearestName(path.basename(file), names);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new TouchstoneError('target-invalid', `There is no file ${shown}.${hint}`, {
    remedy: `Correct \`${setting}\`; it is relative to the folder of the config file.`,
  });
}
