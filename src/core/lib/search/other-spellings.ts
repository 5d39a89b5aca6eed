/** Another way to write the texts to which it applies, and the text in which they are looked for. */
export interface Spelling {
  readonly applies: RegExp;
  /** The single characters to write otherwise. */
  readonly pattern: RegExp;
  readonly by: ' ' | '';
  /** The character without which nothing would be written otherwise. */
  readonly mark: '-' | ',' | ' ' | '.';
}

/** Hyphens as spaces, hyphens after a short prefix removed (`e-mail`), digits without groups, `U.S.` and `Dr.` without full stops, `5 %` and `5 kg` without their space. */
export const otherSpellings: readonly Spelling[] = [
  {
    applies: /^[\p{L}\p{M}\p{N} -]*[\p{L}\p{N}][ -]\p{L}[\p{L}\p{M}\p{N} -]*$/u,
    pattern: /(?<=[\p{L}\p{N}])(?<!(?<!\p{L})(?:non|un|nicht))-(?=\p{L})/gu,
    by: ' ',
    mark: '-',
  },
  {
    applies: /^\p{L}[\p{L}\p{M}-]{3,}$/u,
    pattern: /(?<=(?<![\p{L}\p{M}-])\p{L}{1,5})-(?=\p{L})/gu,
    by: '',
    mark: '-',
  },
  {
    applies: /\d{4}|\d,\d{3}/,
    pattern: /(?<=(?<![\d.,])\d{1,3}(?:,\d{3}){0,9}),(?=\d{3}(?!\d))/g,
    by: '',
    mark: ',',
  },
  {
    applies: /^(?:\p{L}\.?){2,6}$|(?<!\p{L})\p{L}{1,4}\.? \p{L}/u,
    pattern:
      /(?<=(?<![\p{L}.])(?:\p{L}\.){0,5}\p{L})\.(?=\p{L}\.)|(?<=(?<![\p{L}.])(?:\p{L}\.){1,5}\p{L})\.|(?<=(?<!\p{L})\p{L}{1,4})\.(?= \p{L})/gu,
    by: '',
    mark: '.',
  },
  { applies: /\d ?(?:[%°]|\p{L}{1,3}$)/u, pattern: /(?<=\d) (?=[%°\p{L}])/gu, by: '', mark: ' ' },
];

/** A text in another spelling, with the places of the characters that were removed. */
export interface Respelled {
  readonly text: string;
  readonly left: readonly number[];
}

/** Writes a text in another spelling. */
export function respell(text: string, { pattern, by }: Spelling): Respelled {
  const left = by === '' ? Array.from(text.matchAll(pattern), ({ index }) => index) : [];
  return { text: text.replace(pattern, by), left };
}

/** Returns the place in a text of a place in its other spelling. */
export function placeBefore({ left }: Respelled, place: number): number {
  let low = 0;
  let high = left.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((left[middle] ?? 0) - middle <= place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}
