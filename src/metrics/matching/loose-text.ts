import { foldText } from '../../lib/fold-text.ts';

// What changes a value stays: the point in 3.5, the minus of -5, and the signs of C#, 50 %, R&D and a@b.
const unimportant = /(?<!\d(?=\.\d))(?!(?<=^|\s)[-−]\d)(?![#%&@])[\p{P}\s^`]/gu;

/**
 * A text without what rarely matters in an argument: the case of letters, white space, punctuation and the form of
 * characters (full-width, composed or not). `San Francisco, CA` and `san francisco CA` are the same, `3.5` and `35` are not.
 */
export function looseText(text: string): string {
  return foldText(text).toLowerCase().replace(unimportant, '');
}

/**
 * A text with letters in lower case, single quotes as double ones, and without the characters listed. With
 * ` ,./-_*^` this is how the Berkeley Function Calling Leaderboard standardises texts.
 */
export function textWithout(text: string, characters: string): string {
  const dropped = new Set(characters);
  const kept = Array.from(text).filter((character) => !dropped.has(character));
  return kept.join('').toLowerCase().replaceAll("'", '"');
}
