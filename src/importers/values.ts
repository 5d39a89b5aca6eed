import { isContainer } from '../lib/json/is-container.ts';
import { toJson } from '../targets/reply/to-json.ts';
import type { Json } from '../schema/json.ts';
import type { JsonObject } from './importer.ts';

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

/** Returns an object as JSON, without the members that are undefined. */
export function jsonObject(members: Fields): JsonObject {
  return toJson(members) as JsonObject;
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
