import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The first 128 bits of the SHA-256 of a text, as 32 hexadecimal digits. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** The hash of a JSON value, whatever the order of its keys. */
export function hashContent(value: unknown): string {
  return hashText(canonicalJson(value));
}
