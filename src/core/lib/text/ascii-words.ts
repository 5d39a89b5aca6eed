/** The thing that begins at a character: a word, something else to read (a sign, a digit, a character beyond ASCII), or nothing. */
export type AsciiKind = 'letter' | 'nothing' | 'other';

const kinds: readonly AsciiKind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return 'letter';
  return /[\d<>=+*/^%&|~!()[\]{}:-]/.test(character) ? 'other' : 'nothing';
});

/** Returns what begins at a character. */
export function asciiKind(code: number): AsciiKind {
  return kinds[code] ?? 'other';
}

/**
 * Returns where a word ends that begins with a letter of ASCII, with the apostrophes and hyphens inside it: `don't`,
 * `mother-in-law`. Undefined where a character beyond ASCII may belong to it.
 */
export function endOfAsciiWord(text: string, start: number): number | undefined {
  let end = endOfLetters(text, start);
  while (continues(text, end, apostrophe)) end = endOfLetters(text, end + 1);
  while (continues(text, end, hyphen)) {
    end = endOfLetters(text, end + 1);
    if (continues(text, end, apostrophe)) end = endOfLetters(text, end + 1);
  }
  const next = text.charCodeAt(end);
  const isJoined = next === apostrophe || next === hyphen;
  return next > 127 || (isJoined && text.charCodeAt(end + 1) > 127) ? undefined : end;
}

const apostrophe = 0x27;
const hyphen = 0x2d;

function continues(text: string, place: number, mark: number): boolean {
  return text.charCodeAt(place) === mark && isLetter(text.charCodeAt(place + 1));
}

function endOfLetters(text: string, start: number): number {
  let end = start;
  while (isLetter(text.charCodeAt(end))) end++;
  return end;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
