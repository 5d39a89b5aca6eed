import { randomBytes } from 'node:crypto';

/** Returns 32 random hexadecimal digits, as a unique name. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}
