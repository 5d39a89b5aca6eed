import { findLiteralSecret } from '../../core/lib/literal-secrets.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { toJson } from '../../evaluate/targets/reply/to-json.ts';
import type { Json } from '../../core/schema/json.ts';

/** An object of an imported file, of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns an object that is no list; undefined for anything else. */
export function asObject(value: unknown): Fields | undefined {
  return isContainer(value) && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** Returns a list; an empty one for anything else. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects in a list. */
export function objectsIn(value: unknown): Fields[] {
  return asArray(value).flatMap((each): Fields[] => {
    const object = asObject(each);
    return object === undefined ? [] : [object];
  });
}

/** Returns a text that is not empty; undefined for anything else. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a finite number; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The units of times since 1970, each with the least value that is taken for one: 2001 in seconds. */
const epochUnits = [
  { from: 1e18, perMs: 1e6 },
  { from: 1e15, perMs: 1e3 },
  { from: 1e12, perMs: 1 },
  { from: 1e9, perMs: 1e-3 },
];

/**
 * Returns a time as ISO 8601: a date and time of the usual forms, in UTC where it names no zone, or the seconds, milli-, micro- or
 * nanoseconds since 1970. Undefined for anything else.
 */
export function asTime(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  const number =
    text === undefined ? asNumber(value) : /^\d{10,19}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  const ms = number === undefined ? parseTime(text ?? '') : millisecondsOf(number);
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function millisecondsOf(number: number): number {
  const unit = epochUnits.find(({ from }) => number >= from);
  return unit === undefined ? Number.NaN : number / unit.perMs;
}

function parseTime(text: string): number {
  const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;
  const [, day, time = '00:00', zone = 'Z'] = form.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  return Date.parse(`${day}T${time}${zone.toUpperCase() === 'UTC' ? 'Z' : zone}`);
}

/**
 * Returns the members of an object that hold something, but for some: the facts of another tool that have no place of their own. What
 * seems to contain a key or a password is not among them.
 */
export function restOf(fields: Fields, used: readonly string[]): Fields {
  const isHeld = (value: unknown) =>
    value !== null &&
    value !== undefined &&
    value !== '' &&
    (!isContainer(value) || Object.keys(value).length > 0);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        !used.includes(name) && isHeld(value) && findLiteralSecret({ [name]: value }, name) === undefined,
    ),
  );
}

/** Returns an object as JSON, without the members that are undefined. */
export function jsonObject(members: Fields): Record<string, Json> {
  return toJson(members) as Record<string, Json>;
}

/** Returns a text as it is, and any other value as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJson(value) satisfies Json);
}

/** Removes the sequences with which a program colours its output in a terminal. */
export function withoutTerminalCodes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replaceAll(
    /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./g,
    '',
  );
}

/** Returns a list or an object that holds something; undefined for an empty one. */
export function filled<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
