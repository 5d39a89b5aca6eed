import type { CalendarDate } from '../numbers/find-dates.ts';
import type { Quantity } from './quantity.ts';

/** A part of a text that is compared as a whole. Places are in the prepared text. */
export interface Term {
  /**
   * `number`: a quantity. `code`: an address, path, version, identifier or the like. `sign`: an operator or bracket of
   * code and mathematics. `picture`: an emoji or another symbol. `not`: a word that denies.
   */
  readonly kind: 'word' | 'number' | 'code' | 'date' | 'time' | 'sign' | 'picture' | 'not';
  /** Equal for terms that mean the same; for numbers, only their value. */
  readonly key: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly quantity?: Quantity;
  /** The ways to read a date; of a day such as `March 3`, the year is not known. */
  readonly readings?: readonly DateReading[];
  /** Seconds since midnight, and whether it is known which half of the day is meant. */
  readonly time?: {
    readonly seconds: number;
    readonly isHalfKnown: boolean;
    /** True for `09:00`, which is hardly said of the evening. */
    readonly isPadded: boolean;
    readonly zone: string | undefined;
  };
  /** True for a word with a capital inside a sentence. */
  readonly isName?: boolean;
}

/** Returns the key of a word in the singular and the plural, as a rule of thumb: `cost` and `costs`. */
export function formsOf(key: string): readonly string[] {
  return [key, `${key}s`, key.replace(/s$/, '')];
}

/** A date as far as a text states it. */
export type DateReading = Omit<CalendarDate, 'year'> & { readonly year?: number };

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const hidden = '\u0001';

/** Returns a text in which parts are hidden from further reading; every place stays where it was. */
export function hide(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of spans.toSorted((first, second) => first.start - second.start)) {
    if (start < from) continue;
    pieces.push(text.slice(from, start), hidden.repeat(end - start));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

/** Words that join others and state nothing of themselves, as terms have them. */
export const functionWords: ReadonlySet<string> = new Set(
  [
    'is are was were be been it its that this these those there they he she you we i of in on at to for by with from as',
    'so then thus therefore hence here do does did has have had can will would or if which who what and also',
    'ist sind war das der die den dem ein eine es im am von zu auf und',
    'です だ である 的 了 个 個 입니다 это',
    'est sont le la les un une de du des il elle ce et es son el los las una y',
  ]
    .join(' ')
    .split(' '),
);
