import { lazily } from '../../lib/lazily.ts';
import type { Random } from '../../stats/random.ts';
import { drawPlaces } from './draw.ts';

/** A part of a text that may be changed, or one that carries the meaning and stays as it is. */
export interface Piece {
  readonly text: string;
  readonly isKept: boolean;
}

/** Addresses, code, placeholders, quotations, whatever has a digit, a slash or an underscore in it, and names after `@` or `#`. */
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

/** Cuts a text into what may be changed and what stays, in order; joined again, they are the text. */
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

/** A text with everything that may be changed put through a function, part by part. */
export function changePieces(text: string, change: (part: string) => string): string {
  return toPieces(text)
    .map((piece) => (piece.isKept ? piece.text : change(piece.text)))
    .join('');
}

/** What is changed of a text, how much of it, and into what. */
export interface Change {
  /** Global; what it finds are the places. */
  readonly pattern: RegExp;
  readonly share: number;
  readonly random: Random;
  readonly change: (found: string) => string;
}

/** A text with a share of the places that a pattern finds changed; at least one, where there is any. */
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
