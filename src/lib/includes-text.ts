/** Steps that the engine's own search takes at most where it is used: some milliseconds. */
const fewSteps = 1e7;

/**
 * What `text.includes(wanted)` says. The engine's search may take the product of the lengths for texts that repeat themselves; for long
 * ones this takes their sum (Knuth, Morris and Pratt, 1977).
 */
export function includesText(text: string, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  if (wanted.length * text.length <= fewSteps) return text.includes(wanted);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let place = 0; place < text.length; place++) {
    matched = advance(matched, text.charCodeAt(place), wanted, borders);
    if (matched === wanted.length) return true;
  }
  return false;
}

/** For each length of a beginning of a text: how long the longest beginning is that it also ends with, other than itself. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1);
  let matched = 0;
  for (let place = 1; place < text.length; place++) {
    matched = advance(matched, text.charCodeAt(place), text, borders);
    borders[place + 1] = matched;
  }
  return borders;
}

/** How much of a text is matched with one character more. */
function advance(before: number, code: number, wanted: string, borders: Int32Array): number {
  let matched = before;
  while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched] ?? 0;
  return wanted.charCodeAt(matched) === code ? matched + 1 : matched;
}
