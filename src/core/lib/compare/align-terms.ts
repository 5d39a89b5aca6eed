import { functionWords, type Term } from './term.ts';

/**
 * Returns the terms of an answer and of the expected one, where one of them writes in full what the other one shortens:
 * a ratio (`3 to 1` as well as `3:1`), and in the answer the initials of a name (`NYC` for `New York City`).
 */
export function alignTerms(
  given: readonly Term[],
  wanted: readonly Term[],
): [given: readonly Term[], wanted: readonly Term[]] {
  return [spellInitials(joinRatios(given, ratiosOf(wanted)), wanted), joinRatios(wanted, ratiosOf(given))];
}

const ratio = /^\d{1,4}:\d{1,4}$/;

function ratiosOf(terms: readonly Term[]): ReadonlySet<string> | undefined {
  const found = terms.filter(({ kind, key }) => kind === 'code' && ratio.test(key));
  return found.length === 0 ? undefined : new Set(found.map(({ key }) => key));
}

/** Joins two numbers that are written as a ratio in the other text: `3 to 1`, `3 : 1`. */
function joinRatios(terms: readonly Term[], ratios: ReadonlySet<string> | undefined): readonly Term[] {
  if (ratios === undefined) return terms;
  const joined: Term[] = [];
  for (let at = 0; at < terms.length; at++) {
    const [first, next, last] = terms.slice(at, at + 3) as [Term, Term?, Term?];
    const second = next?.key === 'to' ? last : next;
    const term = second && ratioOf(first, second);
    joined.push(term !== undefined && ratios.has(term.key) ? term : first);
    if (joined.at(-1) === term) at += second === last ? 2 : 1;
  }
  return joined;
}

/** Returns two numbers as a ratio, if a word of two letters or a colon is between them, and no comma. */
function ratioOf(first: Term, second: Term): Term | undefined {
  const gap = second.start - first.end;
  if (!isPlain(first) || !isPlain(second) || gap < 3 || gap > 4) return undefined;
  const key = `${first.key}:${second.key === 'one' ? '1' : second.key}`;
  return { kind: 'code', key, text: `${first.text} : ${second.text}`, start: first.start, end: second.end };
}

function isPlain({ kind, key, quantity }: Term): boolean {
  return (
    key === 'one' || (kind === 'number' && quantity?.unit === undefined && quantity?.currency === undefined)
  );
}

const initials = /^\p{Lu}{2,5}$/u;

/** Puts the words of an expected name in the place of their initials, where they are no word of the expected text. */
function spellInitials(given: readonly Term[], wanted: readonly Term[]): readonly Term[] {
  const isShort = ({ kind, text }: Term) => kind === 'word' && initials.test(text);
  if (!given.some(isShort)) return given;
  return given.flatMap((term) => {
    const name = isShort(term) ? nameOf(term, wanted) : undefined;
    return name === undefined ? [term] : name.map((word) => ({ ...word, start: term.start, end: term.end }));
  });
}

/** Returns the words with capitals next to each other that begin with these letters; `of` and `and` may be between them. */
function nameOf({ text, key }: Term, wanted: readonly Term[]): readonly Term[] | undefined {
  if (wanted.some((term) => term.key === key)) return undefined;
  for (const [at, first] of wanted.entries()) {
    if (!first.text.startsWith(text.charAt(0))) continue;
    const words: Term[] = [];
    let found = 0;
    for (const word of wanted.slice(at)) {
      if (found === text.length || word.kind !== 'word') break;
      if (word.text.startsWith(text.charAt(found))) found++;
      else if (!functionWords.has(word.key)) break;
      words.push(word);
    }
    // Two letters are the initials of much: only of a name that is all that is expected.
    const isName = found === text.length && (found > 2 || words.length === wanted.length);
    if (isName) return words;
  }
  return undefined;
}
