import type { Json } from '../../schema/json.ts';

/** Spoils a result, also one that comes as JSON in a text, as from tools of servers; other texts in a way of their own. */
export function throughText(
  result: Json,
  spoil: (value: Json) => Json,
  spoilText: (text: string) => string,
): Json {
  if (typeof result !== 'string') return spoil(result);
  const parsed = parseStructure(result);
  return parsed === undefined ? spoilText(result) : JSON.stringify(spoil(parsed));
}

/** The object or list that a text is the JSON of; undefined for any other text. */
function parseStructure(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // A text that begins with a bracket.
  }
}
