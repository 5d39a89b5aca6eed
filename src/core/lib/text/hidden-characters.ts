import { lazily } from '../lazily.ts';

/** The most combining marks on one letter; further ones are drawn over the lines above and below. */
const mostMarks = 8;

const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{M}{9}/u;

// The legitimate uses of hidden characters: emoji sequences, and joiners inside words of scripts whose spelling needs
// them.
const joiningLetter = String.raw`[\p{L}--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Kana}\p{sc=Hira}\p{sc=Hangul}]]`;
const unsafePieces = lazily(
  () =>
    new RegExp(
      [
        String.raw`(\p{RGI_Emoji})`,
        String.raw`((?:\r?\n)+)`,
        String.raw`((?<=${joiningLetter}\p{M}{0,3})[\u200c\u200d](?=${joiningLetter}))`,
        String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
        String.raw`(?<=\p{M}{${mostMarks}})\p{M}`,
      ].join('|'),
      'gv',
    ),
);

/** A piece of a text: visible, one or more newlines, or one character that would be invisible or would act on others. */
export interface TextPiece {
  readonly text: string;
  readonly kind: 'visible' | 'newline' | 'hidden';
}

/** Returns whether a text may have hidden characters; false for nearly all texts. */
export function mayHide(text: string): boolean {
  return unsafe.test(text);
}

/**
 * Splits a text at control characters, bidi overrides, invisible characters and lone surrogates. Emoji sequences and the
 * joiners that some scripts need stay visible.
 */
export function* splitHidden(text: string): Generator<TextPiece> {
  let end = 0;
  for (const { 0: piece, 1: emoji, 2: newline, 3: joiner, index } of text.matchAll(unsafePieces())) {
    if (emoji !== undefined || joiner !== undefined) continue;
    if (index > end) yield { text: text.slice(end, index), kind: 'visible' };
    yield { text: piece, kind: newline === undefined ? 'hidden' : 'newline' };
    end = index + piece.length;
  }
  if (end < text.length) yield { text: text.slice(end), kind: 'visible' };
}

/** Shows hidden characters by their code points, where a text is shown without marks of its own, as in a list of choices. */
export function markHidden(text: string): string {
  return Array.from(splitHidden(text), ({ text: piece, kind }) =>
    kind === 'hidden'
      ? `U+${(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
      : piece,
  ).join('');
}
