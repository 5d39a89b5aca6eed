import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type Fault, corruptResult } from './fault.ts';

/** A result that is not in the form that the tool promises. */
export const malformed: Fault = {
  kind: 'malformed',
  version: 1,
  summary: 'The result cannot be read: an HTML page, broken JSON, values of the wrong type, garbled text.',
  corrupt: (result, random) => {
    const ways = isStructured(result)
      ? [htmlPage, breakJson, (value: Json) => corruptResult(value, confuseTypes, garble)]
      : [htmlPage, (value: Json) => garble(String(value))];
    return (ways[random.integer(ways.length)] as (value: Json) => Json)(result);
  },
};

function isStructured(result: Json): boolean {
  if (typeof result === 'string') return /^\s*[[{]/.test(result);
  return isContainer(result);
}

function htmlPage(): string {
  return (
    '<!DOCTYPE html>\n<html><head><title>Please sign in</title></head>\n' +
    '<body><h1>Please sign in</h1><form method="post"></form></body></html>'
  );
}

/** Returns half of the JSON with wrong quotation marks, as in JSON that was assembled by hand. */
function breakJson(result: Json): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const half = Array.from(text).slice(0, Math.ceil(text.length / 2));
  return `${half.join('').replaceAll('"', "'")}, undefined`;
}

/** Returns the value with the type of every member lost and all keys in place. */
function confuseTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(confuseTypes);
  if (isContainer(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, confuseTypes(member)]));
  }
  return isNumber(value) ? 'NaN' : '[object Object]';
}

/** Replaces every letter and digit that a wrong encoding would lose, and every third of the others. */
function garble(text: string): string {
  return Array.from(text, (character, index) =>
    /[\p{L}\p{N}]/u.test(character) && (index % 3 === 0 || character > '~') ? '\ufffd' : character,
  ).join('');
}
