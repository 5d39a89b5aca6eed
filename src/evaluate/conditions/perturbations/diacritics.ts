import type { Random } from '../../../core/stats/random.ts';
import type { Perturbation, QuestionContext } from './perturbation.ts';
import { changePieces, changeSome, drawOne, longWords, toCharacters } from './pieces.ts';

/** Letters that are replaced by others when a keyboard lacks them, besides those that only lose a mark. */
const plain: Readonly<Record<string, string>> = Object.fromEntries(
  'øo Øo đd Đd łl Łl ıi ßss æae Æae œoe Œoe ёе Ёе'
    .split(' ')
    .map(([letter = '', ...others]) => [letter, matchCase(letter, others.join(''))]),
);

const accented: Readonly<Record<string, string>> = {
  a: 'áàâä',
  e: 'éèêë',
  i: 'íìîï',
  o: 'óòôö',
  u: 'úùûü',
  c: 'ç',
  n: 'ñ',
  y: 'ý',
};

/** A question without its diacritics, as typed on a foreign keyboard; in a question without any, some are added. */
export const diacritics: Perturbation = {
  kind: 'diacritics',
  version: 1,
  summary:
    'Accents and other marks removed; in a question without any, some added. Or only one of the two, as in diacritics:remove.',
  variants: ['remove', 'add'],
  rate: { usual: 0.3, of: 'the words of four letters and more, where marks are added' },
  perturb: (question, context) => {
    const without = changePieces(question, (part) => toCharacters(part).map(withoutMarks).join(''));
    const isRemoved = context.variant === 'remove' || (context.variant === undefined && without !== question);
    return isRemoved ? without : withMarks(question, context);
  },
};

function withoutMarks(character: string): string {
  const known = plain[character];
  if (known !== undefined) return known;
  // In other scripts the marks belong to the letters: й is not и.
  return /^[\p{Script=Latin}\p{Script=Greek}]/u.test(character)
    ? character.normalize('NFD').replace(/\p{M}/gu, '')
    : character;
}

function withMarks(question: string, { random, rate: share }: QuestionContext): string {
  const change = (word: string) => accent(word, random);
  return changeSome(question, { pattern: longWords(), share, random, change });
}

function accent(word: string, random: Random): string {
  const characters = toCharacters(word);
  const places = characters.flatMap((character, place) =>
    accented[character.toLowerCase()] === undefined ? [] : [place],
  );
  if (places.length === 0) return word;
  const place = drawOne(places, random);
  const character = characters[place] as string;
  const choices = Array.from(accented[character.toLowerCase()] as string);
  return characters.with(place, matchCase(character, drawOne(choices, random))).join('');
}

function matchCase(like: string, text: string): string {
  return like === like.toLowerCase() ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
