const spaces = String.raw`\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const spaceRun = new RegExp(`[${spaces}]+`);
const oneSpace = new RegExp(`[${spaces}]`);

/**
 * Splits a text at white space, as Python's `str.split()` does. Python's white space differs from JavaScript's: it
 * includes U+001C to U+001F and U+0085, but not U+FEFF.
 */
export function splitWords(text: string): string[] {
  return text.split(spaceRun).filter((piece) => piece !== '');
}

/** Removes white space from both ends of a text, as Python's `str.strip()` does. */
export function stripSpace(text: string): string {
  return stripSpaceEnd(stripWhile(text, 'start'));
}

/** Removes white space from the end of a text, as Python's `str.rstrip()` does. */
export function stripSpaceEnd(text: string): string {
  return stripWhile(text, 'end');
}

// A regular expression anchored at the end would take quadratic time on a long run of spaces.
function stripWhile(text: string, side: 'start' | 'end'): string {
  let start = 0;
  let end = text.length;
  if (side === 'start') while (start < end && oneSpace.test(text.charAt(start))) start++;
  else while (start < end && oneSpace.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Counts the characters of a text as Python does: Unicode code points. */
export function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let index = 1; index < text.length; index++) {
    const isPair = isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1));
    if (isPair) surrogatePairs++;
  }
  return text.length - surrogatePairs;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
