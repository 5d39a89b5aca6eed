import { existsSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import { displayPath } from './text/display-path.ts';

/** The name of the file that makes a folder a held-out set: the store and the ledger of the referee. */
export const refereeFile = 'referee.db';

/** Throws `held-out` for a folder of a referee, or a file in one: only the referee reads these. */
export function refuseHeldOut(place: string): void {
  const folders = [place, path.dirname(place)];
  const held = folders.find((folder) => existsSync(path.join(folder, refereeFile)));
  if (held === undefined) return;
  throw new TouchstoneError('held-out', `${displayPath(held)} belongs to the referee.`);
}
