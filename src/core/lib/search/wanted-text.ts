/** A text that is looked for, with what it says itself about the search. */
export interface WantedText {
  readonly text: string;
  /** True when it may begin within a word: `*legal`. */
  readonly isOpenBefore: boolean;
  /** True when any letters may follow it: `deduct*`. */
  readonly isOpenAfter: boolean;
  /** True when it was written in quotation marks, so that only whole words are meant: `"land"`. */
  readonly isQuoted: boolean;
}

/**
 * Reads the marks of a text that is looked for. A `*` at an end goes on as any letters, `"…"` means whole words. A mark alone,
 * a `*` next to a space and a footnote such as `**` are part of the text.
 */
export function readWantedText(written: string): WantedText {
  const quoted = /^\s*["“”„«](?<inner>[^"“”„«»]*[\p{L}\p{N}][^"“”„«»]*)["“”»]\s*$/u.exec(written)?.groups?.[
    'inner'
  ];
  if (quoted !== undefined) return { text: quoted, isOpenBefore: false, isOpenAfter: false, isQuoted: true };
  const isOpenBefore = /^\*[\p{L}\p{N}]/u.test(written);
  const isOpenAfter = /[\p{L}\p{N}]\*$/u.test(written);
  const text = written.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined);
  return { text, isOpenBefore, isOpenAfter, isQuoted: false };
}
