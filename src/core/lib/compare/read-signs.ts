import type { Term } from './term.ts';

/** The text around a sign, and the ends of its numbers, dates and codes. */
export interface Surroundings {
  readonly text: string;
  readonly ends: ReadonlySet<number>;
}

const asOne: Readonly<Record<string, string>> = {
  '&': 'and',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '→': '->',
  '<>': '!=',
};

/** Returns the key of an operator or bracket; undefined where the sign is punctuation. */
export function signKey(
  place: Pick<Term, 'text' | 'start' | 'end'>,
  { text, ends }: Surroundings,
): string | undefined {
  const { text: sign, start, end } = place;
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  if ('([{'.includes(sign)) {
    if (text.startsWith('(s)', start)) return undefined;
    return /[\p{L}\p{N}_)\]]/u.test(before) ? `glued${sign}` : sign;
  }
  if (Object.hasOwn(isMeant, sign)) {
    return isMeant[sign]?.({ before, after, start, end, text }) === true ? sign : undefined;
  }
  // Stars around a word are emphasis that does not follow the rules.
  const isStar = sign === '*' || sign === '**';
  if (isStar && !isOperand(before, start, ends) && !/\s/u.test(before)) return undefined;
  return asOne[sign] ?? sign;
}

interface Neighbours {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** The signs that are operators only next to certain others. */
const isMeant: Readonly<Record<string, (beside: Neighbours) => boolean>> = {
  '-': ({ text, start, end }) => isMinus(text, start, end),
  '/': ({ text, start, end }) =>
    !/\p{L}{2}$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    !/^(?:\p{L}{2}|\d)/u.test(text.slice(end, end + 2)),
  '!': ({ before, after }) => /^$|[\s(]/u.test(before) && /[\p{L}(]/u.test(after),
  // Others near it make it a column of a table.
  '|': ({ before, after, text, start, end }) =>
    (/\S/.test(before) && /\S/.test(after)) ||
    !(text.slice(Math.max(0, start - 200), start) + text.slice(end, end + 200)).includes('|'),
  '%': ({ before, after }) => /\s/u.test(before) && /\s/u.test(after),
  '~': () => false,
};

function isOperand(before: string, start: number, ends: ReadonlySet<number>): boolean {
  return ends.has(start) || /[\p{L}\p{N}_)\]]/u.test(before);
}

/** A hyphen between spaces is a minus next to a number or a name of one letter: `a - b`, `5 - x`. */
function isMinus(text: string, start: number, end: number): boolean {
  if (text.charAt(end) === '∞') return true;
  const before =
    /(?:^|[^\p{L}\p{N}])[\p{L}\p{N})\]]\s?$/u.test(text.slice(Math.max(0, start - 3), start)) ||
    /[\d)\]]\s?$/.test(text.slice(Math.max(0, start - 2), start));
  const after = /^\s?(?:[\d(]|\p{L}(?!\p{L}))/u.test(text.slice(end, end + 3));
  return before && after;
}
