import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import type { Json } from '../../../core/schema/json.ts';

/** A part of what a good answer contains, in words. */
export interface ExpectedPart {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Lists what a good answer contains, the reference answer first, without the braces and quotation marks of JSON. */
export function listExpectedParts(expected: Expected): ExpectedPart[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, texts: [value].flat().map((one) => sayValue(one as Json)) }],
  );
}

/** The deepest nesting that is said in words; what is deeper is JSON. */
const deepest = 6;

/** Says a value in words: `cancel_order(id: 4711)`, `contains(value: cancelled)`, `booking: (time: 15:00, paid: yes)`. */
function sayValue(value: Json, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!isContainer(value) || depth > deepest) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((one) => sayValue(one, depth + 1)).join(', ');
  const entries = Object.entries(value);
  const named = entries.find(([key, one]) => titles.includes(key) && typeof one === 'string');
  if (named === undefined) return entries.map(([key, one]) => sayEntry(key, one, depth)).join(', ');
  const rest = entries.filter((entry) => entry !== named);
  const [only] = rest;
  const given = rest.length === 1 && only?.[0] === 'arguments' ? only[1] : undefined;
  const inside = isContainer(given) && !Array.isArray(given) ? Object.entries(given) : rest;
  const said = inside.map(([key, one]) => sayEntry(key, one, depth)).join(', ');
  return said === '' ? String(named[1]) : `${String(named[1])}(${said})`;
}

/** The members that name the object they are in. */
const titles: readonly string[] = ['name', 'use', 'id', 'label'];

function sayEntry(key: string, value: Json, depth: number): string {
  const said = sayValue(value, depth + 1);
  return isContainer(value) ? `${key}: (${said})` : `${key}: ${said}`;
}
