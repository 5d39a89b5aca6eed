import { ExactNumber } from '../json/exact-number.ts';
import { shorten } from './terminal-text.ts';

const shownCharacters = 60;

/** Describes a value in a few words, for messages about a value of the wrong kind. Never throws. */
export function describeValue(value: unknown): string {
  try {
    return describe(value);
  } catch {
    return `an unreadable ${typeof value}`;
  }
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the text "${shorten(value, shownCharacters)}"`;
    case 'number':
      return Number.isFinite(value) ? `the number ${value}` : String(value);
    case 'function':
      return `the function ${value.name || '(without a name)'}`;
    case 'object':
      return value === null ? 'null' : describeObject(value);
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (value instanceof ExactNumber) return `the number ${shorten(value.digits, shownCharacters)}`;
  const className: unknown = value.constructor?.name;
  if (typeof className === 'string' && !['', 'Object'].includes(className)) return `a ${className}`;
  const keys = Object.keys(value);
  const word = keys.length === 1 ? 'key' : 'keys';
  return keys.length === 0 ? 'an empty object' : `an object with the ${word} ${listKeys(keys)}`;
}

/** Lists the first keys of an object in one line. */
export function listKeys(keys: readonly string[]): string {
  const shown = keys
    .slice(0, 12)
    .map((key) => shorten(key, shownCharacters))
    .join(', ');
  return keys.length > 12 ? `${shown} and ${keys.length - 12} more` : shown;
}
