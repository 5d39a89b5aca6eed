/** A part of a text that says one thing, and where it begins in UTF-16 code units. */
export interface Clause {
  readonly text: string;
  readonly index: number;
}

/** Between two clauses: the end of a sentence, a line or what a colon announces, a dash, or a word that says "but". White space is read from its beginning only. */
const boundary =
  /(?<=[.!?…;:。！？；：])(?:\s+|(?<=[。！？；：]))|(?<!\s)\s*\n+\s*|(?<!\s)\s+[—–-]\s+|(?:,|(?<!\s))\s+(?=(?:but|however|though|although|yet|nevertheless|aber|jedoch|mais|cependant|pero|sin embargo|ma|tuttavia|mas|porém|maar|echter)\b)/giu;

/** Cuts a text into clauses. White space between them belongs to none. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let index = 0;
  for (const match of text.matchAll(boundary)) {
    clauses.push({ text: text.slice(index, match.index), index });
    index = match.index + match[0].length;
  }
  clauses.push({ text: text.slice(index), index });
  return clauses.filter((clause) => clause.text.trim() !== '');
}

/** A text with spaces in place of some clauses, every other character at its place. */
export function withoutClauses(text: string, clauses: readonly Clause[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { text: left, index } of clauses.toSorted((one, other) => one.index - other.index)) {
    pieces.push(text.slice(end, index), ' '.repeat(left.length));
    end = index + left.length;
  }
  return pieces.join('') + text.slice(end);
}
