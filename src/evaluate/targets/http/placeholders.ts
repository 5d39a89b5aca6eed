import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';

/** A function that returns the value of a placeholder. */
export type Resolve = (name: string) => Json;

/** A function that encodes a value for insertion into a text; `offset` is the position of its placeholder in the template. */
export type Encode = (text: string, name: string, offset: number) => string;

const placeholders = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the names of all placeholders in a template. Keys of objects are not templates. */
export function placeholdersIn(template: Json): string[] {
  if (typeof template === 'string') {
    return Array.from(template.matchAll(placeholders), ([, name]) => name ?? '');
  }
  if (!isContainer(template)) return [];
  return Object.values(template).flatMap(placeholdersIn);
}

/** Returns a text with each placeholder replaced; a value that is not a text is written as JSON. */
export function fillText(template: string, resolve: Resolve, encode: Encode = (text) => text): string {
  return template.replaceAll(placeholders, (_match, name: string, offset: number) => {
    const value = resolve(name);
    if (name === 'conversation' && value === null) return ''; // There is none before the first reply.
    return encode(typeof value === 'string' ? value : JSON.stringify(value), name, offset);
  });
}

/** Returns JSON with each placeholder replaced. A text that consists of one placeholder becomes the value, with its type. */
export function fillJson(template: Json, resolve: Resolve): Json {
  if (typeof template === 'string') {
    const [lone] = template.matchAll(placeholders);
    return lone?.[0] === template ? resolve(lone[1] ?? '') : fillText(template, resolve);
  }
  if (!isContainer(template)) return template;
  if (Array.isArray(template)) return template.map((item) => fillJson(item, resolve));
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, fillJson(member, resolve)]),
  );
}
