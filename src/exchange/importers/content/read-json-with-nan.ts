import { parseJson } from '../../../core/lib/json/parse-json.ts';
/** A text, or a bare number that JSON does not have. A text is matched so that a NaN within it is left alone. */
const textOrNaN = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses JSON in which other programs wrote `NaN`, `Infinity` and `-Infinity` as Python does; each becomes the text of
 * that name. Throws `SyntaxError`.
 */
export function parseJsonWithNaN(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError) || !/\b(?:NaN|Infinity)\b/.test(text)) throw error;
    return parseJson(text.replaceAll(textOrNaN, (found) => (found.startsWith('"') ? found : `"${found}"`)));
  }
}

const [quote, backslash, openList, closeList, openObject, closeObject] = Buffer.from('"\\[]{}');

/** Returns whether lists and objects of JSON are nested in more levels than a number: each level takes memory. */
export function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length && depth <= levels; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInText = !isInText;
    else if (isInText) at += code === backslash ? 1 : 0;
    else if (code === openList || code === openObject) depth += 1;
    else if (code === closeList || code === closeObject) depth -= 1;
  }
  return depth > levels;
}
