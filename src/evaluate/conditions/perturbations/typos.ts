import type { Random } from '../../../core/stats/random.ts';
import type { Perturbation } from './perturbation.ts';
import { changeSome, drawOne, longWords, toCharacters } from './pieces.ts';

/** A question with typing errors in some words, one in each. */
export const typos: Perturbation = {
  kind: 'typos',
  version: 1,
  summary: 'Typing errors: neighbouring keys, swapped, missing and doubled letters.',
  rate: { usual: 0.25, of: 'the words of four letters and more' },
  perturb: (question, { random, rate: share }) =>
    changeSome(question, {
      pattern: longWords(),
      share,
      random,
      change: (word) => misspell(word, random),
    }),
};

/** The rows of a keyboard. Only neighbours in the same row count: keys above and below are hit by mistake less often. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

type Slip = (characters: readonly string[]) => string[];

/** Returns a word with one typing error, never in its first letter: at most two edits away from the word. */
export function misspell(word: string, random: Random): string {
  const characters = toCharacters(word);
  const spellings = slips.map((slip) => slip(characters).filter((spelling) => spelling !== word));
  const possible = spellings.filter(({ length }) => length > 0);
  return possible.length === 0 ? word : drawOne(drawOne(possible, random), random);
}

/** The kinds of typing errors, each as a function that returns every spelling it can lead to. */
const slips: readonly Slip[] = [
  (characters) =>
    later(characters, 2).map((place) => {
      const [one = '', next = ''] = characters.slice(place, place + 2);
      return characters.toSpliced(place, 2, next, one).join('');
    }),
  (characters) => later(characters).map((place) => characters.toSpliced(place, 1).join('')),
  (characters) =>
    later(characters).map((place) => characters.toSpliced(place, 0, characters[place] as string).join('')),
  (characters) =>
    later(characters).flatMap((place) =>
      neighboursOf(characters[place] as string).map((key) => characters.with(place, key).join('')),
    ),
];

/** Returns the places after the first that are followed by enough letters. */
function later({ length }: readonly string[], needed = 1): number[] {
  return Array.from({ length: Math.max(0, length - needed) }, (_, index) => index + 1);
}

function neighboursOf(character: string): string[] {
  const small = character.toLowerCase();
  const row = rows.find((keys) => keys.includes(small)) ?? '';
  const place = row.indexOf(small);
  const keys = place === -1 ? [] : [row[place - 1] ?? [], row[place + 1] ?? []].flat();
  return character === small ? keys : keys.map((key) => key.toUpperCase());
}
