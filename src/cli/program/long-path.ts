import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';

/** The most characters of a folder, so that the files of a store in it have at most the 260 that Windows allows. */
const most = 240;

/** Throws `usage-invalid` on Windows for a folder whose path is too long for what is written and started in it. */
export function refuseLongPath(folder: string, platform: string = process.platform): void {
  const { length } = path.resolve(folder);
  if (platform !== 'win32' || length <= most) return;
  const message = `The path of the folder has ${length} characters; programs and stores on Windows work to ${most}.`;
  throw new TouchstoneError('usage-invalid', message, {
    remedy: 'Move the project to a shorter path, such as C:\\evals; nothing was asked.',
  });
}
