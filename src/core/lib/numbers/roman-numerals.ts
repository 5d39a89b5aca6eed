const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
const numeral = /^(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
/** Numerals that usually mean something else: a size, a carbon copy, a curriculum vitae. */
const others = new Set(['XL', 'XC', 'CC', 'CV', 'CL', 'CI', 'LI', 'LV', 'XX']);
/** Words after which even one letter is a number: `World War I`. */
const counting =
  /(?<!\p{L})(?:war|part|chapter|volume|book|act|section|article|phase|stage|type|level|class|tier|grade|title|appendix|schedule|annex|unit|step|round|group|kapitel|band|teil|chapitre|tome|capítulo)\s$/iu;
/** A name, as of a king or of a series: `Henry VIII`, `Super Bowl LIV`. */
const name = /\p{Lu}[\p{L}\p{M}'-]+\s$/u;

/**
 * Returns the value of a Roman numeral that counts: one in capitals behind a word such as `chapter`, or of two letters or
 * more behind a name. Undefined for any other word.
 * @param before - What comes before it.
 */
export function romanValue(written: string, before: string): number | undefined {
  if (written.length > 9 || !numeral.test(written)) return undefined;
  const isCounted = counting.test(before);
  if (!isCounted && (written.length < 2 || others.has(written) || !name.test(before))) return undefined;
  const digits = Array.from(written, (letter) => values[letter] ?? 0);
  return digits.reduce((sum, value, place) => sum + (value < (digits[place + 1] ?? 0) ? -value : value), 0);
}
