import { isContainer } from '../json/is-container.ts';
import { parseJson } from '../json/parse-json.ts';
import { formatJson } from './format-json.ts';

/** The longest text that is looked at, in UTF-16 code units, and the deepest nesting: laying out takes time by both. */
const most = { length: 100_000, depth: 30 };

/** Returns a text that is a JSON object or list with its parts on lines of their own; undefined for any other text. */
export function readJsonText(text: string, width: number): string | undefined {
  const trimmed = text.trim();
  if (!/^(?:\{[^]*\}|\[[^]*\])$/.test(trimmed) || trimmed.length > most.length) return undefined;
  if (isDeeper(trimmed, most.depth)) return undefined;
  try {
    const value: unknown = parseJson(trimmed);
    return isContainer(value) ? formatJson(value, width) : undefined;
  } catch {
    // The text only looks like JSON.
    return undefined;
  }
}

/** Returns whether brackets are nested deeper than a limit, those within texts included. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
