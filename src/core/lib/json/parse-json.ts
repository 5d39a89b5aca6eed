import { exactNumber } from './exact-number.ts';

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

/** Parses JSON with all digits of its numbers; returns the second value for another text. */
export function tryParseJson(text: string, otherwise?: unknown): ReturnType<typeof JSON.parse> {
  try {
    return parseJson(text);
  } catch {
    return otherwise;
  }
}

/** The parts of a text that every number of 16 digits, with a point or without, and every exponent of three digits has: quick to find. */
const hint = /\d(?:\d{7}|[eE][+\d-]\d\d)/g;

/** Returns whether a text may hold a number that a double loses, in time that grows with its length. */
function hasLongNumber(text: string): boolean {
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const [start, end] = numberAround(text, found.index);
    const number = mayBeNumber(text, start, end) ? text.slice(start, end) : '';
    if (!isShort(number) && typeof exactNumber(number) === 'object') return true;
    hint.lastIndex = end;
  }
  return false;
}

/** Returns whether a double holds all digits of a number, whatever they are. */
function isShort(number: string): boolean {
  return number.length <= 15 && !/[eE]/.test(number);
}

/** Returns where the characters of numbers around a digit begin and end. */
function numberAround(text: string, at: number): [start: number, end: number] {
  let start = at;
  while (start > 0 && isOfNumber(text.charCodeAt(start - 1))) start -= 1;
  let end = at + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end += 1;
  return [start, end];
}

/** Digits, `+`, `-`, `.`, `E` and `e`. */
function isOfNumber(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  return code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
}

/** Returns whether JSON may have a number at a place, by its surroundings. Most digits are in texts. */
function mayBeNumber(text: string, start: number, end: number): boolean {
  return (
    (start === 0 || ' \t\r\n,:['.includes(text.charAt(start - 1))) && ' \t\r\n,]}'.includes(text.charAt(end))
  );
}

function revive(_key: string, value: unknown, { source }: ReviverContext): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return exactNumber(source);
}
