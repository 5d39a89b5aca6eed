import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Fault } from './fault.ts';

/** A result whose end is missing: the end of a list or text in it if there is one, else the end of its JSON. */
export const truncated: Fault = {
  kind: 'truncated',
  version: 1,
  summary: 'The end of the result is missing: the last rows, or the rest of a text.',
  corrupt: (result, random) => {
    const share = 0.25 + random.next() / 2;
    if (typeof result === 'string') return cutText(result, share);
    const longest = findLongest(result);
    return longest === undefined ? cutText(JSON.stringify(result), share) : cutAt(result, longest, share);
  },
};

const fewestItems = 2;
const shortestText = 40;

/** A list or a text inside a result: the keys that lead to it, and its length as JSON. */
interface Spot {
  readonly path: readonly string[];
  readonly length: number;
}

/** Returns the longest list or text that can be cut; undefined when there is none. */
function findLongest(value: Json, path: readonly string[] = []): Spot | undefined {
  const isCuttable = Array.isArray(value)
    ? value.length >= fewestItems
    : typeof value === 'string' && value.length >= shortestText;
  if (isCuttable) return { path, length: JSON.stringify(value).length };
  if (!isContainer(value)) return undefined;
  const inside = Object.entries(value).flatMap(([key, member]) => findLongest(member, [...path, key]) ?? []);
  return inside.toSorted((a, b) => b.length - a.length)[0];
}

function cutAt(value: Json, { path: [key, ...path], length }: Spot, share: number): Json {
  if (key === undefined) return cut(value, share);
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? cutAt(item, { path, length }, share) : item));
  }
  const record = value as { readonly [key: string]: Json };
  return { ...record, [key]: cutAt(record[key] as Json, { path, length }, share) };
}

function cut(value: Json, share: number): Json {
  if (Array.isArray(value)) return value.slice(0, Math.max(1, Math.floor(value.length * share)));
  return typeof value === 'string' ? cutText(value, share) : value;
}

/** Returns the beginning of a text, in whole characters. */
function cutText(text: string, share: number): string {
  const characters = Array.from(text);
  return characters.slice(0, Math.floor(characters.length * share)).join('');
}
