/** A text, or a bare number that JSON does not have. A text is matched so that a NaN within it is left alone. */
const textOrNaN = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses JSON in which other programs wrote `NaN`, `Infinity` and `-Infinity` as Python does; each becomes the text of
 * that name. Throws `SyntaxError`.
 */
export function parseJsonWithNaN(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError) || !/\b(?:NaN|Infinity)\b/.test(text)) throw error;
    return JSON.parse(text.replaceAll(textOrNaN, (found) => (found.startsWith('"') ? found : `"${found}"`)));
  }
}
