import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** The time after which a stored secret is replaced, in milliseconds: a week. */
const longestMs = 7 * 86_400_000;
/** The number of random bytes of a secret. */
const size = 32;

/**
 * Returns the secret of the cookie of a server over a store at a port: the same after a restart, so that pages that are open in a browser
 * go on, and another one for every other port and store. It follows from random bytes in a folder for temporary files that this user
 * alone can enter; where there is no such folder, it is a new one at every start.
 */
export function keptSecret(port: number, store: string, folder: string = usualFolder()): string {
  return createHmac('sha256', keptBytes(folder)).update(`${port} ${store}`).digest('base64url');
}

function usualFolder(): string {
  return path.join(tmpdir(), `touchstone-view-${userInfo().uid}`);
}

function keptBytes(folder: string): Buffer {
  const fresh = randomBytes(size);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOnlyOurs(folder, 'folder')) return fresh;
    const file = path.join(folder, 'secret');
    const kept = readKept(file);
    if (kept !== undefined) return kept;
    writeFileSync(file, fresh, { mode: 0o600 });
    // Another process may have written its own at the same moment.
    return readKept(file) ?? fresh;
  } catch {
    // Pages that are open have to be opened again after a restart.
    return fresh;
  }
}

/** Returns the bytes of a file that is young and that no other user can read. */
function readKept(file: string): Buffer | undefined {
  try {
    if (!isOnlyOurs(file, 'file') || Date.now() - lstatSync(file).mtimeMs > longestMs) return undefined;
    const bytes = readFileSync(file);
    return bytes.length === size ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a folder or file is no link, and belongs to this user alone. Windows has a temporary folder for each user. */
function isOnlyOurs(place: string, kind: 'file' | 'folder'): boolean {
  const found = lstatSync(place);
  if (kind === 'file' ? !found.isFile() : !found.isDirectory()) return false;
  if (process.platform === 'win32') return true;
  return found.uid === userInfo().uid && (found.mode & 0o077) === 0;
}
