import { functionWords, type Span, type Term } from './term.ts';

const contrasts = new Set(
  'but however although though whereas while yet except sondern aber jedoch mais pero sino mas ma però maar но а'.split(
    ' ',
  ),
);
/**
 * Returns whether one of two texts denies what the other affirms. Only denials in a clause that shares a word with the
 * expected text count: `It is 42, no more questions` does not deny 42.
 */
export function hasOtherDenial(given: readonly Term[], wanted: readonly Term[], text: string): boolean {
  const isExpected = wanted.some(({ kind }) => kind === 'not');
  if (!isExpected && !given.some(({ kind }) => kind === 'not')) return false;
  const expected = new Set(
    wanted.flatMap(({ kind, key }) => (kind === 'not' || functionWords.has(key) ? [] : [key])),
  );
  const isDenied = clausesOf(given, text).some(
    (clause) =>
      clause.some(({ kind }) => kind === 'not') &&
      (expected.size === 0 || clause.some(({ key }) => expected.has(key))),
  );
  return isDenied !== isExpected || deniesOthers(given, wanted);
}

/** Returns whether one text denies more often, and what the other affirms: `I cannot help, and we can not check.` */
function deniesOthers(given: readonly Term[], wanted: readonly Term[]): boolean {
  const [first, second] = [deniedIn(given), deniedIn(wanted)];
  if (first.length === second.length) return false;
  const [more, fewer, other] =
    first.length > second.length ? [first, second, wanted] : [second, first, given];
  const affirmed = new Set(other.flatMap(({ kind, key }) => (kind === 'not' ? [] : [key])));
  return more.some((word) => affirmed.has(word) && !fewer.includes(word));
}

const mostDenials = 200;

/** Returns the word that each denial is about: the next one that states something. */
function deniedIn(terms: readonly Term[]): string[] {
  return terms
    .slice(0, 20_000)
    .flatMap(({ kind }, index) => {
      if (kind !== 'not') return [];
      const word = terms.slice(index + 1, index + 6).find(({ key }) => !functionWords.has(key));
      return word === undefined ? [] : [word.key];
    })
    .slice(0, mostDenials);
}

function clausesOf(terms: readonly Term[], text: string): Term[][] {
  const clauses: Term[][] = [[]];
  let end = 0;
  for (const term of terms) {
    const isNew =
      term.start > end && /[.!?;:,](?:\s|$)|[()]/u.test(text.slice(end, Math.min(term.start, end + 200)));
    if (isNew || contrasts.has(term.key)) clauses.push([]);
    clauses.at(-1)?.push(term);
    end = term.end;
  }
  return clauses;
}

/** The most phrases that are looked at: an answer with more says nothing. */
const mostAffirmations = 50;

/** Words that turn a statement into its opposite, in lower case with plain apostrophes. */
const negators = new Set(
  [
    'not no never none nothing nobody nowhere neither nor without cannot non',
    'nicht kein keine keinen keiner keines keinem nie niemals ohne weder',
    'pas jamais aucun aucune sans',
    'nunca sin ningún ninguna ninguno não sem nenhum nenhuma senza nessun nessuna nessuno',
    'niet geen nooit zonder inte ikke ingen inget bez',
    'не нет без никогда',
    'لا ليس ليست لم لن بدون',
    'לא אין בלי',
    'नहीं',
  ]
    .join(' ')
    .split(' '),
);

/** Phrases with such a word that deny nothing. */
const affirmations =
  /(?<!\p{L})(?:not (?:only|just|merely|simply|to mention)|no (?:doubt|problem|worries|later than|more than|less than|fewer than|longer than|earlier than)|not (?:more|less|fewer|later|earlier) than|nothing but|without (?:a )?doubt|nicht nur|(?:pas|non) seulement|no s[oó]lo|non solo|não (?:só|apenas)|niet alleen)(?!\p{L})/giu;

/** Parts of words that deny in languages that put no spaces between words. */
const gluedNegators =
  /不是|不会|不會|不能|不可|不包|没有|沒有|无法|無法|并非|並非|禁止|ません|なかった|ない|없|않|아니/gu;

/** Returns whether a word, in lower case, denies: `not`, `isn't`, `never`. */
export function isNegator(word: string): boolean {
  return negators.has(word) || word.endsWith("n't");
}

/** Returns the place of each phrase that only looks like a negation. */
export function findAffirmations(text: string): Span[] {
  const found = Array.from(text.matchAll(affirmations), ({ 0: phrase, index }) => ({
    start: index,
    end: index + phrase.length,
  }));
  return found.slice(0, mostAffirmations);
}

/** Returns how often a text in a language without spaces denies. */
export function countGluedNegators(text: string): number {
  return text.match(gluedNegators)?.length ?? 0;
}
