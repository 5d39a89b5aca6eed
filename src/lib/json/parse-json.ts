import { exactNumber } from './exact-number.ts';

/** Four digits and signs as every long number and every long exponent contains them: quick to look for. */
const hint = /\d[\d.eE+-][\d.+-]\d\d/;

/** A number of 16 digits and more, or with an exponent of three, where JSON may have one. */
const longNumber = /(?<![^\s,:[])-?(?:[\d.]{16,}(?:[eE][+-]?\d+)?|[\d.]+[eE][+-]?\d{3,})(?![^\s,\]}])/g;

/** The text of a value, which a reviver receives; TypeScript's libraries do not declare it yet. */
interface ReviverContext {
  readonly source?: string;
}

/**
 * Parses JSON as `JSON.parse` does, and keeps all digits of numbers: those that a double would
 * lose become an `ExactNumber`. Throws `SyntaxError` for another text.
 */
export function parseJson(text: string): ReturnType<typeof JSON.parse> {
  if (!hasLongNumber(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  } catch (error) {
    // What is nested too deeply for a reviver is too deep for everything that would read the digits.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Returns whether a text may hold a number that a double loses. Most texts have nothing that looks like one. */
function hasLongNumber(text: string): boolean {
  if (!hint.test(text)) return false;
  for (const [found] of text.matchAll(longNumber)) {
    if (typeof exactNumber(found) === 'object') return true;
  }
  return false;
}

function revive(_key: string, value: unknown, { source }: ReviverContext): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return exactNumber(source);
}
