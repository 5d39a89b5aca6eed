import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export function sha256Of(file: string): string {
  return sha256(readFileSync(file));
}
