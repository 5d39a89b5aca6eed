import { randomBytes } from 'node:crypto';

/** 32 random hexadecimal digits: a name that nothing else has. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}
