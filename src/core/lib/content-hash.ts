import { hash, createHmac } from 'node:crypto';
import { ExactNumber } from './json/exact-number.ts';

/** Returns the first 128 bits of the SHA-256 of a text, as 32 hexadecimal digits. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** Returns the SHA-256 of bytes, as 64 hexadecimal digits. */
export function hashBytes(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Returns the hash of a JSON value, independent of the order of its keys. */
export function hashContent(value: unknown): string {
  return hashText(canonicalJson(value));
}

/**
 * Returns JSON with object keys in code-unit order and without `undefined`, so that equal values have equal text.
 * Throws `TypeError` for numbers that JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber)
    return primitiveJson(value);
  return Array.isArray(value) ? arrayJson(value) : objectJson(value as Record<string, unknown>);
}

function arrayJson(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
}

function objectJson(record: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const key of sortedKeys(record)) {
    const value = record[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** Sorts only where needed: most objects are sorted already, and sorting takes as long as all the rest. */
function sortedKeys(record: object): string[] {
  const keys = Object.keys(record);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
  return isSorted ? keys : keys.sort();
}

function primitiveJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${value} has no form in JSON`);
  return JSON.stringify(value) ?? 'null';
}

/** A set of hashes that takes 8 bytes a slot: 16 to 32 bytes a hash, whatever the length of the hash. */
export interface HashSet {
  /**
   * Adds a hash of at least 16 hexadecimal digits. Returns false when it, or another with the same first 16 digits, is
   * in the set already. Among a million hashes, the chance of such a collision is below one in ten million.
   */
  add(hash: string): boolean;
}

/** Creates an empty set, with linear probing over slots of two 32-bit words. */
export function createHashSet(): HashSet {
  let slots = new Uint32Array(2 * 1024);
  let size = 0;

  function put(high: number, low: number): boolean {
    const last = slots.length / 2 - 1;
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const [keptHigh, keptLow] = [slots[2 * slot], slots[2 * slot + 1]];
      if (keptHigh === high && keptLow === low) return false;
      if (keptHigh !== 0 || keptLow !== 0) continue;
      slots[2 * slot] = high;
      slots[2 * slot + 1] = low;
      return true;
    }
  }

  function grow(): void {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const [high, low] = [old[index] as number, old[index + 1] as number];
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

  return {
    add: (hash) => {
      const high = Number.parseInt(hash.slice(0, 8), 16);
      // Two zeros mark an empty slot, so no hash may be two zeros.
      const low = Number.parseInt(hash.slice(8, 16), 16) || Number(high === 0);
      const isNew = put(high, low);
      size += Number(isNew);
      if (size * 4 > slots.length) grow();
      return isNew;
    },
  };
}

/**
 * Returns the HMAC-SHA-256 of a text, such as the id of a user, as 32 hexadecimal digits.
 * @param secret - The key, in hexadecimal digits.
 */
export function keyedHash(text: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex').slice(0, 32);
}
