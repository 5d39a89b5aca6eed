/** A place in a folded text where something was found. */
export interface Occurrence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const letter = /^[\p{L}\p{M}]/u;
const digit = /^\p{N}/u;
const letterOrDigit = /^[\p{L}\p{M}\p{N}]/u;
const spaceless =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns whether a text that was found begins there, and not within a word, a number, an id or an address. */
export function beginsThere({ text, start, end }: Occurrence): boolean {
  const first = characterAt(text, start);
  const before = characterBefore(text, start);
  const piece = firstPiece(text, start, end);
  if (letter.test(first))
    return beginsWord(text, start, first) && !(piece.includes('@') && isContinuedBefore(text, start, piece));
  if (digit.test(first)) return beginsNumber(text, start) && !isContinuedBefore(text, start, piece);
  // A name that begins with a mark, such as `.env` or `--force`, is not the end of a longer one.
  const isName = (first === '.' || first === '-') && letterOrDigit.test(characterAt(text, start + 1) || '');
  return !(isName || piece.startsWith('--')) || !(letterOrDigit.test(before) || before === first);
}

/** Letters that Arabic and Hebrew write together with the next word: "and", "the", "in", "to". */
const attached =
  /(?:^|[^\p{L}\p{M}])(?:[\u0648\u0641\u0628\u0643\u0644\u0633]{0,2}(?:\u0627\u0644)?|[\u05d5\u05d4\u05d1\u05db\u05dc\u05de\u05e9]{1,3})$/u;
const semitic = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** A prefix with a hyphen that makes a word the opposite of what it is. */
const negatingPrefix = /(?:^|[^\p{L}\p{M}])(?:non|un|nicht)-$/u;
const reach = 8;

function beginsWord(text: string, start: number, first: string): boolean {
  const before = characterBefore(text, start);
  const earlier = () => text.slice(Math.max(0, start - reach), start);
  if (!letter.test(before)) return before !== '-' || !negatingPrefix.test(earlier());
  if (spaceless.test(first) || spaceless.test(before)) return true;
  if (text.startsWith('not', start) && /(?:^|[^\p{L}])can$/u.test(earlier()))
    return !letter.test(characterAt(text, start + 3));
  return semitic.test(first) && attached.test(earlier());
}

/** A digit, a decimal mark, a sign, or a letter that makes it a part of a name. */
const withinNumber = /\p{N}(?:[.,])?$|(?:^|[^\p{L}\p{N})\]])-$|_$/u;

function beginsNumber(text: string, start: number): boolean {
  const before = characterBefore(text, start);
  return !isSpacedLetter(before) && !withinNumber.test(text.slice(Math.max(0, start - 2), start));
}

/** Returns whether what was found ends there, and not within a number, an id or an address; letters after it may go on. */
export function endsThere({ text, start, end }: Occurrence): boolean {
  const last = characterBefore(text, end);
  const piece = lastPiece(text, start, end);
  if (digit.test(last)) {
    if (!endsNumber(text, end, piece)) return false;
  } else if (!letter.test(last)) return true;
  const isSign = text.startsWith('#', end) || text.startsWith('++', end);
  return !(isSign && end - start === 1) && !isContinuedAfter(text, end, piece);
}

const ordinalOrUnit = /^(?:(?:st|nd|rd|th|am|pm|h)(?![\p{L}\p{N}])|\p{L}{2})/u;
const date = /^\d{4}-\d\d-\d\d$/;

function endsNumber(text: string, end: number, piece: string): boolean {
  const after = text.slice(end, end + 5);
  if (/^(?:[.,])?\p{N}/u.test(after)) return false;
  if (!isSpacedLetter(characterAt(text, end))) return true;
  // An ordinal's ending or a unit, and no part of a name such as `GPT-4o`.
  return date.test(piece) ? /^t\d/.test(after) : !/\p{L}/u.test(piece) && ordinalOrUnit.test(after);
}

/** Returns whether a digit at an end of what was found is not a part of a longer number. */
export function isWholeNumber({ text, start, end }: Occurrence): boolean {
  return (
    (!digit.test(characterAt(text, start)) ||
      !withinNumber.test(text.slice(Math.max(0, start - 2), start))) &&
    (!digit.test(characterBefore(text, end)) || !/^(?:[.,])?\p{N}/u.test(text.slice(end, end + 3)))
  );
}

const longestPiece = 200;

/** Returns the last of the pieces between spaces of what was found. */
function lastPiece(text: string, start: number, end: number): string {
  const found = text.slice(Math.max(start, end - longestPiece), end);
  return found.slice(found.lastIndexOf(' ') + 1);
}

function firstPiece(text: string, start: number, end: number): string {
  const [piece = ''] = text.slice(start, Math.min(end, start + longestPiece)).split(' ', 1);
  return piece;
}

/** An id, a version, an option or an address, and no word. */
const name = /\p{N}|^[-.@/\\#]|[\p{L}\p{N}][@._/\\:][\p{L}\p{N}]/u;

/** Returns whether an id, a version or an address goes on after what was found: `1.2` in `1.2.3`. */
function isContinuedAfter(text: string, end: number, piece: string): boolean {
  const mark = text.charAt(end);
  if (!/[-._/:@\\]/.test(mark) || !name.test(piece)) return false;
  const after = text.slice(end + 1, end + 6);
  if (!letterOrDigit.test(after)) return false;
  if (mark === '_') return true;
  const isAfterDigit = /\p{N}$/u.test(piece);
  // `3-unit` and `COVID-19-related` go on as words, `GPT-4-x` and `83-45-1` as names.
  if (mark === '-' && isAfterDigit)
    return digit.test(after) ? /[-\p{L}]/u.test(piece) : !/^\p{L}{4}/u.test(after);
  return piece.includes(mark) && !(mark === '.' && isAfterDigit && letter.test(after));
}

/** Returns whether an id, a version or an address has begun before what was found: `2.3` in `1.2.3`. */
function isContinuedBefore(text: string, start: number, piece: string): boolean {
  const mark = text.charAt(start - 1);
  return /[-._/:\\]/.test(mark) && piece.includes(mark) && letterOrDigit.test(text.charAt(start - 2));
}

/** Returns the character at a place; empty at the end. */
export function characterAt(text: string, place: number): string {
  const code = text.codePointAt(place);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Returns the character before a place; empty at the beginning. */
export function characterBefore(text: string, place: number): string {
  if (place <= 0) return '';
  const isLow = (text.charCodeAt(place - 1) & 0xfc00) === 0xdc00;
  return characterAt(text, isLow ? place - 2 : place - 1);
}

/** Returns whether a character is a letter of a script that is written with spaces between words. */
export function isSpacedLetter(character: string): boolean {
  return letter.test(character) && !spaceless.test(character);
}
