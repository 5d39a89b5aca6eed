import { lazily } from '../../../core/lib/lazily.ts';
import type { Random } from '../../../core/stats/random.ts';

const alphabets = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic'];

/** Matches words of at least four letters in alphabetic scripts. */
export const longWords = lazily(() => {
  const letter = `[${alphabets.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
  return new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${letter}\p{M}*){4,}(?![\p{L}\p{M}])`, 'gu');
});

const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Splits a text into the characters that a reader sees: a letter with its accents is one. */
export function toCharacters(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/** A part of a text that may be changed, or one that carries the meaning and stays as it is. */
export interface Piece {
  readonly text: string;
  readonly isKept: boolean;
}

/**
 * Matches addresses, code, placeholders, quotations, words with a digit, a slash or an underscore, and names after `@` or `#`.
 */
const kept = lazily(
  () =>
    new RegExp(
      [
        String.raw`(?:https?:\/\/|www\.)\S+`,
        String.raw`[^\s@]+@[^\s@]+`,
        '`[^`]+`',
        String.raw`\{\{[^}]*\}\}`,
        '“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」',
        String.raw`"[^"\n]*"`,
        String.raw`(?<![\p{L}\p{N}])['‘][^'’\n]+['’](?![\p{L}\p{N}])`,
        String.raw`\S*[\p{N}_/\\]\S*`,
        String.raw`[@#]\S+`,
      ].join('|'),
      'gu',
    ),
);

/** Splits a text into parts that may be changed and parts that stay, in order; joined again, they are the text. */
export function toPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(kept())) {
    pieces.push({ text: text.slice(end, index), isKept: false }, { text: found, isKept: true });
    end = index + found.length;
  }
  pieces.push({ text: text.slice(end), isKept: false });
  return pieces.filter((piece) => piece.text !== '');
}

/** Applies a function to every part of a text that may be changed. */
export function changePieces(text: string, change: (part: string) => string): string {
  return toPieces(text)
    .map((piece) => (piece.isKept ? piece.text : change(piece.text)))
    .join('');
}

/** A change of some places of a text: which ones, how many, and how. */
export interface Change {
  /** The pattern of the places; it must be global. */
  readonly pattern: RegExp;
  readonly share: number;
  readonly random: Random;
  readonly change: (found: string) => string;
}

/** Changes a share of the places that match a pattern, at least one if there is any. */
export function changeSome(text: string, { pattern, share, random, change }: Change): string {
  let places = 0;
  changePieces(text, (part) => {
    places += part.match(pattern)?.length ?? 0;
    return part;
  });
  const chosen = drawPlaces(places, share, random);
  let place = -1;
  return changePieces(text, (part) =>
    part.replace(pattern, (found) => {
      place += 1;
      return chosen.has(place) ? change(found) : found;
    }),
  );
}

/** Returns one item of a list that is not empty. */
export function drawOne<Item>(items: readonly Item[], random: Random): Item {
  return items[random.integer(items.length)] as Item;
}

/** Returns some places of a list, none twice: a share of it, at least one if there is any. */
function drawPlaces(length: number, share: number, random: Random): Set<number> {
  const wanted = Math.min(length, Math.max(1, Math.round(length * share)));
  const places = Array.from({ length }, (_, place) => place);
  for (let drawn = 0; drawn < wanted; drawn += 1) {
    const other = drawn + random.integer(length - drawn);
    [places[drawn], places[other]] = [places[other] as number, places[drawn] as number];
  }
  return new Set(places.slice(0, wanted));
}
