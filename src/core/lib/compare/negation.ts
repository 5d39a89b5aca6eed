import type { Span } from './term.ts';

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
