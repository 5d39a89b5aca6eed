/** Words that say nothing about the subject of a question or a passage. */
const stopWords = new Set(
  `a about all an and any are as at be been but by can could did do does for from get had has
  have how i if in into is it its may me might must my need of on one or our please shall
  should so tell than that the their them then there these they this to up us was we were what
  when where which who why will with would you your`.split(/\s+/),
);

/** Splits a text into lower-cased words; a number keeps its inner commas and a possessive loses its 's. */
export function tokenize(text: string): string[] {
  const plain = text.toLowerCase().replaceAll('’', "'");
  const words = plain.match(/[a-z0-9]+(?:[',.-][a-z0-9]+)*/g) ?? [];
  return words.map((word) => word.replace(/'s$/, ''));
}

/** The words of a text that carry its subject. */
export function contentWords(text: string): string[] {
  return tokenize(text).filter((word) => !stopWords.has(word));
}
