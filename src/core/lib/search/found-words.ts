const longestWord = 60;

/** Returns the letters that follow a place in a text. */
export function lettersAfter(text: string, place: number): string {
  return /^[\p{L}\p{M}]*/u.exec(text.slice(place, place + longestWord))?.[0] ?? '';
}

/** Returns the letters that a text ends with. */
export function lastWord(text: string): string {
  return /[\p{L}\p{M}]+$/u.exec(text.slice(-longestWord))?.[0] ?? '';
}

const longestQuote = 40;

/** Returns a text on one line, cut where it is long. */
export function clip(text: string): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  return plain.length <= longestQuote ? plain : `${plain.slice(0, longestQuote - 1).toWellFormed()}…`;
}

/** Returns a text without the quotes, brackets and punctuation at its ends. */
export function trimMarks(text: string): string {
  return text.replace(/^[\s"'“”„«»()[\],;:*_`]+|[\s"'“”„«»()[\],;:.!?*_`]+$/gu, '');
}
