import { checkDomain } from '../check-domain.ts';

/**
 * Scores of bots A and B on the same questions: their differences (A minus B), or both lists with the same question
 * at the same position. With repeats, give question means.
 */
export type PairedValues =
  | { readonly differences: readonly number[] }
  | { readonly a: readonly number[]; readonly b: readonly number[] };

/**
 * A minus B, question by question.
 *
 * @throws RangeError when the two lists differ in length.
 */
export function differencesOf(pairs: PairedValues): readonly number[] {
  if ('differences' in pairs) return pairs.differences;
  const { a, b } = pairs;
  checkDomain(a.length === b.length, 'b.length', b.length, `${a.length}, as of a`);
  return a.map((value, place) => value - (b[place] as number));
}
