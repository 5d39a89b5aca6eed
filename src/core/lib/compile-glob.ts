/**
 * Splits a pattern at its stars, and returns the texts between them. `\*` is a star and `\\` a backslash; any other character,
 * a backslash before another one included, stands for itself.
 */
export function globParts(pattern: string): string[] {
  const parts = [''];
  for (const [piece] of pattern.matchAll(/\\[\\*]|[^]/g)) {
    if (piece === '*') parts.push('');
    else parts[parts.length - 1] += piece.length === 2 ? piece.charAt(1) : piece;
  }
  return parts;
}

/** Returns the pattern that matches a text and nothing else. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*]/g, String.raw`\$&`);
}

/**
 * Returns a function that matches whole texts with a pattern in which `*` stands for any text and every other character
 * for itself; see {@link globParts}. Each character of a text is read about once, however many stars there are.
 */
export function compileGlob(
  pattern: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): (text: string) => boolean {
  const fold = ignoreCase ? foldCase : (text: string) => text;
  const [first = '', ...others] = globParts(pattern).map(fold);
  const last = others.pop();
  if (last === undefined) return (text) => fold(text) === first;
  return (text) => {
    const folded = fold(text);
    if (!folded.startsWith(first)) return false;
    let from = first.length;
    // The earliest match of each part leaves the most text for the parts after it.
    for (const part of others) {
      const at = folded.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return folded.length - last.length >= from && folded.endsWith(last);
  };
}

/** Folds letter case as `RegExp` does with the flag `i`: character by character. */
function foldCase(text: string): string {
  return Array.from({ length: text.length }, (_, index) => foldUnit(text.charAt(index))).join('');
}

function foldUnit(unit: string): string {
  const capital = unit.toUpperCase();
  // `ß` has two capitals, and the capital of `ſ` is S: both stay as they are.
  const isOther = capital.length !== 1 || (unit > '\u{7f}' && capital <= '\u{7f}');
  return isOther ? unit : capital;
}
