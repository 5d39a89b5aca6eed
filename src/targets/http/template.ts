import type { Json } from '../../schema/json.ts';

/** Gives the value of a placeholder. */
export type Resolve = (name: string) => Json;

/** Writes a value into a text; `offset` is where in the template's text its placeholder stands. */
export type Encode = (text: string, name: string, offset: number) => string;

const placeholders = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names of all placeholders in a template. Keys of objects are not templates. */
export function placeholdersIn(template: Json): string[] {
  if (typeof template === 'string') {
    return Array.from(template.matchAll(placeholders), ([, name]) => name ?? '');
  }
  if (template === null || typeof template !== 'object') return [];
  return Object.values(template).flatMap(placeholdersIn);
}

/** A text with each placeholder replaced; a value that is no text is written as JSON. */
export function fillText(template: string, resolve: Resolve, encode: Encode = (text) => text): string {
  return template.replaceAll(placeholders, (_match, name: string, offset: number) => {
    const value = resolve(name);
    return encode(typeof value === 'string' ? value : JSON.stringify(value), name, offset);
  });
}

/** JSON with each placeholder replaced; one that is all of a text keeps the type of its value. */
export function fillJson(template: Json, resolve: Resolve): Json {
  if (typeof template === 'string') {
    const [lone] = template.matchAll(placeholders);
    return lone?.[0] === template ? resolve(lone[1] ?? '') : fillText(template, resolve);
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) return template.map((item) => fillJson(item, resolve));
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, fillJson(member, resolve)]),
  );
}
